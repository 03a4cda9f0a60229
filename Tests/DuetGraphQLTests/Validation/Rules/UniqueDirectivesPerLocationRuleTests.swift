import DuetGraphQL
import Testing

/// Section 5.7.3, "Directives Are Unique per Location".
@Suite("A directive that is not repeatable must occur only once in a location")
struct UniqueDirectivesPerLocationRuleTests {
    private let testing = RuleTesting(.uniqueDirectivesPerLocation)
    private let libraryTesting = TypeSystemRuleTesting(
        .uniqueDirectivesPerLocation,
        extending: """
            type Query { book: Book }
            type Book @shelf { title: String }
            directive @shelf on SCHEMA | OBJECT | FIELD_DEFINITION | ENUM
            directive @tag repeatable on OBJECT
            """)

    @Test("Different directives in one location, and equal directives in different locations, are valid")
    func unique() throws {
        try testing.expectValid(
            """
            query @audited {
              employees @audited @include(if: true) @skip(if: false) { name @audited }
              more: employees @audited { id }
            }
            """)
    }

    @Test("A repeatable directive can occur several times")
    func repeatable() throws {
        try testing.expectValid(#"{ employees @label(text: "a") @label(text: "b") @audited @label(text: "a") { id } }"#)
    }

    @Test("An unknown directive is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("{ __typename @nothing @nothing }")
    }

    @Test(
        "A repeated directive is an error with the locations of the first and the repeated use",
        arguments: [
            RuleCase(
                "{ __typename @audited @audited }",
                #"The directive "@audited" can only be used once at this location. (1:14, 1:23)"#),
            RuleCase(
                """
                query ($a: Int @audited @audited) @audited @label(text: "a") @audited {
                  ...A @skip(if: true) @skip(if: false) @skip(if: true)
                }
                fragment A on Query @audited @audited {
                  ... @include(if: true) @audited @include(if: true) { __typename }
                }
                """,
                #"The directive "@audited" can only be used once at this location. (1:16, 1:25)"#,
                #"The directive "@audited" can only be used once at this location. (1:35, 1:62)"#,
                #"The directive "@skip" can only be used once at this location. (2:8, 2:24)"#,
                #"The directive "@skip" can only be used once at this location. (2:8, 2:41)"#,
                #"The directive "@audited" can only be used once at this location. (4:21, 4:30)"#,
                #"The directive "@include" can only be used once at this location. (5:7, 5:35)"#),
        ])
    func repeated(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A definition and its extensions in one document count as one location",
        arguments: [
            RuleCase(
                """
                extend type Book @shelf @tag
                extend type Book @shelf @tag { pages: Int @shelf author: String @shelf @shelf }
                extend type Query @shelf
                """,
                #"The directive "@shelf" can only be used once at this location. (1:18, 2:18)"#,
                #"The directive "@shelf" can only be used once at this location. (2:65, 2:72)"#),
            RuleCase(
                """
                extend schema @shelf
                extend schema @shelf
                """,
                #"The directive "@shelf" can only be used once at this location. (1:15, 2:15)"#),
            RuleCase(
                """
                enum Size @own { S }
                extend enum Size @own { L }
                directive @own on ENUM
                """,
                #"The directive "@own" can only be used once at this location. (1:11, 2:18)"#),
        ])
    func extensions(_ example: RuleCase) throws {
        try libraryTesting.expect(example)
    }
}
