import DuetGraphQL
import Testing

@Suite("Limits of operations")
struct OperationLimitsTests {
    static let sdl = """
        type Query { a: Query text: String list(first: Int = 3): [Query!]! @listSize(slicingArguments: ["first"]) }
        """ + CostModel.directiveDefinitions

    static func schema(_ limits: OperationLimits) throws -> ExecutableSchema<Void> {
        var options = ExecutionOptions()
        options.operationLimits = limits
        return try Executing.schema(sdl, options: options) { resolvers in
            resolvers["Query", "a"] = .sync { _, _ in .object(1) }
            resolvers["Query", "text"] = .sync { _, _ in .string("t") }
            resolvers["Query", "list"] = .sync { _, _ in .list([]) }
        }
    }

    /// A limit, a query at the limit, a query above the limit, and the error for the second query.
    struct Limit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limits: OperationLimits
        let allowed: String
        let refused: String
        let error: String
    }

    static let limits = [
        Limit(
            testDescription: "depth", limits: OperationLimits(depth: 3), allowed: "{ a { a { text } } }",
            refused: "query Q { a { a { a { text } } } }",
            error:
                #"{"message":"The operation nests fields 4 levels deep; the limit is 3. Request the inner fields in a separate operation.","locations":[{"line":1,"column":1}],"extensions":{"code":"DEPTH_LIMIT_EXCEEDED","depth":4,"limit":3}}"#
        ),
        Limit(
            testDescription: "depth of introspection", limits: OperationLimits(depth: 1, introspectionDepth: 2),
            allowed: "{ __schema { description } }", refused: "\n{ __schema { queryType { name } } }",
            error:
                #"{"message":"The operation nests introspection fields 3 levels deep; the limit is 2. Request fewer levels of nested types.","locations":[{"line":2,"column":1}],"extensions":{"code":"DEPTH_LIMIT_EXCEEDED","depth":3,"limit":2}}"#
        ),
        Limit(
            testDescription: "fields", limits: OperationLimits(fields: 3),
            allowed: "{ a { ...F } ...F } fragment F on Query { text }",
            refused: "{ a { ...F } text ...F } fragment F on Query { text }",
            error:
                #"{"message":"The operation has 4 fields, including those of its fragments; the limit is 3. Request fewer fields.","locations":[{"line":1,"column":1}],"extensions":{"code":"FIELD_LIMIT_EXCEEDED","fields":4,"limit":3}}"#
        ),
        Limit(
            testDescription: "aliases", limits: OperationLimits(aliases: 1), allowed: "{ a { text } x: text }",
            refused: "{ a { text y: text } x: text }",
            error:
                #"{"message":"The operation has 2 aliases and repeated fields; the limit is 1. Request a list, or use several operations.","locations":[{"line":1,"column":1}],"extensions":{"code":"ALIAS_LIMIT_EXCEEDED","aliases":2,"limit":1}}"#
        ),
        Limit(
            testDescription: "directives", limits: OperationLimits(directives: 1),
            allowed: "{ text @skip(if: false) }",
            refused: "{ text @skip(if: false) @include(if: true) }",
            error:
                #"{"message":"The operation has 2 directives; the limit is 1. Remove unnecessary directives.","locations":[{"line":1,"column":1}],"extensions":{"code":"DIRECTIVE_LIMIT_EXCEEDED","directives":2,"limit":1}}"#
        ),
        Limit(
            testDescription: "root fields", limits: OperationLimits(rootFields: 1),
            allowed: "{ a { text a { text } } }", refused: "{ text a { text } }",
            error:
                #"{"message":"The operation selects 2 root fields; the limit is 1. Use several operations.","locations":[{"line":1,"column":1}],"extensions":{"code":"ROOT_FIELD_LIMIT_EXCEEDED","rootFields":2,"limit":1}}"#
        ),
        Limit(
            testDescription: "cost", limits: OperationLimits(cost: 5), allowed: "{ list(first: 5) { text } }",
            refused: "{ list(first: 6) { text } }",
            error:
                #"{"message":"The operation could cost 6; the limit is 5. Request shorter lists, or fewer nested lists.","locations":[{"line":1,"column":1}],"extensions":{"code":"COST_LIMIT_EXCEEDED","cost":6,"limit":5}}"#
        ),
    ]

    @Test("An operation at the limit is executed, and an operation above the limit is rejected", arguments: limits)
    func limit(_ limit: Limit) async throws {
        let schema = try Self.schema(limit.limits)
        #expect(try await Executing.response(limit.allowed, on: schema).hasData)
        let response = try await Executing.response(limit.refused, on: schema)
        #expect(response.text == #"{"errors":["# + limit.error + "]}")
        #expect(response.kind == .requestError)
    }

    @Test("All exceeded limits are reported together")
    func several() async throws {
        let schema = try Self.schema(OperationLimits(depth: 1, aliases: 0))
        let response = try await Executing.response("{ x: a { text } }", on: schema)
        #expect(response.errors.map(\.code) == ["DEPTH_LIMIT_EXCEEDED", "ALIAS_LIMIT_EXCEEDED"])
    }

    @Test("The standard introspection query is permitted by default")
    func introspection() async throws {
        let schema = try Self.schema(OperationLimits())
        #expect(try await Executing.response(IntrospectionQuery.standard, on: schema).errors.isEmpty)
    }

    @Test("With the default limits, fragments that expand to too many fields are rejected before planning")
    func fragments() async throws {
        var query = "{ ...F0 }"
        for index in 0..<2_000 {
            query += " fragment F\(index) on Query { a { ...F\(index + 1) } list { ...F\(index + 1) } }"
        }
        let response = try await Executing.response(
            query + " fragment F2000 on Query { text }", on: Self.schema(OperationLimits()))
        #expect(response.errors.map(\.code) == ["DEPTH_LIMIT_EXCEEDED", "FIELD_LIMIT_EXCEEDED"])
    }

    @Test("Without limits, every operation is executed")
    func unlimited() async throws {
        let schema = try Self.schema(.unlimited)
        let query = "{ list(first: 2147483647) { list(first: 2147483647) { text } } }"
        #expect(try await Executing.response(query, on: schema).hasData)
    }

    @Test("The cost of a cached operation is checked with the variables of each request")
    func cached() async throws {
        let cache = try Self.schema(OperationLimits(cost: 10)).operations
        let query = "query($n: Int!) { list(first: $n) { text } }"
        let allowed = try await cache.operation(in: query).execute(variables: ["n": 10])
        #expect(allowed.text == #"{"data":{"list":[]}}"#)
        let refused = try await cache.operation(in: query).execute(variables: ["n": 11])
        #expect(refused.errors.map(\.code) == ["COST_LIMIT_EXCEEDED"])
        #expect(refused.errors.first?.extensions["cost"] == 11)
        #expect(cache.statistics.hits == 1)
    }
}
