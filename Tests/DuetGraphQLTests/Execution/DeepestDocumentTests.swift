import DuetGraphQL
import DuetJSON
import SeededTesting
import Testing

@Suite("Documents of the maximum depth")
struct DeepestDocumentTests {
    @Test(
        "A document is parsed, printed, validated, planned and executed on a stack of 512 KiB",
        arguments: DeepestDocument.allCases)
    func everything(_ document: DeepestDocument) throws {
        _ = DeepestDocument.schema
        let response = SmallStack.run { Result { try document.response() } }
        let text = try #require(response).get()
        let json = try JSONValue(parsing: text.utf8, maximumDepth: 1_000)
        guard case .object(let members) = json else { return #expect(Bool(false)) }
        #expect((members["errors"] != nil) == document.isRefused)
        #expect((members["data"] == nil) == document.isRefused)
        if document.rawValue.hasPrefix("tooDeep"), document != .tooDeepType {
            #expect(text.contains("Value is nested more than 64 levels deep."))
        }
    }

    @Test(
        "A value or type that is nested more than 64 levels deep is rejected even without validation",
        arguments: [64, 65, 199])
    func notValidated(_ depth: Int) throws {
        let schema = try #require(DeepestDocument.schema)
        func nested(_ inside: String) -> String {
            String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth)
        }
        for text in ["{leaf(any:\(nested("1")))}", "query($v:\(nested("Int"))=1){leaf}"] {
            let response = SmallStack.run {
                Result {
                    try PreparedOperation(unvalidated: Parser.parse(text), schema: schema).executeSynchronously(
                        rootValue: 0)
                }
            }
            let errors = try #require(response).get().errors
            #expect(errors.isEmpty == (depth == 64))
        }
    }

    @Test("An operation is rejected if its fields are nested too deeply, directly or through fragments")
    func tooDeep() throws {
        let schema = try #require(DeepestDocument.schema)
        let depth = PlanLimits().depth
        let nested = String(repeating: "{next", count: depth) + "{leaf}" + String(repeating: "}", count: depth)
        let fragments = (0..<depth).map { "fragment F\($0) on Query{next{...F\($0 + 1)}}" }.joined()
        for text in [nested, "{...F0}" + fragments + "fragment F\(depth) on Query{leaf}"] {
            let result = SmallStack.run {
                Result { try PreparedOperation(unvalidated: Parser.parse(text), schema: schema) }
            }
            #expect(throws: GraphQLErrors.self) { _ = try #require(result).get() }
        }
    }
}
