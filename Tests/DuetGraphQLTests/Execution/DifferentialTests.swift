import DuetGraphQL
import DuetJSON
import NIOCore
import SeededTesting
import Testing

/// Executes random operations with each kind of resolver. The member `data` must be equal in all responses. If there
/// are no errors, the complete responses must be equal.
@Suite("All kinds of resolvers give the same data")
struct DifferentialTests {
    static let sdl = """
        type Query { root: Node node: Node! nodes: [Node!] any: Any named: [Named] grid: [[Node!]!] must: [Node!]! count(of: Int = 3): Int }
        interface Named { name: String id: ID! friend: Node friends: [Named!] }
        type Node implements Named {
          name: String id: ID! number: Int! ratio: Float flag: Boolean color: Color tags: [String!]
          friend: Node friends: [Named!] must: Node! others: [Node]! echo(text: String = "e", times: Int): String
        }
        type Leaf implements Named { name: String id: ID! friend: Node friends: [Named!] size: Int! }
        union Any = Node | Leaf
        enum Color { RED GREEN }
        """

    /// A generated object. Its number determines its type, its values and its children.
    struct Item: Sendable {
        let number: UInt64
        let depth: Int

        var typeName: String { number % 3 == 0 ? "Leaf" : "Node" }
        func child(_ salt: UInt64, type: String? = nil) -> Item {
            var mixed = (number &+ salt) &* 0x9E37_79B9_7F4A_7C15
            mixed ^= mixed >> 29
            mixed = mixed % 1_000_003
            if type == "Node", mixed % 3 == 0 { mixed += 1 }
            return Item(number: mixed, depth: depth + 1)
        }
    }

    enum Kind: CaseIterable { case sync, async, batch, subtree, mixed }

    /// Returns the value of a field.
    static func value(_ field: PlannedField, _ arguments: ObjectValue, _ item: Item) -> ResolvedValue {
        let n = item.number
        switch field.name {
        case "name": return n % 5 == 0 ? .null : .string("item \"\(n)\"")
        case "id": return .int(Int64(n))
        case "number": return n % 97 == 0 ? .null : .int(Int64(n))
        case "ratio": return .double(Double(n) / 4)
        case "flag": return .bool(n % 2 == 0)
        case "color": return .string(n % 2 == 0 ? "RED" : "GREEN")
        case "tags": return .list((0..<(n % 4)).map { .string("t\($0)") })
        case "size", "count": return .int(Int64(n % 100))
        case "echo":
            return .string(arguments.map { "\($0.name)=\($0.value)" }.joined(separator: ";") + "@\(n)")
        case "root", "friend", "any", "node":
            let child = item.child(1, type: field.field.type.typeName.name)
            return field.name != "node" && child.number % 7 == 0 ? .null : .object(child)
        case "must":
            if field.parentType.name == "Query" { return .list([.object(item.child(2, type: "Node"))]) }
            return item.child(2).number % 11 == 0 ? .null : .object(item.child(2, type: "Node"))
        case "nodes", "friends", "named", "others":
            let type = field.field.type.typeName.name
            return .list(
                (0..<(n % 4)).map { index in
                    let child = item.child(10 + index, type: type)
                    return child.number % 13 == 0 ? .null : .object(child)
                })
        case "grid":
            return .list(
                (0..<2).map { row in .list((0..<2).map { .object(item.child(20 + row * 2 + $0, type: "Node")) }) })
        default: return .null
        }
    }

