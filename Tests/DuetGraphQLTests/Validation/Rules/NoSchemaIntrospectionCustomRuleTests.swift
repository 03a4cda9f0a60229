import DuetGraphQL
import Testing

/// Section 4, "Introspection".
@Suite("A service can reject introspection")
struct NoSchemaIntrospectionCustomRuleTests {
    private let testing = RuleTesting(.noSchemaIntrospectionCustom)

    @Test("Fields of the schema's own types, and __typename, are valid")
    func noIntrospection() throws {
        try testing.expectValid(#"{ __typename employees { __typename name } search(text: "a") { __typename } }"#)
    }

    @Test(
        "Each field whose type is an introspection type is an error",
        arguments: [
            RuleCase(
                "{ __schema { types { name } } }",
                """
                GraphQL introspection has been disabled, but the requested query contained the field \
                "__schema". (1:3)
                """,
                """
                GraphQL introspection has been disabled, but the requested query contained the field "types". \
                (1:14)
                """),
            RuleCase(
                #"{ meta: __type(name: "Employee") { name kind } }"#,
                """
                GraphQL introspection has been disabled, but the requested query contained the field "__type". \
                (1:3)
                """,
                """
                GraphQL introspection has been disabled, but the requested query contained the field "kind". \
                (1:41)
                """),
        ])
    func introspection(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("Introspection in a fragment is an error")
    func fragments() throws {
        try testing.expect(
            RuleCase(
                """
                { ...A }
                fragment A on Query { ... { __schema { ...B } } }
                fragment B on __Schema { queryType { name } }
                """,
                """
                GraphQL introspection has been disabled, but the requested query contained the field \
                "__schema". (2:29)
                """,
                """
                GraphQL introspection has been disabled, but the requested query contained the field \
                "queryType". (3:26)
                """))
    }
}
