import DuetGraphQL
import Testing

/// Section 5.3.3, "Leaf Field Selections".
@Suite("A leaf field must not have a selection, and a composite field must have a selection")
struct ScalarLeafsRuleTests {
    private let testing = RuleTesting(.scalarLeafs)

    @Test(
        "A leaf field without a selection and a composite field with a selection are valid",
        arguments: [
            "{ employees { id skills manager { name } department { budget } } }",
            #"{ group(name: "A") { __typename name } search(text: "a") { __typename } count }"#,
        ])
    func leaves(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A field that does not exist is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("{ nothing employees { nothing { more } } }")
    }

    @Test(
        "A composite field without a selection is an error that shows how to write the selection",
        arguments: [
            RuleCase(
                "{ employees }",
                """
                Field "employees" of type "[Employee!]!" must have a selection of subfields. Did you mean \
                "employees { ... }"? (1:3)
                """),
            RuleCase(
                #"{ group(name: "A") { name head } other: search(text: "a") @include(if: true) }"#,
                """
                Field "head" of type "Employee" must have a selection of subfields. Did you mean "head { ... \
                }"? (1:27)
                """,
                """
                Field "search" of type "[SearchResult]" must have a selection of subfields. Did you mean \
                "search { ... }"? (1:34)
                """),
            RuleCase(
                "fragment A on Contractor { agency }",
                """
                Field "agency" of type "Agency" must have a selection of subfields. Did you mean "agency { ... \
                }"? (1:28)
                """),
        ])
    func missing(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A selection on a leaf field is an error that points to the selection",
        arguments: [
            RuleCase(
                "{ count { value } }",
                #"Field "count" must not have a selection since type "Int" has no subfields. (1:9)"#),
            RuleCase(
                """
                {
                  employees { id { text } skills @include(if: true) { name } }
                  __type(name: "A") { kind { name } }
                }
                """,
                #"Field "id" must not have a selection since type "ID!" has no subfields. (2:18)"#,
                #"Field "skills" must not have a selection since type "[String!]" has no subfields. (2:53)"#,
                #"Field "kind" must not have a selection since type "__TypeKind!" has no subfields. (3:28)"#),
        ])
    func forbidden(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    /// The parser rejects `{}`, so only a program can create a document with an empty selection.
    @Test("An empty selection is an error")
    func empty() throws {
        let field = Field(name: Name("employees"), selectionSet: SelectionSet(selections: []))
        let operation = OperationDefinition(selectionSet: SelectionSet(selections: [.field(field)]))
        let document = Document(source: Source(""), definitions: [.operation(operation)])
        let errors = Validation.validate(document, against: try RuleTesting.schema.get(), rules: [testing.rule])
        #expect(
            errors.map(\.message) == [
                #"Field "employees" of type "[Employee!]!" must have at least one field selected."#
            ])
    }
}
