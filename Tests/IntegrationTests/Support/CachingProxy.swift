import Foundation
import NIOHTTP1
import ProcessTesting

/// A cache in front of a server: the real program, with the configuration of this repository.
struct CachingProxy: HTTPEndpoint {
    /// The program. Most tests run with both programs.
    enum Product: String, Sendable, CaseIterable, CustomStringConvertible {
        case varnish = "Varnish"
        case nginx = "nginx"

        /// The installed products. If a product is not installed, the test of its start is skipped with a message.
        static let installed = allCases.filter { $0.executable != nil }

        var description: String { rawValue }

        var executable: String? {
            switch self {
            case .varnish: Program.find("varnishd")
            case .nginx: Nginx.executable
            }
        }

        func requireExecutable() throws -> String {
            guard let executable else { throw NotInstalled(product: self) }
            return executable
        }
    }

    struct NotInstalled: Error {
        let product: Product
    }

    let base: String

    /// Starts a cache, waits until it accepts requests, and ends it after the closure.
    /// - Parameters:
    ///   - origin: The server behind the cache.
    ///   - folder: The folder for the files of the cache.
    static func with<Value>(
        _ product: Product, before origin: some HTTPEndpoint, in folder: URL,
        _ body: (CachingProxy) async throws -> Value
    ) async throws -> Value {
        switch product {
        case .varnish: try await Varnish.with(before: origin, in: folder) { try await body(CachingProxy(base: $0)) }
        case .nginx: try await Nginx.with(before: origin, in: folder) { try await body(CachingProxy(base: $0)) }
        }
    }

    /// Repeats a request until the response meets the condition. A cache does not report that a response became stale.
    func get(
        _ path: String, _ headers: [String: String] = [:], until isWanted: (HTTPAnswer) -> Bool
    ) async throws -> HTTPAnswer {
        try await Polling.observe({ try await get(path, headers) }, until: isWanted)
    }
}

extension HTTPAnswer {
    /// The cache status that the cache reports.
    var cache: String? { headers.first(name: "X-Cache") }
}
