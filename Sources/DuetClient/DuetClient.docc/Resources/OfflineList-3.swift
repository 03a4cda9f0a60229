import DuetClient
import Foundation

/// A list of employees. It is updated when the data changes.
/// It is stored in a file, and available without a network.
@main
struct OfflineList {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let url = URL(string: (arguments.first ?? "http://127.0.0.1:8080") + "/graphql") else {
            throw URLError(.badURL)
        }
        let file = URL(filePath: arguments.dropFirst().first ?? "list.cache.sqlite")
        let store = GraphQLStore(
            cache: try SQLiteNormalizedCache(at: file),
            policies: CachePolicies(keyFields: ["Employee": ["id"]]))
        let client = GraphQLClient(transport: GraphQLEndpoint(url: url), store: store)

        let watching = Task {
            for try await result in client.watch(EmployeesQuery()) {
                draw(result)
            }
        }
        if case .failure(let error) = await watching.result { throw error }
    }

    static func draw(_ result: GraphQLResult<EmployeesQuery.Data>) {
        for employee in result.data?.employees.nodes ?? [] {
            show("\(employee.id)  \(employee.firstName) \(employee.lastName)")
        }
        if result.refreshError != nil, let received = result.received {
            let date = Date(timeIntervalSince1970: Double(received) / 1000)
            show("The request failed. The oldest value was received at \(date.formatted(.iso8601)).")
        } else {
            show("From the \(result.source).")
        }
    }

    static func show(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
