import DuetClient
import Foundation

/// One task watches an employee while another one performs mutations.
///
///     watcher [ADDRESS] [NUMBER] [NAME]
///
/// The employee gets that last name, and then the last name of before.
@main
struct Watcher {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let address = arguments.first ?? "http://127.0.0.1:8080"
        let id = arguments.dropFirst().first ?? "10004"
        let newName = arguments.dropFirst(2).first ?? "Smith"
        guard let url = URL(string: address + "/graphql") else { throw URLError(.badURL) }

        let client = GraphQLClient(
            transport: GraphQLEndpoint(url: url),
            store: GraphQLStore(policies: CachePolicies(keyFields: ["Employee": ["id"]])))

        // The task that watches: it is given a result whenever a value that it shows has changed.
        let (names, shown) = AsyncStream<String>.makeStream()
        let watching = Task {
            defer { shown.finish() }
            for try await result in client.watch(EmployeeQuery(id: id)) {
                guard let employee = try result.get().employee else { return print("There is no employee \(id).") }
                print("watched: \(employee.firstName) \(employee.lastName) (from the \(result.source))")
                shown.yield(employee.lastName)
            }
        }

        // The task that writes: each mutation returns the employee, and so changes what the other task shows.
        var iterator = names.makeAsyncIterator()
        if let oldName = await iterator.next() {
            for name in [newName, oldName] {
                print("mutation: \(name)")
                let result = try await client.perform(RenameEmployee(id: id, lastName: name))
                guard try result.get().payload?.employee != nil else {
                    print("The server refuses the name \(name).")
                    break
                }
                // The name is the same if the employee has it already; then there is nothing to wait for.
                if newName != oldName { _ = await iterator.next() }
            }
        }
        watching.cancel()
        if case .failure(let error) = await watching.result { throw error }
    }
}
