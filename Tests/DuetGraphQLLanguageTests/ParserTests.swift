import DuetGraphQLLanguage
import Testing

@Suite("The parser")
struct ParserTests {
    @Test(
        "A document in the format of the printer is parsed and printed unchanged",
        arguments: [
            "{\n  a\n}", "query ($a: Int = 1 @b) @c {\n  a\n}", "subscription S($a: [[Int!]!]!) {\n  a\n}",
            "{\n  a: b(c: {d: [1, -2.5e3, \"x\", true, null, E, $v], f: {}}) @g(h: [])\n}",
            "{\n  ...a @b\n  ... on C @d {\n    e\n  }\n  ... @f {\n    g\n  }\n}",
            "\"\"\"\nOf a\nfragment\n\"\"\"\nfragment on_ on T @a {\n  b\n}",
            "{\n  a(b: \"\"\"\n  several\n    lines\n  \"\"\")\n}",
            "extend schema @a {\n  query: Q\n}", "extend scalar A @b", "extend type A implements B & C @d {\n  e: F\n}",
            "extend union A @b = C | D", "extend enum A @b {\n  C @d\n}", "extend input A @b {\n  c: D = 1 @e\n}",
            "directive @a(b: C! = {d: 1} @e) repeatable on QUERY | INPUT_FIELD_DEFINITION",
            "type A {\n  b(\n    \"C\"\n    c: D\n  ): E\n}",
            "type A\n\nquery {\n  a\n}\n\n{\n  b\n}\n\nextend schema @c\n\nquery {\n  d\n}",
        ])
    func roundTrip(_ text: String) throws {
        #expect(Printer.print(try Parser.parse(text)) == text)
    }

    @Test(
        "Text that is not a valid document is a syntax error with a location",
        arguments: [
            ("", "Unexpected <EOF>.", 1, 1), ("{}", "Expected Name, found \"}\".", 1, 2),
            ("{ a", "Expected Name, found <EOF>.", 1, 4), ("{ a(b: ) }", "Unexpected \")\".", 1, 8),
            ("{ a(", "Expected Name, found <EOF>.", 1, 5), ("{ a() }", "Expected Name, found \")\".", 1, 5),
            ("notAnOperation Foo { a }", "Unexpected Name \"notAnOperation\".", 1, 1),
            ("query ($a: Int = $b) { c }", "Unexpected variable \"$b\" in constant value.", 1, 18),
            ("query ($a: Int @b(c: $d)) { c }", "Unexpected variable \"$d\" in constant value.", 1, 22),
            ("query", "Expected \"{\", found <EOF>.", 1, 6),
            ("fragment on on T { a }", "Unexpected Name \"on\".", 1, 10),
            ("{ ... on }", "Expected Name, found \"}\".", 1, 10), ("type A {}", "Expected Name, found \"}\".", 1, 9),
            ("type A { b: C = 1 }", "Expected Name, found \"=\".", 1, 15),
            ("schema {}", "Expected Name, found \"}\".", 1, 9),
            ("schema { mutatio: A }", "Unexpected Name \"mutatio\".", 1, 10),
            ("directive @a on", "Expected Name, found <EOF>.", 1, 16),
            ("extend type A", "Unexpected <EOF>.", 1, 14),
            ("extend directive @a", "Unexpected Name \"directive\".", 1, 8),
            ("directive @a on DIRECTIVE_DEFINITION", "Unexpected Name \"DIRECTIVE_DEFINITION\".", 1, 17),
            ("fragment A($b: C) on D { e }", "Expected \"on\", found \"(\".", 1, 11),
            ("{ a } }", "Unexpected \"}\".", 1, 7), ("type A implements & & B", "Expected Name, found \"&\".", 1, 21),
            ("{ a(b: [1, }) }", "Unexpected \"}\".", 1, 12),
            ("{ a(b: {c 1}) }", "Expected \":\", found Int \"1\".", 1, 11),
        ])
    func errors(_ text: String, _ message: String, _ line: Int, _ column: Int) {
        do throws(GraphQLError) {
            _ = try Parser.parse(text)
            Issue.record("it parsed")
        } catch {
            #expect(error.message == "Syntax Error: " + message)
            #expect(error.locations == [SourceLocation(line: line, column: column)])
        }
    }