    static func schema(_ kind: Kind, calls: Calls = Calls()) throws -> ExecutableSchema<Void> {
        let subtree = Interpreter()
        return try Executing.schema(sdl) { resolvers in
            for (type, fields) in fieldNames {
                for (index, field) in fields.enumerated() {
                    let now = FieldResolver<Item, Void>.sync { value($1.field, $1.arguments.values, $0) }
                    let later = FieldResolver<Item, Void>.async { value($1.field, $1.arguments.values, $0) }
                    let batch = FieldResolver<Item, Void>.batch { items, context in
                        calls.count(context.field)
                        return items.map { value(context.field, context.arguments.values, $0) }
                    }
                    resolvers[type, field, on: Item.self] =
                        switch kind {
                        case .sync: now
                        case .async: later
                        case .batch: batch
                        case .subtree: type == "Query" ? .subtree(subtree) : now
                        case .mixed: [now, later, batch, .subtree(subtree)][index % 4]
                        }
                }
            }
            for abstract in ["Named", "Any"] {
                resolvers.resolveType(of: abstract) { source, _ in (source as? Item)?.typeName }
            }
        }
    }

    static let fieldNames: [(String, [String])] = [
        ("Query", ["root", "node", "nodes", "any", "named", "grid", "must", "count"]),
        (
            "Node",
            ["name", "id", "number", "ratio", "flag", "color", "tags", "friend", "friends", "must", "others", "echo"]
        ),
        ("Leaf", ["name", "id", "friend", "friends", "size"]),
    ]

    /// Counts the calls of batch resolvers.
    final class Calls: Sendable {
        let counts = Locked<[ObjectIdentifier: Int]>([:])
        func count(_ field: PlannedField) { counts.withLock { $0[ObjectIdentifier(field), default: 0] += 1 } }
    }

    // MARK: - Random operations

    struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 33)
        }
    }

    static func selection(on type: String, _ depth: Int, _ random: inout Random) -> String {
        let leaves: [String: [String]] = [
            "Query": ["count", "c: count(of: 1)"],
            "Node": [
                "name", "id", "number", "ratio", "flag", "color", "tags", "echo", "e: echo(text: $t, times: 2)",
                "name @include(if: $yes)", "id @skip(if: $yes)",
            ],
            "Leaf": ["name", "id", "size"], "Named": ["name", "id"], "Any": ["__typename"],
        ]
        let composites: [String: [(String, String)]] = [
            "Query": [
                ("root", "Node"), ("node", "Node"), ("nodes", "Node"), ("any", "Any"), ("named", "Named"),
                ("grid", "Node"),
                ("must", "Node"),
            ],
            "Node": [("friend", "Node"), ("friends", "Named"), ("must", "Node"), ("others", "Node")],
            "Leaf": [("friend", "Node"), ("friends", "Named")],
            "Named": [("friend", "Node"), ("friends", "Named")], "Any": [],
        ]
        var parts: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: parts.append("__typename")
            case 1...3 where depth > 0:
                guard let (name, inner) = composites[type]?.randomElement(using: &random) else { break }
                parts.append("\(name) { \(selection(on: inner, depth - 1, &random)) }")
            case 4 where type == "Named" || type == "Any":
                let on = Bool.random(using: &random) ? "Node" : "Leaf"
                parts.append("... on \(on) { \(selection(on: on, max(0, depth - 1), &random)) }")
            case 5 where depth > 0: parts.append("... { \(selection(on: type, depth - 1, &random)) }")
            default: if let leaf = leaves[type]?.randomElement(using: &random) { parts.append(leaf) }
            }
        }
        return parts.isEmpty ? "__typename" : parts.joined(separator: " ")
    }

    static func data(_ text: String) throws -> JSONValue? {
        try JSONValue(parsing: text.utf8, maximumDepth: 300)["data"]
    }

    @Test("Random operations give equal data with every kind of resolver", arguments: TestScale.fixedSeeds(8))
    func random(_ seed: UInt64) async throws {
        var random = Random(state: seed &* 77_777 &+ 1)
        let schemas = try Kind.allCases.map { ($0, try Self.schema($0)) }
        for round in 0..<TestScale.count(15) {
            let query =
                "query($t: String = \"T\", $yes: Boolean!) { \(Self.selection(on: "Query", 5, &random)) }"
            let root = Item(number: UInt64(round) &* 31 &+ seed, depth: 0)
            var expected: GraphQLResponse?
            for (kind, schema) in schemas {
                let response = try await Executing.response(
                    query, on: schema, variables: ["yes": .bool(round % 2 == 0)], root: root)
                let reference = expected ?? response
                expected = reference
                #expect(
                    try Self.data(response.text) == Self.data(reference.text),
                    "seed \(seed), \(kind): \(query)\n\(response.text)\n\(reference.text)")
                #expect(response.errors.isEmpty == reference.errors.isEmpty, "seed \(seed), \(kind): \(query)")
                if reference.errors.isEmpty {
                    #expect(response.text == reference.text, "seed \(seed), \(kind): \(query)")
                }
            }
        }
    }

    @Test("A batch resolver is called at most once for each field of an operation, for any number of objects")
    func noRepetition() async throws {
        let calls = Calls()
        let schema = try Self.schema(.batch, calls: calls)
        var random = Random(state: 5)
        for round in 0..<TestScale.count(15) {
            let query = "query($t: String, $yes: Boolean = true) { \(Self.selection(on: "Query", 5, &random)) }"
            let operation = try PreparedOperation(unvalidated: Parser.parse(query), schema: schema)
            calls.counts.withLock { $0 = [:] }
            _ = try await operation.execute(rootValue: Item(number: UInt64(round), depth: 0))
            #expect(calls.counts.withLock { $0.values.allSatisfy { $0 == 1 } }, "\(query)")
        }
    }
}

