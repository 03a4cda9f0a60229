/// A database on a MariaDB server.
struct MariaDBBackend: Backend {
    let location: DatabaseURL.MariaDBLocation
    var dialect: Dialect { .mariaDB }

    #if MariaDB
        func connect(
            _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
        ) throws -> any BackendConnection {
            try MariaDBConnection(location, configuration: configuration)
        }

        /// Sends `KILL`. The server closes the connection and stops its current statement.
        func kill(_ thread: UInt, _ configuration: DatabaseConfiguration) throws {
            do {
                let connection = try MariaDBConnection(
                    location, configuration: configuration, readTimeout: configuration.connectTimeout)
                try connection.run("KILL \(thread)")
            } catch let error as DatabaseError where error.backendCode?.hasSuffix("/1094") == true {
                // The connection has already ended.
            }
        }

        func beginThread() { MariaDBConnection.beginThread() }
        func endThread() { MariaDBConnection.endThread() }
    #else
        /// Without the trait `MariaDB`, the package is built without libmariadb.
        /// - Throws: ``DatabaseError`` with the code `unavailable`, always.
        func connect(
            _ configuration: DatabaseConfiguration, _ interrupt: Interrupt, waitsForLocks: Bool
        ) throws -> any BackendConnection {
            throw DatabaseError(
                .unavailable,
                "\(location) cannot be opened, because this program is built without MariaDB; enable the trait MariaDB "
                    + "of the package duet")
        }
    #endif
}
