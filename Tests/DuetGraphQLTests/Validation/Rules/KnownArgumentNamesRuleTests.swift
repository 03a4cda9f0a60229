import DuetGraphQL
import Testing

/// Section 5.4.1, "Argument Names".
@Suite("Every argument of a field or directive must exist")
struct KnownArgumentNamesRuleTests {
    private let testing = RuleTesting(.knownArgumentNames)

    @Test(
        "Arguments that the field or the directive defines are valid in any order",
        arguments: [
            """
            {
              employee(includeFormer: true, id: 1) {
                salary(currency: USD) @include(if: true) @label(color: RED, text: "a")
              }
            }
            """,
            #"{ __type(name: "Employee") { fields(includeDeprecated: true) { name } } }"#,
        ])
    func known(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("The arguments of an unknown field or directive are not checked")
    func unknownOwner() throws {
        try testing.expectValid("{ nothing(id: 1) { more(id: 1) } employees @nothing(id: 1) { zzz(id: 1) } }")
    }

    @Test(
        "An unknown argument of a field is an error that suggests similar names",
        arguments: [
            RuleCase(
                "{ employee(idd: 1) { salary(currencies: EUR, currency: USD, per: 1) } }",
                #"Unknown argument "idd" on field "Query.employee". Did you mean "id"? (1:12)"#,
                #"Unknown argument "currencies" on field "Employee.salary". Did you mean "currency"? (1:29)"#,
                #"Unknown argument "per" on field "Employee.salary". (1:61)"#),
            RuleCase(
                "fragment A on Contractor { ... on Person { name(short: true) } salary(Currency: EUR) }",
                #"Unknown argument "short" on field "Person.name". (1:49)"#,
                #"Unknown argument "Currency" on field "Contractor.salary". Did you mean "currency"? (1:71)"#),
        ])
    func field(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("An unknown argument of a directive is an error that suggests similar names")
    func directive() throws {
        try testing.expect(
            RuleCase(
                #"{ employees @include(iff: true) { name @label(txt: "a", shape: 1) } }"#,
                #"Unknown argument "iff" on directive "@include". Did you mean "if"? (1:22)"#,
                #"Unknown argument "txt" on directive "@label". Did you mean "text"? (1:47)"#,
                #"Unknown argument "shape" on directive "@label". Did you mean "size"? (1:57)"#))
    }

    @Test("A directive does not accept the arguments of its field")
    func both() throws {
        try testing.expect(
            RuleCase(
                "{ employee(id: 1) @skip(id: 1, if: true) { name } }",
                #"Unknown argument "id" on directive "@skip". Did you mean "if"? (1:25)"#))
    }

    @Test("Suggestions can be disabled")
    func withoutSuggestions() throws {
        let errors = try testing.errors(
            in: "{ employee(idd: 1) { name @include(iff: true) } }", suggestsNames: false)
        #expect(
            errors == [
                #"Unknown argument "idd" on field "Query.employee". (1:12)"#,
                #"Unknown argument "iff" on directive "@include". (1:36)"#,
            ])
    }
}
