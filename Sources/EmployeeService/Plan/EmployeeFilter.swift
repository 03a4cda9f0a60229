public import SQLDatabase

/// Which employees a list holds. All conditions must hold; an absent one always does.
public struct EmployeeFilter: Sendable, Hashable {
    /// A pattern for the first or the last name; `*` stands for any run of characters. Case matters.
    public var name: String?
    /// Hired later than on that day.
    public var hiredAfter: CalendarDate?
    /// Hired earlier than on that day.
    public var hiredBefore: CalendarDate?
    /// The number of the department they work in now.
    public var department: String?

    /// A filter that lets everybody through.
    public init() {}

    /// - Returns: the pattern, if it is fit to be one.
    /// - Throws: ``ServiceError``.
    static func checkedName(_ name: String) throws -> String {
        let scalars = name.unicodeScalars
        guard (1...64).contains(scalars.count),
            !scalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw ServiceError(
                .invalidParameter,
                "name is a pattern of 1 to 64 characters, none of them a control character, as in Geo*",
                parameter: "name")
        }
        return name
    }

    /// The conditions as SQL, and their arguments; only the values come from a client.
    /// - Parameter isCounting: whether all rows are read anyway; else a page is cut from them, and no more should be read.
    func conditions(_ dialect: Dialect, isCounting: Bool = false) -> (sql: [String], arguments: Arguments) {
        var sql: [String] = []
        var arguments = Arguments()
        if let name {
            if name.unicodeScalars.contains("*") {
                let (test, pattern) = Self.pattern(name, dialect)
                sql.append("(e.first_name \(test) OR e.last_name \(test))")
                arguments["name"] = .text(pattern)
            } else {
                sql.append("(e.first_name = :name OR e.last_name = :name)")
                arguments["name"] = .text(name)
            }
        }
        if let hiredAfter {
            sql.append("e.hire_date > :hiredAfter")
            arguments["hiredAfter"] = .date(hiredAfter)
        }
        if let hiredBefore {
            sql.append("e.hire_date < :hiredBefore")
            arguments["hiredBefore"] = .date(hiredBefore)
        }
        if let department {
            sql.append(
                isCounting
                    ? "e.emp_no IN (SELECT m.emp_no FROM dept_emp AS m WHERE m.dept_no = :department AND m.to_date = :openEnd)"
                    : "EXISTS (SELECT 1 FROM dept_emp AS m WHERE m.emp_no = e.emp_no AND m.dept_no = :department AND m.to_date = :openEnd)"
            )
            arguments["department"] = .text(department)
            arguments["openEnd"] = .date(.openEnd)
        }
        return (sql, arguments)
    }

    /// SQLite's GLOB and MariaDB's LIKE under a binary collation both compare code points, so they agree. What has a
    /// meaning has it as a code point, too, whatever combines with it.
    private static func pattern(_ name: String, _ dialect: Dialect) -> (test: String, pattern: String) {
        switch dialect {
        case .sqlite:
            let pattern = name.unicodeScalars.map { scalar in
                switch scalar {
                case "?", "[": "[\(scalar)]"
                default: String(scalar)
                }
            }.joined()
            return ("GLOB :name", pattern)
        case .mariaDB:
            let pattern = name.unicodeScalars.map { scalar in
                switch scalar {
                case "*": "%"
                case "%", "_", "|": "|\(scalar)"
                default: String(scalar)
                }
            }.joined()
            return ("LIKE :name ESCAPE '|'", pattern)
        }
    }
}
