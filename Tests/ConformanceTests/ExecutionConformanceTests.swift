import DuetGraphQL
import DuetJSON
import Foundation
import NIOCore
import Testing

@Suite(
    "Execution of the external conformance cases",
    .enabled(if: ConformanceData.has("execution.jsonl"), "needs execution.jsonl; see docs/graphql-conformance.md"))
struct ExecutionConformanceTests {
    /// The identifiers of the cases for which this engine returns a different and correct result, with the reasons.
    static let differences: [String: String] = [:]

    struct Case: Sendable {
        let id: String
        let schemaID: String
        let query: String
        let variables: JSONObject
        let expected: JSONValue
    }

    /// The error for a line that is neither a schema nor a case.
    struct UnknownLine: Error {
        let members: [String]
    }

    static func load() throws -> (schemas: [String: String], cases: [Case]) {
        var schemas: [String: String] = [:]
        var cases: [Case] = []
        try ConformanceData.forEachLine(of: "execution.jsonl") { line in
            let json = try JSONValue(parsing: line, maximumDepth: 256)
            if case .string(let schemaID)? = json["schemaId"], case .string(let schema)? = json["schema"] {
                schemas[schemaID] = schema
            } else if case .string(let schemaID)? = json["schemaId"], case .string(let id)? = json["id"],
                case .string(let query)? = json["query"], case .object(let variables)? = json["variables"],
                let expected = json["expected"]
            {
                cases.append(
                    Case(id: id, schemaID: schemaID, query: query, variables: variables, expected: expected))
            } else {
                var members: [String] = []
                if case .object(let object) = json { members = object.members.map { $0.key } }
                throw UnknownLine(members: members)
            }
        }
        return (schemas, cases)
    }

    /// Creates a schema in which every field has a value that depends only on its type.
    static func executable(_ sdl: String) throws -> ExecutableSchema<Void> {
        // The schema is not validated, because some schemas of the suite have cycles of directives. The reference
        // implementation accepts these cycles.
        let schema = try Schema(unchecked: Parser.parse(Source(sdl), limits: .schema))
        var resolvers = SchemaResolvers()
        resolvers.defaultResolver = .sync { _, context in value(of: context.field.field.type, schema) }
        // A default resolver is not a resolver for subscription fields.
        resolvers.subscription { subscription in
            for field in schema.rootType(for: .subscription)?.fields ?? [] {
                subscription[field.name] = .events { _, _ in AsyncStream<ResolvedValue> { nil } }
            }
        }
        for type in schema.types where type.isAbstract {
            let names = schema.possibleTypes(of: type).map(\.name).sorted()
            var isUnion = false
            if case .union = type { isUnion = true }
            let name = isUnion ? names.first : names.last
            resolvers.resolveType(of: type.name) { _, _ in name }
        }
        return try ExecutableSchema(schema, resolvers: resolvers)
    }

    static func value(of type: GraphQLType, _ schema: Schema) -> ResolvedValue {
        switch type.nullable {
        case .list(let item), .nonNull(let item): return .list([value(of: item, schema), value(of: item, schema)])
        case .named(let name):
            switch schema[name] {
            case .enum(let type): return .string(type.values[0].name)
            case .scalar(let scalar):
                switch scalar.name {
                case "Int": return .int(2)
                case "Float": return .double(3.14)
                case "Boolean": return .bool(true)
                case "ID": return .string("id")
                default: return .string("str")
                }
            default: return .object(ObjectValue())
            }
        }
    }

