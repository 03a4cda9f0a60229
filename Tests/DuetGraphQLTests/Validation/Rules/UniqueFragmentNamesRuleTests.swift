import DuetGraphQL
import Testing

/// Section 5.5.1.1, "Fragment Name Uniqueness".
@Suite("The fragments of a document must have different names")
struct UniqueFragmentNamesRuleTests {
    private let testing = RuleTesting(.uniqueFragmentNames)

    @Test(
        "Fragments with different names are valid",
        arguments: [
            """
            { ...A ...B ...A ... { __typename } ... on Query { __typename } }
            fragment A on Query { __typename }
            fragment B on Query { __typename }
            """,
            "fragment A on Query { __typename } fragment a on Query { __typename }",
        ])
    func unique(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A fragment can have the name of an operation")
    func operationName() throws {
        try testing.expectValid("query Team { ...Team } fragment Team on Query { __typename }")
    }

    @Test(
        "A repeated name is an error that points to both names",
        arguments: [
            RuleCase(
                "fragment A on Query { __typename } fragment A on Employee { name }",
                #"There can be only one fragment named "A". (1:10, 1:45)"#),
            RuleCase(
                """
                { ...A }
                fragment A on Query { __typename }
                fragment B on Query { __typename }
                fragment A on Query { __typename }
                fragment A on Query { __typename }
                """,
                #"There can be only one fragment named "A". (2:10, 4:10)"#,
                #"There can be only one fragment named "A". (2:10, 5:10)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
