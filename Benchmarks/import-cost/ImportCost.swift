import CDuetSQLite
import Dispatch
import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation

/// Imports rows into a SQLite file, so that valgrind can count the instructions per row. `scripts/request-cost.sh` runs
/// this program.
///
///     import-cost DATABASE COUNT ndjson|csv|bare
///
/// `bare` inserts the same rows directly with the C library.
@main
enum ImportCost {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let table = """
        CREATE TABLE IF NOT EXISTS entries (id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL,
            amount DECIMAL(9,2) NOT NULL, made_on DATE NOT NULL)
        """

    private static let description = """
        duet: 1
        description: Entries.
        resources:
          entries:
            singular: entry
            type: Entry
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              title: {type: text, maxLength: 40}
              amount: {type: decimal, scale: 2}
              madeOn: {type: date, column: made_on}

        """

    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                try await run(CommandLine.arguments)
            } catch {
                FileHandle.standardError.write(Data("\(error)\n".utf8))
                exit(EXIT_FAILURE)
            }
            end.signal()
        }
        // Valgrind 3.19 crashes in the run loop of an asynchronous main function.
        end.wait()
    }

    private static func run(_ arguments: [String]) async throws {
        guard arguments.count == 4, let count = Int(arguments[2]) else {
            throw Failure(description: "usage: import-cost DATABASE COUNT ndjson|csv|bare")
        }
        var configuration = DatabaseConfiguration(poolSize: 1)
        configuration.createsMissingFile = true
        let database = Database(try DatabaseURL("sqlite:\(arguments[1])"), configuration: configuration)
        try await database.write { try $0.executeScript(table) }
        switch arguments[3] {
        case "ndjson":
            let row = #"{"title":"An entry of usual length","amount":"12.50","madeOn":"2026-11-29"}"# + "\n"
            try await importRows(.ndjson, String(repeating: row, count: count), count, into: database)
        case "csv":
            let row = "An entry of usual length,12.50,2026-11-29\n"
            let text = "title,amount,madeOn\n" + String(repeating: row, count: count)
            try await importRows(.csv, text, count, into: database)
        case "bare": try insert(count, into: arguments[1])
        default: throw Failure(description: "\(arguments[3]) is neither ndjson, csv nor bare.")
        }
        await database.close()
    }

    private static func importRows(
        _ format: ImportBody.Format, _ text: String, _ count: Int, into database: Database
    ) async throws {
        let schema = try await database.read { try DatabaseSchema.read($0) }
        let api = try APIDescription(reading: description, file: "entries.yaml").fitted(to: schema)
        let service = ResourceService(api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
        guard let write = service.catalogue.writes.first(where: { $0.kind == .insert }) else {
            throw Failure(description: "The description permits no inserts.")
        }
        let body = ImportBody(format, bytes: Array(text.utf8))
        let answer = try await service.importRows(body, for: write, timeout: .seconds(3_600))
        guard answer.count == count else { throw Failure(description: "\(answer.count) rows were imported.") }
    }

    private static func insert(_ count: Int, into path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            sqlite3_prepare_v2(
                connection, "INSERT INTO entries (title, amount, made_on) VALUES (?1, ?2, ?3)", -1, &statement, nil)
                == SQLITE_OK, sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK
        else { throw Failure(description: String(cString: sqlite3_errmsg(connection))) }
        for _ in 0..<count {
            for (index, text) in ["An entry of usual length", "12.50", "2026-11-29"].enumerated() {
                sqlite3_bind_text(
                    statement, Int32(index + 1), text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
            let result = sqlite3_step(statement)
            sqlite3_reset(statement)
            guard result == SQLITE_DONE else { throw Failure(description: String(cString: sqlite3_errmsg(connection))) }
        }
        guard sqlite3_exec(connection, "COMMIT", nil, nil, nil) == SQLITE_OK else {
            throw Failure(description: String(cString: sqlite3_errmsg(connection)))
        }
    }
}
