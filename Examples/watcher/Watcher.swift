import DuetClient
import Foundation

/// Watches an employee in a task while the main task performs mutations.
///
///     watcher [ADDRESS] [NUMBER] [NAME] [live]
///
/// The mutations set the given last name and then restore the previous last name. With `live`, the results come from
/// the server, so that changes of other programs are also displayed.
@main
struct Watcher {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let address = arguments.first ?? "http://127.0.0.1:8080"
        let id = arguments.dropFirst().first ?? "10004"
        let newName = arguments.dropFirst(2).first ?? "Smith"
        let isLive = arguments.dropFirst(3).first == "live"
        guard let url = URL(string: address + "/graphql") else { throw URLError(.badURL) }

        let client = GraphQLClient(
            transport: GraphQLEndpoint(url: url),
            store: GraphQLStore(policies: CachePolicies(keyFields: ["Employee": ["id"]])))

        // This task watches the employee. It receives a first result, and a new result after each change of a queried
        // value.
        let (names, shown) = AsyncStream<String>.makeStream()
        let watching = Task {
            defer { shown.finish() }
            let query = EmployeeQuery(id: id)
            for try await result in isLive ? client.live(query) : client.watch(query) {
                guard let employee = try result.get().employee else { return print("There is no employee \(id).") }
                print("watched: \(employee.firstName) \(employee.lastName) (from the \(result.source))")
                shown.yield(employee.lastName)
            }
        }

        // The main task performs the mutations. Each response contains the employee. The client updates the employee in
        // its cache, so the watched query delivers a new result.
        var iterator = names.makeAsyncIterator()
        if let oldName = await iterator.next() {
            for name in [newName, oldName] {
                print("mutation: \(name)")
                let result = try await client.perform(RenameEmployee(id: id, lastName: name))
                guard try result.get().payload?.employee != nil else {
                    print("The server rejects the name \(name).")
                    break
                }
                // If the employee already has the name, there is no change to wait for.
                if newName != oldName { _ = await iterator.next() }
            }
        }
        watching.cancel()
        if case .failure(let error) = await watching.result { throw error }
    }
}
