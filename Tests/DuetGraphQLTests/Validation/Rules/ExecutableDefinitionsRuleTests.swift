import DuetGraphQL
import Testing

/// Section 5.1.1, "Executable Definitions".
@Suite("An executable document must contain only operations and fragments")
struct ExecutableDefinitionsRuleTests {
    private let testing = RuleTesting(.executableDefinitions)

    @Test(
        "A document of operations and fragments is valid",
        arguments: [
            "{ __typename }",
            """
            query A { __typename }
            mutation B { batch { __typename } }
            subscription C { moved { id } }
            """,
            "fragment Short on Employee { id }",
            "query Team { employees { ...Short } } fragment Short on Employee { id }",
        ])
    func executable(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "A definition of a type, a directive or the schema is an error that names the definition",
        arguments: [
            RuleCase(
                "{ __typename } type Desk { number: Int }",
                #"The "Desk" definition is not executable. (1:16)"#),
            RuleCase(
                """
                scalar Hour
                interface Place { name: String }
                union Any = Employee
                enum Size { S L }
                input Desk { number: Int }
                """,
                #"The "Hour" definition is not executable. (1:1)"#,
                #"The "Place" definition is not executable. (2:1)"#,
                #"The "Any" definition is not executable. (3:1)"#,
                #"The "Size" definition is not executable. (4:1)"#,
                #"The "Desk" definition is not executable. (5:1)"#),
            RuleCase(
                """
                schema { query: Query }
                { __typename }
                directive @hidden on FIELD
                """,
                "The schema definition is not executable. (1:1)",
                #"The "hidden" definition is not executable. (3:1)"#),
        ])
    func definitions(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("An extension of a type or of the schema is an error that names the extended element")
    func extensions() throws {
        try testing.expect(
            RuleCase(
                """
                query Team { employees { name } }

                extend type Employee { desk: Int }
                extend schema @label(text: "x")
                extend enum Color { BLACK }
                """,
                #"The "Employee" definition is not executable. (3:1)"#,
                "The schema definition is not executable. (4:1)",
                #"The "Color" definition is not executable. (5:1)"#))
    }

    @Test("The error for a definition with a description has the location of the description")
    func described() throws {
        try testing.expect(
            RuleCase(
                """
                { __typename }
                "A desk." type Desk { number: Int }
                """,
                #"The "Desk" definition is not executable. (2:1)"#))
    }
}
