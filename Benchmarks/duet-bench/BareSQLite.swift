import CDuetSQLite
import Foundation

/// A loop on one thread that runs the SQL statements of Duet's requests. It reads every column and does not write a
/// response. Its rate is the floor with which the rate of Duet on SQLite is compared.
final class BareSQLite {
    private var connection: OpaquePointer?

    init(path: String) throws {
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            throw Duet.Failure(description: "\(path) cannot be opened")
        }
        sqlite3_exec(connection, "PRAGMA cache_size = -2048", nil, nil, nil)
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw Duet.Failure(description: String(cString: sqlite3_errmsg(connection))) }
        return statement
    }

    /// Reads all rows.
    /// - Returns: The number of rows, and the integer in the first column of the last row.
    private func readAll(_ statement: OpaquePointer) -> (rows: Int, last: Int64) {
        var rows = 0
        var last: Int64 = 0
        let columns = sqlite3_column_count(statement)
        while sqlite3_step(statement) == SQLITE_ROW {
            rows += 1
            for column in 0..<columns {
                if sqlite3_column_type(statement, column) == SQLITE_INTEGER {
                    let value = sqlite3_column_int64(statement, column)
                    if column == 0 { last = value }
                } else {
                    _ = sqlite3_column_text(statement, column)
                    _ = sqlite3_column_bytes(statement, column)
                }
            }
        }
        sqlite3_reset(statement)
        return (rows, last)
    }

    func lists(seconds: Int) throws -> Double {
        let statements = try [
            "BEGIN",
            "SELECT e.emp_no, e.first_name, e.last_name FROM employees AS e ORDER BY e.emp_no LIMIT 101",
            """
            SELECT p.emp_no, p.title, p.from_date, p.to_date FROM titles AS p WHERE p.emp_no BETWEEN ?1 AND ?2
            ORDER BY p.emp_no, p.from_date DESC, p.title
            """,
            """
            SELECT p.emp_no, p.salary, p.from_date, p.to_date FROM salaries AS p WHERE p.emp_no BETWEEN ?1 AND ?2
            ORDER BY p.emp_no, p.from_date DESC
            """,
            "COMMIT",
        ].map(prepare)
        defer { for statement in statements { sqlite3_finalize(statement) } }
        return rate(seconds: seconds) {
            _ = readAll(statements[0])
            let last = readAll(statements[1]).last
            for statement in statements[2...3] {
                sqlite3_bind_int64(statement, 1, 10_001)
                sqlite3_bind_int64(statement, 2, last - 1)
                _ = readAll(statement)
            }
            _ = readAll(statements[4])
        }
    }

    func countSalaries() throws -> Int { try number("SELECT COUNT(*) FROM salaries") }

    /// Returns the number in the first column of a statement's last row.
    func number(_ sql: String) throws -> Int {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        return Int(readAll(statement).last)
    }

    /// Returns the number of times per second that a statement runs.
    func executions(_ sql: String, seconds: Int) throws -> Double {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        return rate(seconds: seconds, batch: 1) { _ = readAll(statement) }
    }

    func exportedRowsPerSecond() throws -> Double {
        let statement = try prepare(
            "SELECT p.emp_no, p.salary, p.from_date, p.to_date FROM salaries AS p ORDER BY p.emp_no, p.from_date DESC")
        defer { sqlite3_finalize(statement) }
        let start = ContinuousClock.now
        let rows = readAll(statement).rows
        return Double(rows) / ((ContinuousClock.now - start) / .seconds(1))
    }
}

/// Returns the number of times per second that a body runs. The measurement takes about the given number of seconds.
/// - Parameter batch: The number of runs between two readings of the clock.
func rate(seconds: Int, batch: Int = 20, _ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    var count = 0
    while ContinuousClock.now - start < .seconds(seconds) {
        for _ in 0..<batch { try body() }
        count += batch
    }
    return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
}

/// Returns the numbers of times per second that two asynchronous bodies run. The bodies alternate every 50 ms, so that
/// a change of the machine's speed affects both of them.
/// - Parameter seconds: The duration for each body.
func alternatingRates(
    seconds: Int, batch: Int = 20, _ first: () async throws -> Void, _ second: () async throws -> Void
) async rethrows -> (first: Double, second: Double) {
    /// Runs a body for 50 ms, and returns the number of runs and the exact duration.
    func slice(_ body: () async throws -> Void) async rethrows -> (count: Int, duration: Duration) {
        let start = ContinuousClock.now
        var count = 0
        while ContinuousClock.now - start < .milliseconds(50) {
            for _ in 0..<batch { try await body() }
            count += batch
        }
        return (count, ContinuousClock.now - start)
    }
    var totals = (first: (count: 0, duration: Duration.zero), second: (count: 0, duration: Duration.zero))
    for _ in 0..<seconds * 20 {
        let (one, other) = (try await slice(first), try await slice(second))
        totals.first = (totals.first.count + one.count, totals.first.duration + one.duration)
        totals.second = (totals.second.count + other.count, totals.second.duration + other.duration)
    }
    return (
        Double(totals.first.count) / (totals.first.duration / .seconds(1)),
        Double(totals.second.count) / (totals.second.duration / .seconds(1))
    )
}
