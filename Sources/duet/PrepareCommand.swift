import ArgumentParser
import DuetResourceService
import DuetSQLDatabase
import Foundation

/// `duet prepare`: creates the table for idempotency keys.
struct PrepareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Create the table for idempotency keys in a database.",
        discussion: """
            With an idempotency key, a client can send a write again after a lost connection, and the write has its \
            effect once. For each successful write with a key, duet serve adds a row to the table \
            \(IdempotencyTable.name), in the transaction of the write. Later writes with keys remove the rows that are \
            older than --\(ServeCommand.idempotencyLifetime.name).

            The command changes nothing else, and does nothing if the table exists. duet creates the table only with \
            this command; without it, duet serve refuses requests with keys. A running server uses the table at once. \
            On MariaDB, the account needs the privileges CREATE and INDEX; duet serve needs SELECT, INSERT, UPDATE and \
            DELETE on the table.

            Exit status: 0 if the table exists, 69 if the database cannot be used.

            Examples:
              duet prepare --database sqlite:shop.db
              duet prepare --database sqlite:shop.db --print
            """)

    @OptionGroup var database: DatabaseOptions
    @Flag(name: .customLong("print"), help: "Print the SQL instead of running it; the database is not opened.")
    var printsStatements = false

    func run() async throws {
        let url = try database.url()
        do {
            let statements = try IdempotencyTable.statements(for: url.dialect)
            guard !printsStatements else { return print(statements.map { "\($0);\n" }.joined(), terminator: "") }
            try await Self.prepare(url)
        } catch {
            throw StartFailure.reported(error)
        }
        print(
            """
            \(url) has the table \(IdempotencyTable.name). duet serve accepts idempotency keys, and stores a row for \
            each write with a key. To refuse keys again, drop the table.
            """)
    }

    private static func prepare(_ url: DatabaseURL) async throws {
        if case .sqlite(let path) = url.location {
            guard FileManager.default.fileExists(atPath: path) else {
                throw StartFailure.report("the SQLite file \(path) does not exist")
            }
            guard FileManager.default.isWritableFile(atPath: path) else {
                throw StartFailure.report("the SQLite file \(path) cannot be written by this account")
            }
        }
        let database = ForeignDatabase.open(
            DatabaseLocation(servers: [url], isCluster: false), DatabaseConfiguration(poolSize: 1), writes: true)
        do {
            try await IdempotencyTable.create(in: database)
            await database.close()
        } catch let error as DatabaseError where error.code == .missingColumn {
            await database.close()
            throw StartFailure.report(
                "\(url) has a table \(IdempotencyTable.name) with other columns, which another program has created; rename or drop it"
            )
        } catch {
            await database.close()
            throw error
        }
    }
}
