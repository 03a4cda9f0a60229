import CDuetMariaDB
import CDuetSQLite
import DuetSQLDatabase
import Foundation

/// Measures writes that follow from a description: single rows, and the import of many rows. The floors run the same
/// statements in the same transactions, directly with the C library.
enum Writes {
    private static let row = #"{"title":"An entry of usual length","amount":"12.50","madeOn":"2026-11-29"}"#
    private static let record = "An entry of usual length,12.50,2026-11-29"
    private static let insert =
        "INSERT INTO entries (title, amount, made_on) VALUES ('An entry of usual length', 12.5, '2026-11-29') RETURNING id"
    private static let update = "UPDATE entries SET title = 'Another title of usual length' WHERE id = 1"
    private static let select = "SELECT id, title, amount, made_on FROM entries WHERE id = 1"

    private static func table(_ key: String) -> String {
        """
        CREATE TABLE entries (id INTEGER NOT NULL PRIMARY KEY \(key), title VARCHAR(40) NOT NULL,
            amount DECIMAL(9,2) NOT NULL, made_on DATE NOT NULL);
        """
    }

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

    /// - Parameter importedRows: The number of rows of an import.
    static func measureSQLite(
        folder: URL, load: (ServerProcess) -> Load, rounds: Int, importedRows: Int, _ report: Report
    ) throws {
        let path = folder.appending(path: "entries.sqlite").path
        let bare = try BareWriter(path: path)
        try bare.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; " + table(""))
        try bare.run(insert)
        try measure(
            "SQLite", "sqlite:" + path, folder: folder, load: load, rounds: rounds, importedRows: importedRows, report,
            single: { seconds in
                try bare.rate(seconds: seconds, ["BEGIN IMMEDIATE", insert, select, "COMMIT"])
            },
            update: { seconds in
                try bare.rate(seconds: seconds, ["BEGIN IMMEDIATE", select, select, update, select, "COMMIT"])
            },
            rows: { try bare.rowsPerSecond($0) })
    }

    static func measureMariaDB(
        _ url: String, folder: URL, load: (ServerProcess) -> Load, rounds: Int, importedRows: Int, _ report: Report
    ) throws {
        let bare = try BareMariaDBWriter(url: url)
        try bare.run("DROP TABLE IF EXISTS entries")
        try bare.run(table("AUTO_INCREMENT"))
        try bare.run(insert)
        try measure(
            "MariaDB", url, folder: folder, load: load, rounds: rounds, importedRows: importedRows, report,
            single: { seconds in
                try bare.rate(seconds: seconds, ["START TRANSACTION", insert, select, "COMMIT"])
            },
            update: { seconds in
                try bare.rate(
                    seconds: seconds,
                    ["START TRANSACTION", select + " FOR UPDATE", select, update, select, "COMMIT"])
            },
            rows: { try bare.rowsPerSecond($0) })
        try bare.run("DROP TABLE entries")
    }

    private static func measure(
        _ backend: String, _ url: String, folder: URL, load: (ServerProcess) -> Load, rounds: Int, importedRows: Int,
        _ report: Report, single: (Int) throws -> Double, update: (Int) throws -> Double, rows: (Int) throws -> Double
    ) throws {
        let file = folder.appending(path: "entries.yaml")
        try Data(description.utf8).write(to: file)
        let server = try Duet.serve(environment: ["DUET_DATABASE": url, "DUET_API": file.path])
        defer { server.stop() }
        let load = load(server)
        let created = Target(path: "/entries", method: "POST", body: row)
        report.add(
            backend, "one new row",
            try Comparison.paired(
                rounds: rounds, figure: { try load.rate(created) }, floor: { try single(load.seconds) }),
            floor: "bare loop, one thread", goal: 0.6, unit: "requests/s")
        let changed = Target(
            path: "/entries/1", method: "PATCH", body: #"{"title":"Another title of usual length"}"#)
        report.add(
            backend, "a change of one row",
            try Comparison.paired(
                rounds: rounds, figure: { try load.rate(changed) }, floor: { try update(load.seconds) }),
            floor: "bare loop, one thread", goal: nil, unit: "requests/s")
        let before = server.usage.residentMemory
        for (format, header, line) in [("NDJSON", "", row), ("CSV", "title,amount,madeOn\n", record)] {
            let imported = folder.appending(path: "entries.\(format)")
            defer { try? FileManager.default.removeItem(at: imported) }
            try writeFile(imported, header: header, line: line, count: importedRows)
            let comparison = try Comparison.paired(
                rounds: 1,
                figure: {
                    let start = ContinuousClock.now
                    let answer = try Curl.send(
                        "\(server.base)/entries", file: imported,
                        mediaType: format == "CSV" ? "text/csv" : "application/x-ndjson")
                    guard answer.contains("\"created\":\(importedRows)") else {
                        throw Duet.Failure(description: "the import failed: \(answer)")
                    }
                    return Double(importedRows) / ((ContinuousClock.now - start) / .seconds(1))
                }, floor: { try rows(importedRows) })
            report.add(
                backend, "import of \(importedRows) rows as \(format)", comparison, floor: "bare loop, one thread",
                goal: 0.4, unit: "rows/s")
        }
        report.note(
            "\(backend): resident memory is \(before >> 10) MiB before the imports, and at most "
                + "\(server.usage.peakMemory >> 10) MiB during them (goal: at most 32 MiB more)")
    }

    private static func writeFile(_ file: URL, header: String, line: String, count: Int) throws {
        try Data(header.utf8).write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        let lines = Data(String(repeating: line + "\n", count: 10_000).utf8)
        for _ in 0..<count / 10_000 { try handle.write(contentsOf: lines) }
        try handle.close()
    }
}

/// A loop on one thread that writes with the C library of SQLite.
private final class BareWriter {
    private var connection: OpaquePointer?

