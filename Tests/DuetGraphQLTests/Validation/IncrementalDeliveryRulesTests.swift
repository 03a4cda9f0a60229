import DuetGraphQL
import Testing

@Suite("The rules for @defer and @stream")
struct IncrementalDeliveryRulesTests {
    private static let sdl = """
        directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
        directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
        type Query { hero: Hero heroes: [Hero!]! }
        type Mutation { rename: Hero all: [Hero] again: Mutation }
        type Subscription { changed: Hero all: [Hero] }
        type Hero { id: ID name: String friends: [Hero] rows: [[Int!]!]! }
        """

    /// Returns the messages of all default rules with their locations.
    private func errors(_ text: String) throws -> [String] {
        Validation.validate(try Parser.parse(text), against: try Schema(sdl: Self.sdl)).map(\.description)
    }

    @Test("A query can defer and stream in any place")
    func valid() throws {
        let text = """
            query ($if: Boolean!, $count: Int!) {
              ... @defer(label: "root") { hero { id } }
              heroes @stream(initialCount: $count, label: "all") { ...F @defer(if: $if, label: "F") ...F @defer }
            }
            fragment F on Hero { name friends @stream { id } rows @stream(initialCount: 1) }
            """
        #expect(try errors(text) == [])
    }

    @Test("A label is a string that does not depend on variables")
    func labelOfVariable() throws {
        #expect(
            try errors("query ($l: String) { hero { ... @defer(label: $l) { id } friends @stream(label: $l) { id } } }")
                == [
                    "Directive \"defer\"'s label argument must be a static string. (1:33)",
                    "Directive \"stream\"'s label argument must be a static string. (1:66)",
                ])
    }

    @Test("A label occurs once in a document, across both directives")
    func repeatedLabel() throws {
        let text = """
            { hero { ... @defer(label: "a") { id } ... @defer(label: "b") { name } ...F } }
            fragment F on Hero { friends @stream(label: "a") { id } }
            """
        #expect(
            try errors(text) == [
                "Defer/Stream directive label argument must be unique. (1:14, 2:30)"
            ])
    }

    @Test("Root fields of a mutation cannot be deferred or streamed, including root fields in fragments")
    func rootOfMutation() throws {
        let text = """
            mutation {
              ... @defer { rename { id } }
              all @stream { friends @stream { id } ... @defer { name } }
              ...F @defer
            }
            fragment F on Mutation { more: all @stream { id } }
            """
        #expect(
            try errors(text) == [
                "Defer directive cannot be used on root mutation type \"Mutation\". (2:7)",
                "Stream directive cannot be used on root mutation type \"Mutation\". (3:7)",
                "Defer directive cannot be used on root mutation type \"Mutation\". (4:8)",
                "Stream directive cannot be used on root mutation type \"Mutation\". (6:36, 4:3)",
            ])
    }

    @Test("A root field of a subscription cannot be streamed, even if the directive is disabled")
    func rootOfSubscription() throws {
        #expect(
            try errors("subscription { all @stream(if: false) { id } }") == [
                "Stream directive cannot be used on root subscription type \"Subscription\". (1:20)"
            ])
        #expect(
            try errors("subscription { ... @defer(if: false) { changed { id } } }") == [
                "Defer directive cannot be used on root subscription type \"Subscription\". (1:20)"
            ])
    }

    @Test("Fields below a mutation's root can be deferred and streamed, even if they have the root type")
    func belowRoot() throws {
        #expect(try errors("mutation { again { ... @defer { all @stream { id } } } }") == [])
    }

    @Test("Fields below a subscription's root cannot be deferred or streamed, including fields in fragments")
    func subscription() throws {
        let text = """
            query Q { hero { ...F } }
            subscription S { changed { ... @defer { id } ...F } }
            fragment F on Hero { friends @stream { id } }
            """
        #expect(
            try errors(text) == [
                "Defer directive not supported on subscription operations. "
                    + "Disable `@defer` by setting the `if` argument to `false`. (2:32)",
                "Stream directive not supported on subscription operations. "
                    + "Disable `@stream` by setting the `if` argument to `false`. (3:30, 2:46)",
            ])
        #expect(try errors("subscription { changed { ... @defer(if: true) { id } } }").count == 1)
    }

    @Test("A subscription can contain directives that are disabled, depend on a variable, or are excluded")
    func subscriptionWithConditions() throws {
        let text = """
            subscription ($on: Boolean!) {
              changed {
                ... @defer(if: false) { id }
                ... @defer(if: $on) { name }
                friends @stream(if: $on) @skip(if: false) { id }
                rows @stream @include(if: $on)
                ...F @defer @skip(if: true)
              }
            }
            fragment F on Hero { name ... @defer { id } }
            """
        #expect(try errors(text) == [])
        #expect(try errors("subscription { changed { rows @stream @include(if: true) } }").count == 1)
    }

    @Test("Fragments that spread each other are visited once")
    func cycles() throws {
        let text = """
            subscription { changed { ...A } }
            fragment A on Hero { ...B @defer } fragment B on Hero { friends { ...A } }
            """
        #expect(try errors(text).filter { $0.contains("subscription") }.count == 1)
    }

    @Test("A streamed field is a list")
    func nonList() throws {
        #expect(
            try errors("{ hero @stream { id } heroes @stream { name @stream(initialCount: 1) rows @stream } }") == [
                "Stream directive cannot be used on non-list field \"hero\" on type \"Query\". (1:8)",
                "Stream directive cannot be used on non-list field \"name\" on type \"Hero\". (1:45)",
            ])
    }
}
