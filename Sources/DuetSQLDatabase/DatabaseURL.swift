import Foundation

/// The location of a database: `sqlite:PATH`, `sqlite::memory:`, or `mariadb://user:password@host:port/database`, with
/// `?socket=PATH` for a Unix socket.
public struct DatabaseURL: Sendable, Hashable {
    /// The address and the account of a MariaDB server.
    public struct MariaDBLocation: Sendable, Hashable {
        /// The account's name.
        public var user: String
        /// The account's password; empty for none. The descriptions of a URL never contain it.
        public var password: String
        /// The name or address of the server.
        public var host: String
        /// The port, 1…65535.
        public var port: Int
        /// The database to use.
        public var database: String
        /// The path of the Unix socket. If it is set, the host and the port are ignored.
        public var socket: String?
        /// True if the connection must be encrypted (`?tls=required`).
        public var requiresTLS: Bool
    }

    /// The location of a database of SQLite or MariaDB.
    public enum Location: Sendable, Hashable {
        /// A SQLite database in a file.
        case sqlite(path: String)
        /// A SQLite database in memory, for example for tests. Each ``Database`` object has a separate SQLite database,
        /// which is empty at first. All connections of the object use this database. The data is deleted when the
        /// object is closed.
        ///
        /// The database has no write-ahead log. A write waits before its commit until the running reads and streams
        /// have ended. Reads that begin during this time wait for the write. Each wait is limited to 10 seconds, after
        /// which the transaction fails with `busy`. A write inside a loop over a stream of the same database also fails
        /// with `busy`. The database has no ``Database/version`` and cannot be opened read-only. Its maximum size is 1
        /// GiB, SQLite's default limit (`SQLITE_CONFIG_MEMDB_MAXSIZE`).
        case sqliteInMemory
        /// A database on a MariaDB server.
        case mariaDB(MariaDBLocation)
    }

    /// The location of the database.
    public var location: Location

    /// - Parameter location: The location of the database.
    public init(location: Location) {
        self.location = location
    }

    /// - Throws: ``DatabaseError`` with the code `url` and a message that describes the syntax of a database URL. The
    ///   message never contains the password.
    public init(_ text: String) throws {
        if text.hasPrefix("sqlite:") {
            var path = String(text.dropFirst("sqlite:".count))
            if path.hasPrefix("//") { path = String(path.dropFirst(2)) }
            guard !path.isEmpty, !path.utf8.contains(0) else {
                throw DatabaseError(.url, "a SQLite URL needs a file: sqlite:PATH, for example sqlite:shop.sqlite")
            }
            guard !path.hasPrefix("file:") else {
                throw DatabaseError(
                    .url,
                    "a SQLite URL is sqlite:PATH, for example sqlite:shop.sqlite, or sqlite::memory:; it is not "
                        + "sqlite:\(path)")
            }
            location = path == ":memory:" ? .sqliteInMemory : .sqlite(path: path)
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
            throw DatabaseError(.url, "a MariaDB URL must name one database: \(form)")
        }
        guard components.port.map({ (1...65_535).contains($0) }) ?? true else {
            throw DatabaseError(.url, "the port of a MariaDB URL must be between 1 and 65535: \(form)")
        }
        guard let user = components.user, !user.isEmpty else {
            throw DatabaseError(.url, "a MariaDB URL must name a user: \(form)")
        }
        var socket: String?
        var requiresTLS = false
        for item in components.queryItems ?? [] {
            switch (item.name, item.value) {
            case ("socket", .some(let path)) where !path.isEmpty: socket = path
            case ("tls", .some("required")): requiresTLS = true
            default:
                throw DatabaseError(
                    .url, "a MariaDB URL accepts the parameters socket=PATH and tls=required, not \(item.name)")
            }
        }
        // A URL encloses an IPv6 address in brackets; the client library needs it without them.
        let host = components.host.map { $0.hasPrefix("[") ? String($0.dropFirst().dropLast()) : $0 } ?? ""
        location = .mariaDB(
            MariaDBLocation(
                user: user, password: components.password ?? "", host: host.isEmpty ? "127.0.0.1" : host,
                port: components.port ?? 3306, database: String(database), socket: socket, requiresTLS: requiresTLS))
    }
}

extension DatabaseURL {
    /// The SQL dialect of the database.
    public var dialect: Dialect {
        switch location {
        case .sqlite, .sqliteInMemory: .sqlite
        case .mariaDB: .mariaDB
        }
    }
}

extension DatabaseURL: CustomStringConvertible, CustomDebugStringConvertible {
    /// The URL without its password, suitable for logs.
    public var description: String {
        switch location {
        case .sqlite(let path):
            return "sqlite:\(path)"
        case .sqliteInMemory:
            return "sqlite::memory:"
        case .mariaDB(let location):
            return location.description
        }
    }

    /// The URL without its password.
    public var debugDescription: String { description }
}

extension DatabaseURL.MariaDBLocation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without its password, suitable for logs.
    public var description: String {
        let hidden = password.isEmpty ? "" : ":***"
        let host = host.contains(":") ? "[\(host)]" : host
        let options = [socket.map { "socket=\($0)" }, requiresTLS ? "tls=required" : nil].compactMap(\.self)
        let query = options.isEmpty ? "" : "?" + options.joined(separator: "&")
        return "mariadb://\(user)\(hidden)@\(host):\(port)/\(database)\(query)"
    }

    /// The URL without its password.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` does not print the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
