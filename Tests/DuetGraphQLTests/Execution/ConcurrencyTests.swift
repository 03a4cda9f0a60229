import DuetGraphQL
import Testing

@Suite("Concurrent requests")
struct ConcurrencyTests {
    @Test("The first executions of an operation can be concurrent. Equal variables result in equal responses")
    func shared() async throws {
        let schemas = try DifferentialTests.Kind.allCases.map { try DifferentialTests.schema($0) }
        for schema in schemas {
            let operation = try PreparedOperation(
                unvalidated:
                    Parser.parse(
                        "query($yes: Boolean!) { any { ... on Node { id name @skip(if: $yes) friends { __typename ... on Leaf { size } friend { id } } } } named { id } }"
                    ), schema: schema)
            let texts = try await withThrowingTaskGroup(of: (Bool, String).self) { group in
                for index in 0..<32 {
                    group.addTask {
                        let yes = index % 2 == 0
                        let root = DifferentialTests.Item(number: 17, depth: 0)
                        return (yes, try await operation.execute(variables: ["yes": .bool(yes)], rootValue: root).text)
                    }
                }
                return try await group.reduce(into: [Bool: Set<String>]()) { $0[$1.0, default: []].insert($1.1) }
            }
            #expect(texts[true]?.count == 1)
            #expect(texts[false]?.count == 1)
        }
    }
}
