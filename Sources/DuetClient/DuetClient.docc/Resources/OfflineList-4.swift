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

        // Each line renames an employee: 10004 Smith
        for await line in lines {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            do {
                let result = try await client.perform(RenameEmployee(id: words[0], lastName: words[1]))
                for error in result.errors { show(error.message) }
            } catch {
                show(error.message)
            }
        }
        watching.cancel()
        if case .failure(let error) = await watching.result { throw error }
    }

    /// The lines of the input. `readLine` blocks its thread, so it does not run on a thread of the cooperative pool.
    static var lines: AsyncStream<String> {
        AsyncStream { lines in
            Thread.detachNewThread {
                while let line = readLine() { lines.yield(line) }
                lines.finish()
            }
        }
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
