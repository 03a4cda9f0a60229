import DuetAPIDescription
import DuetResourceService
import DuetServer
import Foundation

/// The message of a server that starts on a terminal. It lists example requests.
struct Greeting {
    private let served: ServedDatabase
    /// The catalogue of the examples.
    private let catalogue: Catalogue
    /// The options of `curl` for a token.
    private let token: String

    /// - Parameter access: The roles of the API; nil if it has none.
    init(_ served: ServedDatabase, _ access: AccessSettings?) {
        self.served = served
        let role = access?.roles.first { $0.name == access?.anonymousRole }
        catalogue = role.flatMap { try? served.api.catalogue.restricted(to: $0) } ?? served.api.catalogue
        token = access == nil || role != nil ? "" : #"-H "Authorization: Bearer $TOKEN" "#
    }

    /// - Parameter base: The URL of the server.
    func print(_ base: String) {
        Swift.print("Duet serves on \(base). Try:\n\n\(requests(base).map { "  \($0)\n" }.joined())")
        Swift.print(
            "In a browser, \(base)/ compares both styles, \(base)/?api lists the routes, and \(base)/graphql is an editor for queries.\n"
        )
        fflush(nil)
    }

    private func requests(_ base: String) -> [String] {
        guard served.kind != .employees else {
            return [
                "curl '\(base)/employees/10004?details=titles&details=salaries'",
                "curl -i '\(base)/employees?name=Geo*&first=5&sort=-hireDate'",
                "curl -H 'Accept: text/csv' '\(base)/employees/10004/salaries'",
                """
                curl \(base)/graphql -H 'Content-Type: application/json' -d '{"query":"{ employee(id: 10004) { lastName titles \
                { title } } }"}'
                """,
            ]
        }
        let examples = ExampleRequests(catalogue)
        return [
            "curl \(token)'\(base)\(examples.targets.related)'",
            "curl \(token)-H 'Accept: text/csv' '\(base)\(examples.targets.list)'",
            "curl \(token)\(base)/graphql -H 'Content-Type: application/json' -d '{\"query\":\"\(examples.document)\"}'",
        ]
    }
}
