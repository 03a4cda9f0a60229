import DuetGraphQL
import SeededTesting
import Testing

@Suite("Validation of documents that are designed to be slow")
struct ValidationBoundsTests {
    private static let sdl = """
        interface Node { id: ID a(x: Int, o: Filter): Node b: Node n: Int list: [Node] }
        type Query implements Node { id: ID a(x: Int, o: Filter): Node b: Node n: Int list: [Node] ints(i: [Int]): Int }
        type Left implements Node { id: ID a(x: Int, o: Filter): Node b: Node n: Int list: [Node] l: String }
        type Right implements Node { id: ID a(x: Int, o: Filter): Node b: Node n: Int list: [Node] l: Int }
        input Filter { f: Filter n: Int ids: [ID] }
        directive @once(n: Int) on FIELD
        directive @often(n: Int) repeatable on FIELD
        """

    private func errors(_ text: String, maximumWork: Int = ValidationOptions().maximumWork) throws -> [String] {
        let schema = try Schema(sdl: Self.sdl)
        var limits = ParserLimits.request
        limits.tokens = 1_000_000
        let document = try Parser.parse(text, limits: limits)
        let options = ValidationOptions(maximumWork: maximumWork)
        let found = SmallStack.run { Validation.validate(document, against: schema, options: options) }
        return try #require(found).map(\.message)
    }

    private static let tooMany = "Too many validation errors, error limit reached. Validation aborted."
    private static let tooComplex = "Document is too complex to be validated. Validation aborted."

    /// Returns a quarter of the count, multiplied by the test scale. `make check-tests` sets the scale 4.
    private static func many(_ count: Int) -> Int { TestScale.count(count / 4) }