    /// Returns a value whose objects have sorted members.
    static func unordered(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array(let items): return .array(items.map(unordered))
        case .object(let object):
            var sorted = JSONObject()
            for member in object.members.sorted(by: { $0.key < $1.key }) {
                sorted[member.key] = unordered(member.value)
            }
            return .object(sorted)
        default: return json
        }
    }

    @Test("Every case has the same response as the reference implementation")
    func cases() async throws {
        let (schemas, cases) = try Self.load()
        #expect(!cases.isEmpty)
        var executable: [String: ExecutableSchema<Void>] = [:]
        var passed = 0
        for example in cases {
            let sdl = try #require(schemas[example.schemaID], "\(example.id)")
            let schema = try executable[example.schemaID] ?? Self.executable(sdl)
            executable[example.schemaID] = schema
            let operation = try PreparedOperation(unvalidated: Parser.parse(example.query), schema: schema)
            let response = try await operation.execute(variables: ObjectValue(example.variables))
            let answer = try JSONValue(parsing: response.body.readableBytesView, maximumDepth: 256)
            let isEqual = Self.unordered(answer) == Self.unordered(example.expected)
            if isEqual { passed += 1 }
            #expect(isEqual || Self.differences[example.id] != nil, "\(example.id): \(response.text.prefix(2_000))")
        }
        print("execution: \(passed)/\(cases.count)")
    }

    @Test("Every case with @defer has the same result if the response is delivered incrementally")
    func inParts() async throws {
        let (schemas, cases) = try Self.load()
        var passed = 0
        var inParts = 0
        let deferring = cases.filter { $0.query.contains("@defer") }
        #expect(!deferring.isEmpty)
        for example in deferring {
            let sdl = try #require(schemas[example.schemaID], "\(example.id)")
            let schema = try Self.executable(sdl)
            let operation = try PreparedOperation(unvalidated: Parser.parse(example.query), schema: schema)
            var answer: JSONValue
            switch try await operation.executeIncrementally(variables: ObjectValue(example.variables)) {
            case .single(let response): answer = try JSONValue(parsing: response.text.utf8, maximumDepth: 256)
            case .incremental(let initial, let subsequent):
                inParts += 1
                var assembly = Assembly()
                try assembly.add(JSONValue(parsing: initial.text.utf8, maximumDepth: 256))
                for try await part in subsequent {
                    try assembly.add(part.json())
                }
                #expect(assembly.pending.isEmpty)
                #expect(assembly.hasNext == false)
                answer = ["data": assembly.data]
            }
            let isEqual = Self.unordered(answer) == Self.unordered(example.expected)
            if isEqual { passed += 1 }
            #expect(isEqual, "\(example.id): \(answer)")
        }
        print("execution in parts: \(passed)/\(deferring.count), \(inParts) of them in several")
    }

    /// Assembles the parts of a response as a client does.
    struct Assembly {
        var data: JSONValue = .null
        var pending: [String: [JSONValue]] = [:]
        var hasNext = true

        mutating func add(_ part: JSONValue) {
            if let data = part["data"] { self.data = data }
            if case .array(let entries)? = part["pending"] {
                for entry in entries {
                    guard case .string(let id)? = entry["id"], case .array(let path)? = entry["path"] else { continue }
                    pending[id] = path
                }
            }
            if case .array(let entries)? = part["incremental"] {
                for entry in entries {
                    guard case .string(let id)? = entry["id"], let path = pending[id] else { continue }
                    var subPath: [JSONValue] = []
                    if case .array(let steps)? = entry["subPath"] { subPath = steps }
                    if let data = entry["data"] {
                        self.data = Self.merge(data, into: self.data, at: (path + subPath)[...])
                    }
                }
            }
            if case .array(let entries)? = part["completed"] {
                for entry in entries {
                    if case .string(let id)? = entry["id"] { pending[id] = nil }
                }
            }
            if case .bool(let more)? = part["hasNext"] { hasNext = more }
        }

        static func merge(_ new: JSONValue, into old: JSONValue, at path: ArraySlice<JSONValue>) -> JSONValue {
            switch (path.first, old) {
            case (.string(let key)?, .object(var object)):
                object[key] = merge(new, into: object[key] ?? .null, at: path.dropFirst())
                return .object(object)
            case (.integer(let index)?, .array(var items)):
                items[Int(index)] = merge(new, into: items[Int(index)], at: path.dropFirst())
                return .array(items)
            default:
                guard case .object(var object) = old, case .object(let added) = new else { return new }
                for member in added.members {
                    object[member.key] = merge(member.value, into: object[member.key] ?? .null, at: [])
                }
                return .object(object)
            }
        }
    }
}
