import DuetGraphQL
import Testing

@Suite("Recently used operations")
struct RecentOperationTests {
    /// A schema whose fields `a` and `b` return their names.
    private func schema(options: ExecutionOptions = ExecutionOptions()) throws -> ExecutableSchema<Void> {
        try Executing.schema("type Query { a: String b: String }", options: options) { resolvers in
            resolvers["Query", "a"] = .sync { _, _ in "a" }
            resolvers["Query", "b"] = .sync { _, _ in "b" }
        }
    }

    @Test("Documents of equal length that differ in a few bytes are cached as different operations")
    func similar() async throws {
        let schema = try schema()
        // The documents have the same slot in `RecentIndex`: their lengths are equal, and so are the bytes that the
        // index reads at the beginning, in the middle and at the end.
        let (before, after) = (String(repeating: " ", count: 20), String(repeating: " ", count: 60))
        let documents = ["a", "b"].map { "{ aaaaaaaa: a \(before)\($0)\(after) aaaaaaaa: a }" }
        for _ in 0..<3 {
            for (name, document) in zip(["a", "b"], documents) {
                #expect(
                    try await schema.execute(document).text == #"{"data":{"aaaaaaaa":"a","\#(name)":"\#(name)"}}"#)
            }
        }
        #expect(schema.operations.statistics.misses == 2)
        #expect(schema.operations.statistics.hits == 4)
    }

    @Test("The cache distinguishes the operations of one document by their names")
    func names() async throws {
        let schema = try schema()
        let document = "query A { a } query B { b }"
        for _ in 0..<3 {
            for name in ["A", "B"] {
                let response = try await schema.execute(document, operationName: name)
                #expect(response.text == #"{"data":{"\#(name.lowercased())":"\#(name.lowercased())"}}"#)
            }
        }
        #expect(schema.operations.statistics.hits == 4)
    }

    @Test("A document with several operations needs an operation name, even if its operations are cached")
    func missingName() async throws {
        let schema = try schema()
        let document = "query A { a } query B { b }"
        for _ in 0..<2 {
            #expect(try await schema.execute(document, operationName: "A").text == #"{"data":{"a":"a"}}"#)
        }
        for name in [nil, "C", ""] {
            #expect(try await !schema.execute(document, operationName: name).errors.isEmpty, "name: \(name ?? "none")")
        }
    }

    @Test("An evicted operation is prepared again")
    func evicted() async throws {
        var options = ExecutionOptions()
        options.operationCache.maximumCount = 1
        let schema = try schema(options: options)
        for _ in 0..<2 {
            #expect(try await schema.execute("{ a }").text == #"{"data":{"a":"a"}}"#)
            #expect(try await schema.execute("{ b }").text == #"{"data":{"b":"b"}}"#)
        }
        #expect(schema.operations.statistics.misses == 4)
    }
}