/// A subtree resolver that traverses the plan and writes the values without the engine.
final class Interpreter: SubtreeResolver {
    private struct Propagated: Error {}

    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        try requests.map { request in
            guard let item = request.source as? DifferentialTests.Item else { return .null() }
            var state = State(operation: operation, writer: JSONWriter(request.output))
            do {
                try state.write(
                    DifferentialTests.value(request.field, request.arguments, item), request.field.output, request.field
                )
                return .written(state.writer.buffer, errors: state.errors)
            } catch is Propagated {
                return .null(errors: state.errors)
            }
        }
    }

    private struct State {
        let operation: OperationContext
        var writer: JSONWriter
        var errors: [GraphQLError] = []

        mutating func write(_ value: ResolvedValue, _ output: PlannedOutput, _ field: PlannedField) throws {
            let start = writer.buffer.writerIndex
            do {
                if case .null = value {
                    guard !output.isNonNull else {
                        errors.append(GraphQLError("null", path: []))
                        throw Propagated()
                    }
                    return writer.writeNull()
                }
                switch (output.kind, value) {
                case (.list(let item), .list(let values)):
                    writer.write(raw: "[")
                    for (index, value) in values.enumerated() {
                        if index > 0 { writer.write(raw: ",") }
                        try write(value, item, field)
                    }
                    writer.write(raw: "]")
                case (.object(let selection), .object(let source)): try write(selection, source)
                case (.abstract(let abstract), .object(let source)):
                    guard let item = source as? DifferentialTests.Item,
                        case .object(let type)? = operation.schema.type(named: item.typeName)
                    else { return }
                    try write(abstract.selection(for: type), source)
                case (.scalar(let type), .int(let number)) where type.name == "ID": writer.write(String(number))
                case (_, .int(let number)): writer.write(number)
                case (_, .string(let text)): writer.write(text)
                case (_, .double(let number)): writer.write(number)
                case (_, .bool(let bool)): writer.write(bool)
                default: writer.writeNull()
                }
            } catch is Propagated where !output.isNonNull {
                writer.buffer.moveWriterIndex(to: start)
                writer.writeNull()
            }
        }

        mutating func write(_ selection: PlannedSelection, _ source: any Sendable) throws {
            guard let item = source as? DifferentialTests.Item else { return }
            writer.write(raw: "{")
            for (index, field) in selection.fields.enumerated() {
                if index > 0 { writer.write(raw: ",") }
                writer.write(raw: field.keyBytes)
                if field.isTypeName {
                    writer.write(field.parentType.name)
                } else {
                    try write(
                        DifferentialTests.value(field, operation.arguments(of: field), item), field.output, field)
                }
            }
            writer.write(raw: "}")
        }
    }
}