    init(path: String) throws {
        guard
            sqlite3_open_v2(
                path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK
        else { throw Duet.Failure(description: "\(path) cannot be opened") }
        sqlite3_busy_timeout(connection, 10_000)
    }

    deinit { sqlite3_close_v2(connection) }

    func run(_ script: String) throws {
        guard sqlite3_exec(connection, script, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private var failure: Duet.Failure { Duet.Failure(description: String(cString: sqlite3_errmsg(connection))) }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure }
        return statement
    }

    private func step(_ statement: OpaquePointer) throws {
        var result = sqlite3_step(statement)
        while result == SQLITE_ROW { result = sqlite3_step(statement) }
        sqlite3_reset(statement)
        guard result == SQLITE_DONE else { throw failure }
    }

    func rate(seconds: Int, _ statements: [String]) throws -> Double {
        let prepared = try statements.map(prepare)
        defer { for statement in prepared { sqlite3_finalize(statement) } }
        return try duet_bench.rate(seconds: seconds, batch: 1) { for statement in prepared { try step(statement) } }
    }

    func rowsPerSecond(_ count: Int) throws -> Double {
        let statement = try prepare("INSERT INTO entries (title, amount, made_on) VALUES (?1, ?2, ?3)")
        defer { sqlite3_finalize(statement) }
        let start = ContinuousClock.now
        try run("BEGIN IMMEDIATE")
        for _ in 0..<count {
            for (index, text) in ["An entry of usual length", "12.50", "2026-11-29"].enumerated() {
                sqlite3_bind_text(
                    statement, Int32(index + 1), text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
            try step(statement)
        }
        try run("COMMIT")
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}

/// A loop on one thread that writes with the C library of MariaDB.
private final class BareMariaDBWriter {
    private let connection: UnsafeMutablePointer<MYSQL>

    init(url: String) throws {
        guard case .mariaDB(let location) = try DatabaseURL(url).location, let connection = mysql_init(nil),
            mysql_real_connect(
                connection, location.socket == nil ? location.host : nil, location.user, location.password,
                location.database, UInt32(location.port), location.socket, 0) != nil
        else { throw Duet.Failure(description: "cannot connect to MariaDB") }
        self.connection = connection
    }

    deinit { mysql_close(connection) }

    private var failure: Duet.Failure { Duet.Failure(description: String(cString: mysql_error(connection))) }

    func run(_ sql: String) throws {
        guard mysql_query(connection, sql) == 0 else { throw failure }
        if let result = mysql_store_result(connection) { mysql_free_result(result) }
    }

    func rate(seconds: Int, _ statements: [String]) throws -> Double {
        try duet_bench.rate(seconds: seconds, batch: 1) { for statement in statements { try run(statement) } }
    }

    func rowsPerSecond(_ count: Int) throws -> Double {
        let row = "('An entry of usual length', '12.50', '2026-11-29')"
        let statement =
            "INSERT INTO entries (title, amount, made_on) VALUES "
            + Array(repeating: row, count: 250).joined(separator: ",")
        let start = ContinuousClock.now
        try run("START TRANSACTION")
        for _ in 0..<count / 250 { try run(statement) }
        try run("COMMIT")
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
