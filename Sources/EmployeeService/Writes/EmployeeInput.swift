public import DuetJSON
public import ResultSetJSON
import SQLDatabase

/// What a client says of an employee: all of it when one is made, some of it when one is changed.
public struct EmployeeInput: Sendable {
    /// The next free one when absent.
    var employeeNumber: Int64?
    /// Columns and their values.
    var columns: [(name: String, value: SQLValue)] = []
    var birthDate: CalendarDate?
    var hireDate: CalendarDate?

    /// - Parameters:
    ///   - value: `{"firstName":…,"lastName":…,"birthDate":…,"gender":…,"hireDate":…}`, with `employeeNumber` if wanted.
    ///   - dates: how a date may be given besides `YYYY-MM-DD`.
    /// - Throws: ``ServiceError`` that names every member at fault.
    public init(creating value: JSONValue, dates: DateEncoding) throws {
        try self.init(value, dates: dates, isNew: true)
    }

    /// - Parameter value: any of the members, as a merge patch (RFC 7396); none can be removed.
    /// - Throws: ``ServiceError`` that names every member at fault.
    public init(patching value: JSONValue, dates: DateEncoding) throws {
        try self.init(value, dates: dates, isNew: false)
    }

    private init(_ value: JSONValue, dates: DateEncoding, isNew: Bool) throws {
        var reader = try InputReader(value, dates: dates)
        if isNew {
            employeeNumber = reader.integer("employeeNumber", required: false, in: 1...Int64(Int32.max))
        }
        if let text = reader.text("firstName", required: isNew, maximumLength: 14) {
            columns.append(("first_name", .text(text)))
        }
        if let text = reader.text("lastName", required: isNew, maximumLength: 16) {
            columns.append(("last_name", .text(text)))
        }
        birthDate = reader.date("birthDate", required: isNew)
        if let birthDate { columns.append(("birth_date", .date(birthDate))) }
        if let gender = reader.choice("gender", required: isNew, of: ["M", "F"]) {
            columns.append(("gender", .text(gender)))
        }
        hireDate = reader.date("hireDate", required: isNew)
        if let hireDate { columns.append(("hire_date", .date(hireDate))) }
        if let birthDate, let hireDate, hireDate <= birthDate {
            reader.fail("hireDate", "must be later than birthDate")
        }
        try reader.finish()
    }
}

/// What a client says of a period: a title or a salary and when it is held, or when somebody is in a department.
public struct PeriodInput: Sendable {
    /// The column besides the period, where there is one.
    var column: (name: String, value: SQLValue)?
    let fromDate: CalendarDate
    let toDate: CalendarDate

    /// - Parameter value: `{"title":…,"fromDate":…,"toDate":…}`; without `toDate` it goes on.
    /// - Throws: ``ServiceError`` that names every member at fault.
    public init(title value: JSONValue, dates: DateEncoding) throws {
        try self.init(value, dates: dates) { reader in
            reader.text("title", required: true, maximumLength: 50).map { ("title", .text($0)) }
        }
    }

    /// - Parameter value: `{"salary":…,"fromDate":…,"toDate":…}`; without `toDate` it goes on.
    /// - Throws: ``ServiceError`` that names every member at fault.
    public init(salary value: JSONValue, dates: DateEncoding) throws {
        try self.init(value, dates: dates) { reader in
            reader.integer("salary", required: true, in: 1...Int64(Int32.max)).map { ("salary", .integer($0)) }
        }
    }

    /// - Parameter value: `{"fromDate":…,"toDate":…}`; without `toDate` it goes on.
    /// - Throws: ``ServiceError`` that names every member at fault.
    public init(assignment value: JSONValue, dates: DateEncoding) throws {
        try self.init(value, dates: dates) { _ in nil }
    }

    private init(
        _ value: JSONValue, dates: DateEncoding, column: (inout InputReader) -> (name: String, value: SQLValue)?
    ) throws {
        var reader = try InputReader(value, dates: dates)
        self.column = column(&reader)
        let from = reader.date("fromDate", required: true)
        let to = reader.date("toDate", required: false)
        if let from, let to, to < from { reader.fail("toDate", "must not be earlier than fromDate") }
        try reader.finish()
        guard let from else { throw ServiceError(.malformedBody, "fromDate is missing") }
        fromDate = from
        toDate = to ?? .openEnd
    }

    /// Whether it goes on.
    var isOpen: Bool { toDate == .openEnd }
}
