import DuetGraphQL
import Testing

@Suite("Null propagation")
struct NullPropagationTests {
    static let sdl = """
        type Query { box: Box must: Box! boxes: [Box] mustBoxes: [Box!] allMust: [Box!]! text: String }
        type Box { box: Box must: Box! number: Int! text: String numbers: [Int!] boxes: [Box!]! }
        """

    enum Kind: CaseIterable, Sendable { case sync, async, batch }

    /// Returns a schema in which a box contains boxes. Resolvers receive a number for each box: the number of the
    /// parent box plus 1, or plus 10 for the first item of a list. In box 1, `number` is null, and `numbers` contains
    /// a null.
    static func schema(_ kind: Kind) throws -> ExecutableSchema<Void> {
        try Executing.schema(sdl) { resolvers in
            resolvers.defaultResolver = .sync { (source, context) -> ResolvedValue in
                value(of: context.field.name, source as? Int ?? 0)
            }
            switch kind {
            case .sync: break
            case .async:
                resolvers["Box", "number", on: Int.self] = .async { depth, context in value(of: "number", depth) }
                resolvers["Box", "must", on: Int.self] = .async { depth, context in value(of: "must", depth) }
            case .batch:
                resolvers["Box", "number", on: Int.self] = .batch { depths, context in
                    depths.map { value(of: "number", $0) }
                }
                resolvers["Box", "box", on: Int.self] = .batch { depths, context in
                    depths.map { value(of: "box", $0) }
                }
            }
        }
    }

    static func value(of field: String, _ depth: Int) -> ResolvedValue {
        switch field {
        case "box", "must": .object(depth + 1)
        case "boxes", "mustBoxes", "allMust": .list([.object(depth + 10), .object(depth + 1)])
        case "number": depth == 1 ? .null : .int(depth)
        case "numbers": depth == 1 ? .list([.int(1), .null]) : .list([.int(1)])
        default: .string("text")
        }
    }

    static func error(_ path: String, _ name: String = "number", column: Int) -> String {
        #"{"message":"Cannot return null for non-nullable field Box.\#(name).","locations":[{"line":1,"column":\#(column)}],"path":[\#(path)]}"#
    }

    @Test("A null in a non-null position makes the nearest nullable value null", arguments: Kind.allCases)
    func nearest(_ kind: Kind) async throws {
        let schema = try Self.schema(kind)
        #expect(
            try await Executing.text("{ text box { number } after: text }", on: schema, root: 0)
                == #"{"errors":[\#(Self.error(#""box","number""#, column: 14))],"data":{"text":"text","box":null,"after":"text"}}"#
        )
        #expect(
            try await Executing.text("{ boxes { number } }", on: schema, root: 0)
                == #"{"errors":[\#(Self.error(#""boxes",1,"number""#, column: 11))],"data":{"boxes":[{"number":10},null]}}"#
        )
        #expect(
            try await Executing.text("{ mustBoxes { text number } text }", on: schema, root: 0)
                == #"{"errors":[\#(Self.error(#""mustBoxes",1,"number""#, column: 20))],"data":{"mustBoxes":null,"text":"text"}}"#
        )
        #expect(
            try await Executing.text("{ text allMust { number } }", on: schema, root: 0)
                == #"{"errors":[\#(Self.error(#""allMust",1,"number""#, column: 18))],"data":null}"#)
        #expect(
            try await Executing.text("{ box { text must { number } } }", on: schema, root: -1)
                == #"{"errors":[\#(Self.error(#""box","must","number""#, column: 21))],"data":{"box":null}}"#)
        #expect(
            try await Executing.text("{ box { box { must { must { number } } } } text }", on: schema, root: -3)
                == #"{"errors":[\#(Self.error(#""box","box","must","must","number""#, column: 29))],"data":{"box":{"box":null},"text":"text"}}"#
        )
    }

    @Test("A null item in a list of non-null items makes the list null")
    func item() async throws {
        #expect(
            try await Executing.text("{ box { text numbers } }", on: Self.schema(.sync), root: 0)
                == #"{"errors":[\#(Self.error(#""box","numbers",1"#, "numbers", column: 14))],"data":{"box":{"text":"text","numbers":null}}}"#
        )
    }

    @Test("Fields below a value that became null are not resolved")
    func dropped() async throws {
        let asked = Locked(0)
        let schema = try Executing.schema("type Query { a: A } type A { bad: Int! b: B } type B { c: Int }") {
            resolvers in
            resolvers["Query", "a"] = .async { _, _ in .object(1) }
            resolvers["A", "bad"] = .sync { _, _ in .null }
            resolvers["A", "b"] = .batch { sources, _ in
                asked.withLock { $0 += 1 }
                return sources.map { .object($0) }
            }
        }
        #expect(
            try await Executing.text("{ a { b { c } bad } }", on: schema)
                == #"{"errors":[{"message":"Cannot return null for non-nullable field A.bad.","locations":[{"line":1,"column":15}],"path":["a","bad"]}],"data":{"a":null}}"#
        )
        #expect(asked.withLock { $0 } == 0)
    }
}