    @Test("A type can be parsed without a document, and text after the type is an error")
    func types() throws {
        #expect("\(try Parser.parseType(Source("[[A!]]!")))" == "[[A!]]!")
        #expect(throws: GraphQLError.self) { try Parser.parseType(Source("A!!")) }
        #expect(throws: GraphQLError.self) { try Parser.parseType(Source("[A")) }
    }

    @Test("A value can be parsed without a document. A constant value cannot contain variables")
    func values() throws {
        #expect(Printer.print(try Parser.parseValue(Source("[$a, {b: [ ]}]"))) == "[$a, {b: []}]")
        #expect(throws: GraphQLError.self) { try Parser.parseValue(Source("[$a]"), isConstant: true) }
        #expect(throws: GraphQLError.self) { try Parser.parseValue(Source("1 2")) }
    }

    @Test("Each node has the location of its text")
    func ranges() throws {
        let text = "query Q { a: b(c: [1]) { ...D } }"
        let document = try Parser.parse(text)
        func piece(_ range: SourceRange) -> String {
            String(decoding: document.source.bytes[Int(range.start)..<Int(range.end)], as: UTF8.self)
        }
        let operation = try #require(document.operations.first)
        guard case .field(let field) = operation.selectionSet.selections[0] else {
            Issue.record("not a field")
            return
        }
        #expect(piece(operation.range) == text)
        #expect(piece(field.range) == "a: b(c: [1]) { ...D }")
        #expect(piece(field.name.range) == "b")
        #expect(piece(field.arguments[0].range) == "c: [1]")
        #expect(piece(field.arguments[0].value.range) == "[1]")
        #expect(field.selectionSet.map { piece($0.range) } == "{ ...D }")
        #expect(field.selectionSet.map { piece($0.selections[0].range) } == "...D")
    }

    @Test("Ignored characters are removed, and the tokens that they separate stay separate")
    func stripping() throws {
        let source = Source(
            "query Q ( $a : Int , $b : [ Int ] ) { # c\n f ( a : 1 ... ) ... on T { \"\"\"\n  x\n  y\n\"\"\" } }")
        #expect(
            try source.strippingIgnoredCharacters()
                == "query Q($a:Int$b:[Int]){f(a:1 ...)...on T{\"\"\"x\ny\"\"\"}}")
    }

    @Test(
        "A schema coordinate is parsed and printed unchanged",
        arguments: ["A", "A.b", "A.b(c:)", "@a", "@a(b:)"])
    func coordinates(_ text: String) throws {
        #expect(try SchemaCoordinate(parsing: text).description == text)
    }

    @Test(
        "Text that is not a schema coordinate is an error",
        arguments: [
            ("", "Expected Name, found <EOF>."), ("A.", "Expected Name, found <EOF>."),
            ("A ", "Invalid character: \" \"."),
            ("A.b(c)", "Expected \":\", found \")\"."), ("A.b(c:", "Expected \")\", found <EOF>."),
            ("A(b:)", "Expected <EOF>, found \"(\"."), ("@a.b", "Expected <EOF>, found \".\"."),
            ("A.b.c", "Expected <EOF>, found \".\"."), ("A.b(c: d)", "Invalid character: \" \"."),
            ("1", "Invalid character: \"1\"."), ("é", "Invalid character: U+00E9."),
        ])
    func wrongCoordinates(_ text: String, _ message: String) {
        do throws(GraphQLError) {
            _ = try SchemaCoordinate(parsing: text)
            Issue.record("it was read")
        } catch {
            #expect(error.message == "Syntax Error: " + message)
        }
    }
}
