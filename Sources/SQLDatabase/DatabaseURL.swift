import Foundation

/// Where a database is: `sqlite:PATH`, or `mariadb://user:password@host:port/database`, with `?socket=PATH` for a
/// Unix socket.
public struct DatabaseURL: Sendable, Hashable {
    /// How to reach a MariaDB server.
    public struct MariaDBLocation: Sendable, Hashable {
        public var user: String
        public var password: String
        public var host: String
        public var port: Int
        public var database: String
        /// Path of the Unix socket; takes precedence over host and port.
        public var socket: String?
        /// Whether the connection must be encrypted (`?tls=required`).
        public var requiresTLS: Bool
    }

    public enum Location: Sendable, Hashable {
        case sqlite(path: String)
        case mariaDB(MariaDBLocation)
    }

    public var location: Location

    public init(location: Location) {
        self.location = location
    }

    /// - Throws: ``DatabaseError`` with code `url` that says what a database URL looks like; never repeats the password.
    public init(_ text: String) throws {
        if text.hasPrefix("sqlite:") {
            var path = String(text.dropFirst("sqlite:".count))
            if path.hasPrefix("//") { path = String(path.dropFirst(2)) }
            guard !path.isEmpty, !path.utf8.contains(0) else {
                throw DatabaseError(.url, "a SQLite URL needs a file: sqlite:PATH, for example sqlite:employees.sqlite")
            }
            location = .sqlite(path: path)
            return
        }
        let form = "mariadb://user:password@host:port/database"
        guard text.hasPrefix("mariadb://") || text.hasPrefix("mysql://") else {
            throw DatabaseError(.url, "a database URL is sqlite:PATH or \(form)")
        }
        guard let components = URLComponents(string: text) else {
            throw DatabaseError(
                .url, "this MariaDB URL cannot be read; percent-encode special characters in \(form)")
        }
        let database = components.path.dropFirst()
        guard !database.isEmpty, !database.contains("/") else {
            throw DatabaseError(.url, "a MariaDB URL names one database: \(form)")
        }
        guard let user = components.user, !user.isEmpty else {
            throw DatabaseError(.url, "a MariaDB URL names a user: \(form)")
        }
        var socket: String?
        var requiresTLS = false
        for item in components.queryItems ?? [] {
            switch (item.name, item.value) {
            case ("socket", .some(let path)) where !path.isEmpty: socket = path
            case ("tls", .some("required")): requiresTLS = true
            default:
                throw DatabaseError(
                    .url, "a MariaDB URL takes the parameters socket=PATH and tls=required, not \(item.name)")
            }
        }
        location = .mariaDB(
            MariaDBLocation(
                user: user, password: components.password ?? "", host: components.host.flatMap { $0.isEmpty ? nil : $0 }
                    ?? "127.0.0.1", port: components.port ?? 3306, database: String(database), socket: socket,
                requiresTLS: requiresTLS))
    }
}

extension DatabaseURL: CustomStringConvertible, CustomDebugStringConvertible {
    /// The URL without its password, fit for logs.
    public var description: String {
        switch location {
        case .sqlite(let path):
            return "sqlite:\(path)"
        case .mariaDB(let location):
            let password = location.password.isEmpty ? "" : ":***"
            let socket = location.socket.map { "?socket=\($0)" } ?? ""
            return "mariadb://\(location.user)\(password)@\(location.host):\(location.port)/\(location.database)\(socket)"
        }
    }

    public var debugDescription: String { description }
}
