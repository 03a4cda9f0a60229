import CDuetMariaDB
import DuetSQLDatabase
import Foundation

/// A loop on one thread that runs the SQL statements of Duet's requests sequentially. It uses one connection of
/// libmariadb, fetches every column, and does not write a response. Its rate is the floor with which the rate of Duet
/// on MariaDB is compared.
final class BareMariaDB {
    private typealias Statement = UnsafeMutablePointer<MYSQL_STMT>
    private let connection: UnsafeMutablePointer<MYSQL>
    private let keys = UnsafeMutablePointer<Int64>.allocate(capacity: 2)
    private let firstColumn = UnsafeMutablePointer<Int64>.allocate(capacity: 1)
    private var memory: [UnsafeMutableRawPointer] = []

    init(url: String) throws {
        guard case .mariaDB(let location) = try DatabaseURL(url).location, let connection = mysql_init(nil),
            mysql_real_connect(
                connection, location.socket == nil ? location.host : nil, location.user, location.password,
                location.database,
                UInt32(location.port), location.socket, 0) != nil
        else { throw Duet.Failure(description: "cannot connect to MariaDB") }
        self.connection = connection
    }

    deinit {
        mysql_close(connection)
        keys.deallocate()
        firstColumn.deallocate()
        for pointer in memory { pointer.deallocate() }
    }

    private func prepare(_ sql: String) throws -> Statement {
        guard let statement = mysql_stmt_init(connection), mysql_stmt_prepare(statement, sql, UInt(sql.utf8.count)) == 0
        else {
            throw Duet.Failure(description: String(cString: mysql_error(connection)))
        }
        let parameters = UnsafeMutablePointer<MYSQL_BIND>.allocate(capacity: 2)
        parameters.initialize(repeating: MYSQL_BIND(), count: 2)
        memory.append(parameters)
        for index in 0..<2 {
            parameters[index].buffer_type = MYSQL_TYPE_LONGLONG
            parameters[index].buffer = UnsafeMutableRawPointer(keys + index)
        }
        if mysql_stmt_param_count(statement) > 0 { mysql_stmt_bind_param(statement, parameters) }
        let columns = Int(mysql_stmt_field_count(statement))
        let results = UnsafeMutablePointer<MYSQL_BIND>.allocate(capacity: columns)
        results.initialize(repeating: MYSQL_BIND(), count: columns)
        memory.append(results)
        for index in 0..<columns {
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
            memory.append(buffer)
            results[index].buffer_type = index == 0 ? MYSQL_TYPE_LONGLONG : MYSQL_TYPE_STRING
            results[index].buffer = index == 0 ? UnsafeMutableRawPointer(firstColumn) : buffer
            results[index].buffer_length = 64
        }
        mysql_stmt_bind_result(statement, results)
        return statement
    }

    private func readAll(_ statement: Statement) throws {
        guard mysql_stmt_execute(statement) == 0 else {
            throw Duet.Failure(description: String(cString: mysql_stmt_error(statement)))
        }
        while mysql_stmt_fetch(statement) == 0 {}
        mysql_stmt_free_result(statement)
    }

    func details(seconds: Int) throws -> Double {
        let statements = try [
            "SELECT e.emp_no, e.first_name, e.last_name FROM employees AS e WHERE e.emp_no = ?",
            "SELECT p.emp_no, p.title, p.from_date, p.to_date FROM titles AS p WHERE p.emp_no = ? ORDER BY p.emp_no, p.from_date DESC, p.title",
            "SELECT p.emp_no, p.salary, p.from_date, p.to_date FROM salaries AS p WHERE p.emp_no = ? ORDER BY p.emp_no, p.from_date DESC",
        ].map(prepare)
        defer { for statement in statements { mysql_stmt_close(statement) } }
        keys[0] = 10_004
        return try transactions(statements, seconds: seconds)
    }

    func lists(seconds: Int) throws -> Double {
        let statements = try [
            "SELECT e.emp_no, e.first_name, e.last_name FROM employees AS e ORDER BY e.emp_no LIMIT 101",
            "SELECT p.emp_no, p.title, p.from_date, p.to_date FROM titles AS p WHERE p.emp_no BETWEEN ? AND ? ORDER BY p.emp_no, p.from_date DESC, p.title",
            "SELECT p.emp_no, p.salary, p.from_date, p.to_date FROM salaries AS p WHERE p.emp_no BETWEEN ? AND ? ORDER BY p.emp_no, p.from_date DESC",
        ].map(prepare)
        defer { for statement in statements { mysql_stmt_close(statement) } }
        keys[0] = 10_001
        keys[1] = 10_100
        return try transactions(statements, seconds: seconds)
    }

    /// Returns the number in the first column of a statement's last row.
    func number(_ sql: String) throws -> Int {
        let statement = try prepare(sql)
        defer { mysql_stmt_close(statement) }
        try readAll(statement)
        return Int(firstColumn.pointee)
    }

    /// Returns the number of times per second that a statement runs.
    func executions(_ sql: String, seconds: Int) throws -> Double {
        let statement = try prepare(sql)
        defer { mysql_stmt_close(statement) }
        return try rate(seconds: seconds, batch: 1) { try readAll(statement) }
    }

    /// Runs a statement without parameters and results.
    func run(_ sql: String) throws {
        guard mysql_query(connection, sql) == 0 else {
            throw Duet.Failure(description: String(cString: mysql_error(connection)))
        }
    }

    private func transactions(_ statements: [Statement], seconds: Int) throws -> Double {
        try rate(seconds: seconds) {
            mysql_query(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
            for statement in statements { try readAll(statement) }
            mysql_commit(connection)
        }
    }
}
