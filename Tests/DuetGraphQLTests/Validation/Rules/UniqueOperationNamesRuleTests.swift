import DuetGraphQL
import Testing

/// Section 5.2.2.1, "Operation Name Uniqueness".
@Suite("The operations of a document must have different names")
struct UniqueOperationNamesRuleTests {
    private let testing = RuleTesting(.uniqueOperationNames)

    @Test(
        "Operations with different names, or without a name, are valid",
        arguments: [
            "{ __typename }",
            "query Team { __typename }",
            """
            query Team { __typename }
            query team { __typename }
            mutation Hire { __typename }
            subscription Hired { moved { id } }
            """,
            "{ __typename } { __typename }",
        ])
    func unique(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("A fragment can have the name of an operation")
    func fragmentName() throws {
        try testing.expectValid("query Team { ...Team } fragment Team on Query { __typename }")
    }

    @Test(
        "A repeated name is an error that points to both names",
        arguments: [
            RuleCase(
                "query Team { __typename } query Team { __typename }",
                #"There can be only one operation named "Team". (1:7, 1:33)"#),
            RuleCase(
                """
                query Team { __typename }
                mutation Team { __typename }
                subscription Team { moved { id } }
                """,
                #"There can be only one operation named "Team". (1:7, 2:10)"#,
                #"There can be only one operation named "Team". (1:7, 3:14)"#),
            RuleCase(
                """
                query A { __typename }
                query B { __typename }
                query B { __typename }
                query A { __typename }
                """,
                #"There can be only one operation named "B". (2:7, 3:7)"#,
                #"There can be only one operation named "A". (1:7, 4:7)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }
}
