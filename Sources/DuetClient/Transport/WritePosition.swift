import Foundation
import HTTPTypes
import Synchronization

/// The position in the database after the last write of an app, so that later reads show the write.
///
/// A server whose database has replicas returns a token with each write (`Duet-Database-Position`). The client sends it
/// with each later request. The server then reads from a replica that has the write, or from the primary. It returns no
/// token anymore as soon as all replicas have the write, and the client forgets it.
///
/// Each ``GraphQLEndpoint`` and each ``WebServiceProxy`` has a position of its own. Pass one position to both if the
/// app reads by one what it has written by the other:
///
///     let position = WritePosition()
///     let endpoint = GraphQLEndpoint(url: address, writePosition: position)
///     var service = WebServiceProxy(baseURL: base)
///     service.writePosition = position
public final class WritePosition: Sendable {
    private let current: Mutex<String?>

    /// Creates a position.
    /// - Parameter token: The token of an earlier launch of the app; `nil` without one.
    public init(token: String? = nil) {
        current = Mutex(token)
    }

    /// The token for the next request; `nil` if there was no write, or if all replicas have it.
    public var token: String? { current.withLock(\.self) }

    /// Updates the token after a response.
    /// - Parameter sent: The token of the request.
    func receive(_ response: HTTPResponse, sent: String?) {
        let received = response.headerFields[.databasePosition]
        current.withLock { current in
            if let received {
                // The responses to concurrent writes can arrive in any order.
                if current.map({ Self.isLater(received, than: $0) }) ?? true { current = received }
            } else if sent != nil, sent == current, response.isOfServer {
                current = nil
            }
        }
    }

    /// Returns false if a token is known to be that of an earlier commit than another token.
    ///
    /// The text before the dot has an identifier for each replication domain: `domain-server-number+…`. With any other
    /// text, the position is unknown. Such a token is kept until the server responds without a token.
    private static func isLater(_ token: String, than other: String) -> Bool {
        guard let numbers = numbers(in: token) else { return true }
        guard let others = self.numbers(in: other) else { return false }
        return !others.allSatisfy { domain, number in numbers[domain].map { $0 < number } ?? false }
    }

    private static func numbers(in token: String) -> [Substring: UInt64]? {
        let position = token.prefix { $0 != "." }
        var numbers: [Substring: UInt64] = [:]
        for identifier in position.split(separator: "+", omittingEmptySubsequences: false) {
            let parts = identifier.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let number = UInt64(parts[2]) else { return nil }
            numbers[parts[0]] = number
        }
        return numbers
    }
}

extension HTTPResponse {
    /// True if the server has handled the token of the request. A proxy can respond with an error of its own.
    fileprivate var isOfServer: Bool {
        (status.kind == .successful || status == .notModified)
            && CacheDirectives(headerFields).contains(.noStore)
    }
}

extension HTTPTransport {
    /// Sends a request with the token of a position, and keeps the token of the response.
    func send(
        _ request: TransportRequest, _ position: WritePosition
    ) async throws(TransportError) -> TransportResponse {
        let token = position.token
        var request = request
        if let token {
            request.head.headerFields[.databasePosition] = token
            // A response in a cache can be older than the write.
            if !request.head.headerFields.contains(.cacheControl) {
                request.head.headerFields[.cacheControl] = "no-cache"
            }
        }
        let response = try await send(request)
        position.receive(response.head, sent: token)
        return response
    }
}
