import DuetClient
import Foundation

/// Fetches the data of a screen with REST and with GraphQL. Also sends a long GraphQL query three times: with its text,
/// with its text and its hash, and with only its hash. Prints the number of bytes of each exchange.
///
///     same-screen [ADDRESS] [NUMBER]
@main
struct SameScreen {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let id = arguments.dropFirst().first ?? "10004"
        guard let url = URL(string: arguments.first ?? "http://127.0.0.1:8080"), let host = url.host() else {
            throw URLError(.badURL)
        }
        try await Relay.run(to: host, port: url.port ?? 80) { relay, port in
            guard let address = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
            try await compare(id, at: address, relay)
        }
    }

    private static func compare(_ id: String, at address: URL, _ relay: Relay) async throws {
        let transport = DefaultTransport.make()
        let service = WebServiceProxy(baseURL: address, transport: transport)
        // All fetches below bypass the cache, because a cached result would transfer no bytes.
        let client = GraphQLClient(
            transport: GraphQLEndpoint(url: address.appending(path: "graphql"), transport: transport))

        print("bytes on the network            sent  received")
        let byREST = try await service.employeeScreen(id)
        show("REST", relay.take())
        var byGraphQL: EmployeeScreen?
        for request in ["hash, document", "hash"] {
            let result = try await client.fetch(EmployeeScreenQuery(id: id), policy: .fetchIgnoringCacheCompletely)
            byGraphQL = try result.get().employee
            show("GraphQL: \(request)", relay.take())
        }
        print(byREST == byGraphQL ? "The screens are equal." : "The screens differ.")

        // Persisted queries are disabled for this client, so its request contains the document and no hash.
        let plain = GraphQLClient(
            transport: GraphQLEndpoint(
                url: address.appending(path: "graphql"), persistedQueries: .off, transport: transport))
        let lines = ProfileQuery.text.split(separator: "\n").count
        _ = try await plain.fetch(ProfileQuery(id: id), policy: .fetchIgnoringCacheCompletely).get()
        let document = relay.take()
        show("\(lines) lines: document", document)
        _ = try await client.fetch(ProfileQuery(id: id), policy: .fetchIgnoringCacheCompletely).get()
        show("\(lines) lines: hash, document", relay.take())
        _ = try await client.fetch(ProfileQuery(id: id), policy: .fetchIgnoringCacheCompletely).get()
        let hash = relay.take()
        show("\(lines) lines: hash", hash)
        print("The request with the hash is \(100 - 100 * hash.sent / document.sent) % smaller.")
    }

    private static func show(_ name: String, _ count: Relay.Count) {
        let name = name.padding(toLength: 26, withPad: " ", startingAt: 0)
        print(name, column(count.sent), column(count.received))
    }

    private static func column(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, 9 - digits.count)) + digits
    }
}
