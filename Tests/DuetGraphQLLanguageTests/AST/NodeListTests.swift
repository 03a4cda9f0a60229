import Testing

@testable import DuetGraphQLLanguage

@Suite("Lists of syntax tree nodes")
struct NodeListTests {
    @Test("A parsed node and its children remain valid after the document is released")
    func outlives() throws {
        let field: Field = try {
            let document = try Parser.parse("query A { a: b(c: 1, d: [$e]) @f(g: 2) @h { ... on I @j { k } ...L @m } }")
            guard case .field(let field)? = document.operations[0].selectionSet.selections.first else {
                throw Missing()
            }
            return field
        }()
        let made = SelectionSet(selections: [.field(field)])
        #expect(
            Printer.print(made)
                == "{\n  a: b(c: 1, d: [$e]) @f(g: 2) @h {\n    ... on I @j {\n      k\n    }\n    ...L @m\n  }\n}")
    }

    @Test("A list can contain both parsed nodes and nodes that a program created")
    func mixed() throws {
        let parsed = try Parser.parse("{ a(b: 1) { c } d }").operations[0].selectionSet
        let own = Field(
            name: Name("own"), arguments: [Argument(name: Name("x"), value: Literal(.null))],
            directives: [Directive(name: Name("y"))], selectionSet: parsed)
        let all = NodeList<Selection>([.field(own)] + parsed.selections.reversed())
        #expect(all.count == 3)
        #expect(
            Printer.print(SelectionSet(selections: all))
                == "{\n  own(x: null) @y {\n    a(b: 1) {\n      c\n    }\n    d\n  }\n  d\n  a(b: 1) {\n    c\n  }\n}")
    }

    @Test("The nodes of a released document are released")
    func release() throws {
        weak var nodes: DocumentNodes?
        do {
            let document = try Parser.parse("query @a(b: c) { d @e(f: [1]) { g } ... { h } }")
            nodes = document.operations[0].selectionSet.selections.nodes
            #expect(nodes != nil)
        }
        #expect(nodes == nil)
    }

    @Test("Parsing an incomplete document throws an error, even after several nodes were created")
    func stopped() {
        #expect(throws: GraphQLError.self) {
            try Parser.parse("{ aNameOfMoreThanFifteenBytes(b: \"a string of more than fifteen bytes\") { c { d } ")
        }
    }

    @Test(
        "Names of any length are read, including at the end of the text",
        arguments: [1, 7, 8, 9, 15, 16, 17, 255, 256, 300])
    func names(_ length: Int) throws {
        let name = String(repeating: "n", count: length)
        let other = String(repeating: "n", count: length - 1) + "o"
        let document = try Parser.parse(
            "{ \(name) \(other) \(name): \(other) ...\(name) } fragment \(name) on \(name) { \(other)}")
        #expect(
            Printer.print(document)
                == "{\n  \(name)\n  \(other)\n  \(name): \(other)\n  ...\(name)\n}\n\nfragment \(name) on \(name) {\n  \(other)\n}"
        )
        #expect(try Parser.parseType(Source(name)).description == name)
    }

    @Test("Ten thousand names, most of them different, are parsed correctly", arguments: ["", "aNameOfSeventeen_"])
    func many(_ prefix: String) throws {
        let names = (0..<10_000).map { "\(prefix)\($0 % 3 == 0 ? "x" : "y")\($0 * 7919 % 5000)" }
        let document = try Parser.parse("{ " + names.joined(separator: " ") + " }")
        let read = document.operations[0].selectionSet.selections.map { selection in
            if case .field(let field) = selection { field.name.value } else { "" }
        }
        #expect(read == names)
    }

    @Test("A name ends before any byte that is not a name character")
    func nameEnds() throws {
        for byte in UInt8(0x20)...0x7E {
            let bytes = Array("{ aB_9z".utf8) + [byte] + Array("bcdefgh12345678 }".utf8)
            let isName =
                byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
            let first = try? Parser.parse(Source(bytes)).operations.first?.selectionSet.selections.first
            guard case .field(let field)? = first else { continue }
            #expect((field.responseName == "aB_9z" + String(UnicodeScalar(byte)) + "bcdefgh12345678") == isName)
        }
    }

    private struct Missing: Error {}
}
