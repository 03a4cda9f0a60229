import DuetGraphQL
import Testing

/// Section 3.9, "Enums".
@Suite("An enum must define each value only once")
struct UniqueEnumValueNamesRuleTests {
    private let testing = TypeSystemRuleTesting(.uniqueEnumValueNames)
    private let libraryTesting = TypeSystemRuleTesting(
        .uniqueEnumValueNames,
        extending: """
            type Query { size: Size }
            enum Size { S M }
            """)

    @Test("Different values of one enum, and equal values of different enums, are valid")
    func unique() throws {
        try testing.expectValid(
            """
            enum Size { S M L s }
            enum Letter { S T }
            extend enum Size { XL }
            extend enum Letter { U }
            """)
    }

    @Test("A repeated value is an error with the locations of the first and the repeated definition")
    func repeated() throws {
        try testing.expect(
            RuleCase(
                "enum Size { S M S S }",
                #"Enum value "Size.S" can only be defined once. (1:13, 1:17)"#,
                #"Enum value "Size.S" can only be defined once. (1:13, 1:19)"#))
    }

    @Test("The values of an enum and of its extensions are checked together")
    func extended() throws {
        try testing.expect(
            RuleCase(
                """
                extend enum Size { XL }
                enum Size { S M }
                extend enum Size { S XXL XL }
                """,
                #"Enum value "Size.S" can only be defined once. (2:13, 3:20)"#,
                #"Enum value "Size.XL" can only be defined once. (1:20, 3:26)"#))
    }

    @Test("An extension cannot repeat a value of an enum in the extended schema")
    func existing() throws {
        try libraryTesting.expect(
            RuleCase(
                """
                extend enum Size { S L }
                extend enum Size { M L }
                """,
                """
                Enum value "Size.S" already exists in the schema. It cannot also be defined in this type \
                extension. (1:20)
                """,
                """
                Enum value "Size.M" already exists in the schema. It cannot also be defined in this type \
                extension. (2:20)
                """,
                #"Enum value "Size.L" can only be defined once. (1:22, 2:22)"#))
    }
}