    private static func repeated(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: " ")
    }

    private static let validDocuments: [(String, String)] = [
        ("one field very often", "{ \(repeated(many(20_000)) { _ in "n" }) }"),
        ("one field with arguments very often", "{ \(repeated(many(10_000)) { _ in "a(x: 1, o: {n: 2}) { n }" }) }"),
        ("many aliases", "{ \(repeated(many(10_000)) { "a\($0): n" }) }"),
        (
            "many inline fragments",
            "{ a { \(repeated(many(10_000)) { _ in "... on Left { l } ... on Right { k: l }" }) } }"
        ),
        (
            "many fragments that are spread at once",
            "{ \(repeated(many(5_000)) { "...F\($0)" }) } \(repeated(many(5_000)) { "fragment F\($0) on Node { n a { id } }" })"
        ),
        (
            "a long chain of fragments",
            "{ ...F0 } \(repeated(many(6_000)) { "fragment F\($0) on Node { n ...F\($0 + 1) }" }) fragment F\(many(6_000)) on Node { id }"
        ),
        (
            "a long chain of fragments inside fields",
            "{ ...F0 } \(repeated(many(6_000)) { "fragment F\($0) on Node { a { ...F\($0 + 1) } }" }) fragment F\(many(6_000)) on Node { id }"
        ),
        (
            "fragments that double at each step",
            "{ ...F0 } \(repeated(many(3_000)) { "fragment F\($0) on Node { a { ...F\($0 + 1) } b { ...F\($0 + 1) } }" }) fragment F\(many(3_000)) on Node { id }"
        ),
        (
            "fragments that double at each step under one key",
            "{ ...F0 } \(repeated(many(1_000)) { "fragment F\($0) on Node { a { ...F\($0 + 1) } a { ...F\($0 + 1) } }" }) fragment F\(many(1_000)) on Node { id }"
        ),
        (
            "three hundred fragments that each spread all further ones",
            "{ ...F0 } \(repeated(300) { i in "fragment F\(i) on Node { n \(repeated(299 - i) { "...F\(i + 1 + $0)" }) }" })"
        ),
        (
            "many operations that share many fragments",
            "\(repeated(many(500)) { "query Q\($0) { ...F0 }" }) \(repeated(many(500)) { "fragment F\($0) on Node { n ...F\($0 + 1) }" }) fragment F\(many(500)) on Node { id }"
        ),
        (
            "many variables",
            "query (\(repeated(many(10_000)) { "$v\($0): Int" })) { \(repeated(many(10_000)) { "a\($0): a(x: $v\($0)) { n }" }) }"
        ),
        ("one variable very often", "query ($v: Int) { ints(i: [\(repeated(many(30_000)) { _ in "$v" })]) }"),
        ("a repeatable directive very often", "{ n \(repeated(many(10_000)) { "@often(n: \($0))" }) }"),
        ("a long list", "{ ints(i: [\(repeated(many(50_000)) { "\($0)" })]) }"),
        (
            "the deepest selection",
            String(repeating: "{a", count: 199) + "{n}" + String(repeating: "}", count: 199)
        ),
        (
            "the deepest literal",
            "{ a(o: " + String(repeating: "{f: ", count: 63) + "{}" + String(repeating: "}", count: 63) + ") { n } }"
        ),
    ]

    @Test("A valid document has no errors", arguments: validDocuments.map(\.0))
    func valid(_ title: String) throws {
        let text = try #require(Self.validDocuments.first { $0.0 == title }?.1)
        #expect(try errors(text) == [])
    }

    private static let invalidDocuments: [(String, String)] = [
        ("many unknown fields", "{ \(repeated(many(10_000)) { "nn\($0)" }) }"),
        ("many fields of one key", "{ \(repeated(many(10_000)) { "k: a(x: \($0)) { n }" }) }"),
        ("many unused variables", "query (\(repeated(many(10_000)) { "$v\($0): Int" })) { n }"),
        ("many unknown variables", "{ ints(i: [\(repeated(many(10_000)) { "$v\($0)" })]) }"),
        ("many unused fragments", "{ n } \(repeated(many(5_000)) { "fragment F\($0) on Node { n }" })"),
        ("many unknown fragments", "{ \(repeated(many(10_000)) { "...F\($0)" }) }"),
        ("many unknown arguments", "{ a(\(repeated(many(10_000)) { "x\($0): 1" })) { n } }"),
        ("many unknown fields of an input object", "{ a(o: {\(repeated(many(10_000)) { "x\($0): 1" })}) { n } }"),
        (
            "many repetitions of a directive that is not repeatable",
            "{ n \(repeated(many(10_000)) { "@once(n: \($0))" }) }"
        ),
        ("many wrong literals", "{ ints(i: [\(repeated(many(10_000)) { "\"\($0)\"" })]) }"),
        (
            "fragments that all spread each other",
            "{ ...F0 } \(repeated(150) { _ in "" }) \(repeated(150) { i in "fragment F\(i) on Node { n \(repeated(150) { "...F\($0)" }) }" })"
        ),
    ]

    @Test(
        "An invalid document has at most a hundred errors and an error about the limit",
        arguments: invalidDocuments.map(\.0))
    func invalid(_ title: String) throws {
        let text = try #require(Self.invalidDocuments.first { $0.0 == title }?.1)
        let found = try errors(text)
        #expect(found.count == 101)
        #expect(found.last == Self.tooMany)
    }

    @Test("A name that is repeated many times is reported once")
    func repeatedNames() throws {
        #expect(try errors("{ ints(\(Self.repeated(10_000) { _ in "i: 1" })) }").count == 1)
        #expect(
            try errors("query (\(Self.repeated(10_000) { _ in "$v: Int" })) { a(x: $v) { n } }").first
                == "There can be only one variable named \"$v\".")
    }

    @Test("A conflict deep inside a large number of fragments is found")
    func deepConflict() throws {
        let chain = Self.repeated(2_000) {
            "fragment F\($0) on Node { a { ...F\($0 + 1) } } fragment G\($0) on Node { a { ...G\($0 + 1) } }"
        }
        let found = try errors(
            "{ ...F0 ...G0 } \(chain) fragment F2000 on Node { n } fragment G2000 on Node { n: id }")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("Fields \"n\" conflict because ") == true)
        #expect(found.first?.contains("are different fields. Use different aliases") == true)
    }

    @Test("A conflict in an unused cycle of fragments is found")
    func unreachedCycle() throws {
        let text = "{ n } fragment F on Node { n n a { ...F } ...G } fragment G on Node { n: id ...F }"
        let document = try Parser.parse(text)
        let schema = try Schema(sdl: Self.sdl)
        let found = Validation.validate(document, against: schema, rules: [.overlappingFieldsCanBeMerged])
        #expect(found.first?.message.hasPrefix("Fields \"n\" conflict because ") == true)
    }

    @Test("A document with too many combinations of selection sets exceeds the limit of validation")
    func combinations() throws {
        // Each of 40 levels selects `a` or `b`, and the path determines the selection sets that are merged at the end.
        let steps = 40
        let marks = Self.repeated(steps) { i in
            Self.repeated(steps - i) {
                "fragment M\(i)x\(i + $0) on Node { a { ...M\(i)x\(i + $0 + 1) } b { ...M\(i)x\(i + $0 + 1) } }"
            }
                + " fragment M\(i)x\(steps) on Node { m\(i): n }"
        }
        let path = Self.repeated(steps) {
            "fragment P\($0) on Node { a { ...P\($0 + 1) ...M\($0)x\($0) } b { ...P\($0 + 1) } }"
        }
        let found = try errors(
            "{ ...P0 } \(path) fragment P\(steps) on Node { id } \(marks)", maximumWork: 100_000)
        #expect(found == [Self.tooComplex])
    }

    @Test("The length of messages and the number of locations are limited")
    func longMessages() throws {
        let name = String(repeating: "n", count: 500_000)
        let schema = try Schema(sdl: Self.sdl)
        let document = try Parser.parse("query \(name) { ints(i: [\(Self.repeated(100) { "$v\($0)" })]) }")
        let found = Validation.validate(document, against: schema)
        #expect(found.count == 100)
        #expect(found.allSatisfy { $0.message.utf8.count < 11_000 })
        let twice = try Parser.parse("{ ints(\(Self.repeated(10_000) { _ in "i: 1" })) }")
        #expect(Validation.validate(twice, against: schema).first?.locations.count == 100)
    }

    @Test("Suggestions can be disabled")
    func withoutSuggestions() throws {
        let schema = try Schema(sdl: Self.sdl)
        let document = try Parser.parse("{ lisst { m } }")
        let found = Validation.validate(document, against: schema, options: ValidationOptions(suggestsNames: false))
        #expect(found.first?.message == "Cannot query field \"lisst\" on type \"Query\".")
    }
}
