import Foundation

/// Measures aggregates and groups over REST. The floors run equivalent statements directly with the C library of the
/// database, with its own functions.
enum Groups {
    /// A request with groups, and its equivalent in SQL. The first column of the statements is a number.
    struct Question {
        let what: String
        let path: String
        let sqlite: String
        let mariaDB: String
    }

    /// The functions that the database calls, and the rows that it reads, are those of the request.
    private static let large = [
        Question(
            what: "the number and the average of the salaries of each year",
            path: "/salaries?group=fromDate.year&aggregate=count,salary.avg",
            sqlite: """
                SELECT CAST(strftime('%Y', from_date) AS INTEGER), COUNT(*), AVG(salary) FROM salaries GROUP BY 1
                ORDER BY 1
                """,
            mariaDB: "SELECT YEAR(from_date), COUNT(*), AVG(salary) FROM salaries GROUP BY 1 ORDER BY 1"),
        Question(
            what: "the number and the average of the current salaries of each department",
            path: "/salaries?current=true&group=department.departmentName&aggregate=count,salary.avg",
            sqlite: departments, mariaDB: departments),
    ]

    private static let departments = """
        SELECT COUNT(*), d.dept_name, AVG(s.salary) FROM salaries AS s
        LEFT JOIN dept_emp AS a ON a.emp_no = s.emp_no AND a.to_date = '9999-01-01'
        LEFT JOIN departments AS d ON d.dept_no = a.dept_no
        WHERE s.to_date = '9999-01-01' GROUP BY d.dept_name ORDER BY d.dept_name
        """

    private static let small = [
        Question(
            what: "the number of the employees of each gender",
            path: "/employees?group=gender&aggregate=count",
            sqlite: "SELECT COUNT(*), gender FROM employees GROUP BY gender ORDER BY gender",
            mariaDB: "SELECT COUNT(*), gender FROM employees GROUP BY gender ORDER BY gender"),
        Question(
            what: "the number of the employees hired in each year",
            path: "/employees?group=hireDate.year&aggregate=count",
            sqlite: "SELECT CAST(strftime('%Y', hire_date) AS INTEGER), COUNT(*) FROM employees GROUP BY 1 ORDER BY 1",
            mariaDB: "SELECT YEAR(hire_date), COUNT(*) FROM employees GROUP BY 1 ORDER BY 1"),
    ]

    /// A database with the C library that reads it.
    struct Backend {
        let name: String
        let url: String
        /// Runs a statement with a single number, and returns this number.
        let number: (_ sql: String) throws -> Int
        /// Runs a statement again and again, and returns the number of executions per second.
        let rate: (_ sql: String, _ seconds: Int) throws -> Double
        let sql: (Question) -> String
    }

    static func sqlite(_ path: String) throws -> Backend {
        let bare = try BareSQLite(path: path)
        return Backend(
            name: "SQLite", url: "sqlite:\(path)", number: bare.number, rate: bare.executions, sql: \.sqlite)
    }

    static func mariaDB(_ url: String) throws -> Backend {
        let bare = try BareMariaDB(url: url)
        return Backend(name: "MariaDB", url: url, number: bare.number, rate: bare.executions, sql: \.mariaDB)
    }

    /// Measures groups of a few thousand rows.
    static func measureSmall(_ backend: Backend, load: (ServerProcess) -> Load, rounds: Int, _ report: Report) throws {
        let server = try Duet.serve(environment: ["DUET_DATABASE": backend.url])
        defer { server.stop() }
        let rows = try backend.number("SELECT COUNT(*) FROM employees")
        let load = load(server)
        for question in small {
            let comparison = try Comparison.paired(
                rounds: rounds, figure: { try load.rate(Target(path: question.path)) },
                floor: { try backend.rate(backend.sql(question), load.seconds) })
            report.add(
                backend.name, "\(question.what), \(rows) rows", comparison, floor: "bare loop, one thread", goal: 0.6,
                unit: "requests/s")
        }
    }

    /// Measures groups of all salaries, one request after the other.
    static func measureLarge(_ backend: Backend, rounds: Int, _ report: Report) throws {
        let server = try Duet.serve(environment: [
            "DUET_DATABASE": backend.url, "DUET_MAX_SCAN": "none", "DUET_REQUEST_TIMEOUT": "120",
        ])
        defer { server.stop() }
        let rows = try backend.number("SELECT COUNT(*) FROM salaries")
        for question in large {
            // The first request reads the file into the memory of the operating system.
            _ = try Curl.send(server.base + question.path)
            let before = server.usage.residentMemory
            let comparison = try Comparison.paired(
                rounds: rounds,
                figure: {
                    let start = ContinuousClock.now
                    _ = try Curl.send(server.base + question.path)
                    return Double(rows) / ((ContinuousClock.now - start) / .seconds(1))
                }, floor: { try Double(rows) * backend.rate(backend.sql(question), 1) })
            report.add(
                backend.name, "\(question.what), \(rows) rows", comparison, floor: "bare statement", goal: 0.8,
                unit: "rows/s")
            report.note(
                "\(backend.name), \(question.what): resident memory is \(before >> 10) MiB before the measured "
                    + "requests, and at most \(server.usage.peakMemory >> 10) MiB")
        }
    }
}
