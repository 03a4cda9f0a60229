import DuetAPIDescription
import DuetHTTPServer
import DuetResourceService
import DuetServer
import Foundation
import NIOCore

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

    /// - Parameters:
    ///   - addresses: The addresses of the server.
    ///   - isEncrypted: True if the connections to the API are encrypted.
    func print(_ addresses: DuetServer.Addresses, isEncrypted: Bool) {
        let scheme = isEncrypted ? "https" : "http"
        let base: String
        var curl = "curl"
        if let address = addresses.api.first(where: { $0.port != nil }) {
            base = "\(scheme)://\(Self.authority(address))"
            Swift.print("Duet serves on \(base). Try:\n")
        } else {
            let path = addresses.api.first?.pathname ?? ""
            base = "\(scheme)://localhost"
            curl += " --unix-socket '\(path.replacing("'", with: #"'\''"#))'"
            Swift.print("Duet serves on the socket \(path). Try:\n")
        }
        Swift.print(requests(base).map { "  \($0.replacing(/^curl/, with: curl))\n" }.joined())
        if curl == "curl" {
            Swift.print(
                "In a browser, \(base)/ compares both styles, \(base)/?api lists the routes, and \(base)/graphql is an editor for queries.\n"
            )
        }
        for address in addresses.admin {
            let text = address.port == nil ? "the socket \(address.text)" : "http://\(Self.authority(address))"
            Swift.print("Health, metrics and debugging are on \(text).\n")
        }
        fflush(nil)
    }

    /// Returns the host and the port at which this machine reaches an address.
    private static func authority(_ address: SocketAddress) -> String {
        switch address.ipAddress {
        case "0.0.0.0": "127.0.0.1:\(address.port ?? 0)"
        case "::": "[::1]:\(address.port ?? 0)"
        default: address.text
        }
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
