import Crypto
package import DuetSQLDatabase
import DuetTokens
import Foundation
package import HTTPTypes

/// The tokens by which a client reads its own writes from a database with several servers.
///
/// The response to a write has a token with the position of the commit. The client sends it with its reads, and a read
/// waits until its server has reached the position, or uses the primary. A token is signed, because a client that could
/// invent positions could make each read wait. All servers with the same secret accept the token.
///
/// A token is a text, a dot, and the HMAC-SHA256 of the text in base64url. The text is a position, in which `+`
/// separates the replication domains. If the position of a commit is unknown, the text is `primary~` and the time in
/// seconds since 1970. Reads with such a token use the primary for some minutes.
package struct PositionTokens: Sendable {
    private static let primaryPrefix = "primary~"
    private let key: SymmetricKey
    /// The time in seconds for which reads use the primary after a commit whose position is unknown.
    private let primaryTime: Int64

    /// Creates the tokens of a server.
    /// - Parameters:
    ///   - secret: The secret that all servers of the API share; nil for a random one. With a random one, the tokens of
    ///     other servers, and those of the server before a restart, are unknown. Reads with an unknown token use the
    ///     primary.
    ///   - maximumLag: The maximum lag of a replica that is used. After this time, each replica that is used has a
    ///     commit, even if the position of the commit is unknown.
    package init(secret: String?, maximumLag: Duration = .zero) {
        primaryTime = max(300, maximumLag.components.seconds + 60)
        let input = secret.map { SymmetricKey(data: Data($0.utf8)) } ?? SymmetricKey(size: .bits256)
        // The secret can also have other uses.
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: input, info: Data("Duet-Database-Position".utf8), outputByteCount: 32)
    }

    /// Creates the session of a request.
    /// - Parameter fields: The header fields of the request.
    package func session(for fields: HTTPFields) -> DatabaseSession {
        switch received(fields) {
        case nil: DatabaseSession()
        case .position(let position): DatabaseSession(after: position)
        case .primary, .unknown: DatabaseSession(usesPrimary: true)
        }
    }

    /// Returns the token for the commits of a session; nil if it has not committed, or if the database has no
    /// positions.
    package func token(of session: DatabaseSession) -> String? {
        if session.hasUnknownCommit { return primaryToken() }
        return session.position.map { sign($0.description.replacing(",", with: "+")) }
    }

    /// Adds the header fields that concern positions to a response.
    ///
    /// If the request has a token, no cache stores the response, because it can be newer than the responses to other
    /// clients. The response repeats the token as long as a server may not have reached the position. A client that
    /// receives no token need no longer send one.
    func complete(
        _ fields: inout HTTPFields, for request: HTTPFields, _ session: DatabaseSession, _ database: Database
    ) {
        let received = received(request)
        if received != nil { fields[.cacheControl] = "no-store" }
        fields[.databasePosition] =
            token(of: session)
            ?? {
                switch received {
                case nil: nil
                case .position(let position) where database.serversHaveReached(position): nil
                case .primary(let time) where Self.now - time > primaryTime: nil
                case .position, .primary: request[.databasePosition]
                // It may be the token of another server, after a write.
                case .unknown: primaryToken()
                }
            }()
    }

    // MARK: The text

    private enum Received {
        case position(DatabasePosition)
        /// The position was unknown at a time, in seconds since 1970.
        case primary(Int64)
        /// This server, and none with the same secret, has created the token.
        case unknown
    }

    /// Reads the token of a request; nil without one.
    private func received(_ fields: HTTPFields) -> Received? {
        guard let token = fields[.databasePosition] else { return nil }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let code = Base64URL.decode(parts[1].utf8),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data(parts[0].utf8), using: key)
        else { return .unknown }
        if parts[0].hasPrefix(Self.primaryPrefix) {
            return Int64(parts[0].dropFirst(Self.primaryPrefix.count)).map { .primary($0) } ?? .unknown
        }
        return DatabasePosition(String(parts[0].replacing("+", with: ","))).map { .position($0) } ?? .unknown
    }

    private func primaryToken() -> String { sign(Self.primaryPrefix + "\(Self.now)") }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Returns a token with a text.
    func sign(_ text: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
        return "\(text).\(Base64URL.encode(code))"
    }
}
