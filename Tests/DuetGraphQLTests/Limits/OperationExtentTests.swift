import DuetGraphQL
import SeededTesting
import Testing

@Suite("The size of an operation")
struct OperationExtentTests {
    static func extent(_ query: String) throws -> OperationExtent {
        let document = try Parser.parse(query)
        return OperationExtent(of: try #require(document.operations.first), in: document)
    }

    @Test(
        "The depth includes the fields of fragments",
        arguments: [
            ("{ a }", 1),
            ("{ a { b { c } } d }", 3),
            ("{ ... { ... on Query { a { b } } } }", 2),
            ("{ a { ...F } } fragment F on Query { b { ...G } } fragment G on Query { c }", 3),
        ])
    func depth(query: String, depth: Int) throws {
        #expect(try Self.extent(query).depth == depth)
    }

    @Test("The depth of introspection fields is counted separately")
    func introspection() throws {
        let extent = try Self.extent(IntrospectionQuery.standard)
        #expect(extent.depth == 1)
        #expect(extent.introspectionDepth == 15)
        #expect(try Self.extent("{ a { b { c } } __type(name: \"T\") { name } }").introspectionDepth == 2)
        #expect(try Self.extent("{ a { __typename } }") == Self.extent("{ b { c } }"))
    }

    @Test("A field in a fragment counts once for each spread of the fragment")
    func fields() throws {
        #expect(try Self.extent("{ a { ...F b } ... { ...F } ...F } fragment F on Query { c { d e } }").fields == 2 + 9)
    }

    @Test("An alias in a fragment counts once for each spread of the fragment")
    func aliases() throws {
        #expect(try Self.extent("{ a b: a c: a }").aliases == 2)
        #expect(try Self.extent("{ x { ...F } y { ...F ...F } } fragment F on Query { b: a c: a }").aliases == 6)
    }

    @Test("A field that is repeated in a selection set counts as an alias. A repetition in a fragment does not count")
    func repetition() throws {
        #expect(try Self.extent("{ a a a b }").aliases == 2)
        #expect(
            try Self.extent("{ a ...F ...G } fragment F on Query { a } fragment G on Query { a ... { a } }").aliases
                == 0)
    }

    @Test("Directives count at every location")
    func directives() throws {
        let query = """
            query Q($v: Int @d) @d { a @d @d ... @d { b } ...F @d ...F }
            fragment F on Query @d { c @d }
            """
        #expect(try Self.extent(query).directives == 2 + 2 + 1 + 1 + 2 * 2)
    }

    @Test("Root fields are counted once for each response name")
    func rootFields() throws {
        #expect(try Self.extent("{ a { x y z } ...F ... { a b } } fragment F on Query { a c ...F }").rootFields == 3)
    }

    @Test("The size of fragments that double at each level is computed without expanding them")
    func doubling() throws {
        var query = "{ ...F0 }"
        for index in 0..<3_000 {
            query += " fragment F\(index) on Query { x: a @d { ...F\(index + 1) } b { ...F\(index + 1) } }"
        }
        let extent = try Self.extent(query + " fragment F3000 on Query { c }")
        #expect(extent.depth == 3_001)
        #expect(extent.fields == Int.max)
        #expect(extent.aliases == Int.max)
        #expect(extent.directives == Int.max)
        #expect(extent.rootFields == 2)
    }

    @Test("A long chain of fragments does not overflow the stack")
    func chain() throws {
        var query = "{ ...F0 }"
        for index in 0..<9_000 { query += " fragment F\(index) on Query { a { ...F\(index + 1) } }" }
        let document = try Parser.parse(query + " fragment F9000 on Query { c }")
        let operation = try #require(document.operations.first)
        #expect(SmallStack.run { OperationExtent(of: operation, in: document) }?.depth == 9_001)
    }
}
