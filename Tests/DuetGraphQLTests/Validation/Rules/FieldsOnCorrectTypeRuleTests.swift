import DuetGraphQL
import Testing

/// Section 5.3.1, "Field Selections".
@Suite("Every selected field must exist on the parent type")
struct FieldsOnCorrectTypeRuleTests {
    private let testing = RuleTesting(.fieldsOnCorrectType)

    @Test(
        "Fields that the type defines are valid",
        arguments: [
            "{ employees { __typename id boss: manager { name } } }",
            #"{ group(name: "A") { name ... on Department { budget } ... on Agency { room } } }"#,
            #"{ search(text: "a") { __typename ... on Person { name } } }"#,
            "fragment A on Employee { ... { name } ... @include(if: true) { email } }",
        ])
    func known(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("The introspection fields are valid on the query type")
    func introspection() throws {
        try testing.expectValid(
            #"{ __schema { queryType { name } } __type(name: "Employee") { fields { name } } __typename }"#)
    }

    @Test("The fields of an unknown type are not checked")
    func unknownParent() throws {
        try testing.expectValid(
            """
            fragment A on Nothing { name }
            query { nothing2: employees { ... on Nothing { name } } }
            """)
    }

    @Test(
        "A field that the type does not define is an error that suggests similar names",
        arguments: [
            RuleCase(
                "{ employes { id } }",
                """
                Cannot query field "employes" on type "Query". Did you mean "employee" or "employees"? (1:3)
                """),
            RuleCase(
                "{ employees { alias: zzz { more } manager { departmnt } } }",
                #"Cannot query field "zzz" on type "Employee". (1:15)"#,
                #"Cannot query field "departmnt" on type "Employee". Did you mean "department"? (1:45)"#),
            RuleCase(
                "fragment A on Agency { contractor { name } }",
                #"Cannot query field "contractor" on type "Agency". Did you mean "contractors"? (1:24)"#),
            RuleCase(
                "mutation { employees { id } }",
                #"Cannot query field "employees" on type "Mutation". (1:12)"#),
        ])
    func unknown(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A field that only some of the possible types define is an error that suggests inline fragments",
        arguments: [
            RuleCase(
                #"{ group(name: "A") { budget } }"#,
                """
                Cannot query field "budget" on type "Group". Did you mean to use an inline fragment on \
                "Department"? (1:22)
                """),
            RuleCase(
                "fragment A on Person { salary { x } }",
                """
                Cannot query field "salary" on type "Person". Did you mean to use an inline fragment on \
                "Contractor" or "Employee"? (1:24)
                """),
            RuleCase(
                #"{ search(text: "a") { name } }"#,
                """
                Cannot query field "name" on type "SearchResult". Did you mean to use an inline fragment on \
                "Person", "Contractor", "Employee", "Group", or "Department"? (1:23)
                """),
        ])
    func inlineFragment(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("The only field of a union is __typename")
    func union() throws {
        try testing.expect(
            RuleCase(
                "fragment A on SearchResult { __typename zzz }",
                #"Cannot query field "zzz" on type "SearchResult". (1:41)"#))
    }

    @Test(
        "The fields __schema and __type exist on the query type only",
        arguments: [
            RuleCase(
                "{ employees { __schema { queryType { name } } } }",
                #"Cannot query field "__schema" on type "Employee". (1:15)"#),
            RuleCase(
                #"mutation { __typename __type(name: "Query") { name } }"#,
                #"Cannot query field "__type" on type "Mutation". (1:23)"#),
        ])
    func introspectionBelow(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("Suggestions can be disabled")
    func withoutSuggestions() throws {
        let errors = try testing.errors(in: #"{ employes { id } group(name: "A") { budget } }"#, suggestsNames: false)
        #expect(
            errors == [
                #"Cannot query field "employes" on type "Query". (1:3)"#,
                #"Cannot query field "budget" on type "Group". (1:38)"#,
            ])
    }
}
