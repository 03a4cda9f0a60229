import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// A row of an import.
struct ImportRow {
    /// The value of each member of the write's input; nil for an absent member.
    let values: [SQLValue?]
    /// The number of the line in which the row begins, from 1.
    let line: Int
    /// The number of bytes of the row in the body.
    let size: Int
}

/// Reads the rows of an import. The rules for a row are those for the input of a write.
final class ImportRows {
    /// A member of the input.
    private final class Member {
        let field: Field
        /// The name in UTF-8.
        let name: [UInt8]
        let isRequired: Bool

        init(_ input: Write.Input) {
            field = input.field
            name = Array(input.field.name.utf8)
            isRequired = input.isRequired
        }
    }

    private let members: [Member]
    private let requiredCount: Int
    private let bytes: ImportBytes
    private let format: ImportBody.Format
    /// Reads a row completely, and throws an error with all invalid members.
    private let check: (JSONValue) throws -> RowValues
    /// The rules for combinations of values; nil if there are none.
    private let hook: (any ChangeHook)?
    private var reader: InputReader
    private var objects = JSONMemberReader()
    /// For each column of CSV, the index of the member.
    private var columns: [Int] = []
    /// The values of a record of CSV.
    private var cells: [String?] = []

    init(_ body: ImportBody, _ write: Write, _ context: InputContext) throws {
        members = write.input.map(Member.init)
        requiredCount = members.count(where: \.isRequired)
        bytes = ImportBytes(body)
        format = body.format
        check = { try InputReader.values(of: $0, for: write, in: context) }
        hook = context.hooks[write.resource]
        reader = InputReader(context: context)
        if format == .csv { columns = try header() }
    }

    /// Returns the next row; nil at the end of the body.
    /// - Throws: ``ServiceError`` with the line and the code `malformed-body` or `validation-failed`; an error of the
    ///   source.
    func next() throws -> ImportRow? {
        guard let record = try bytes.next() else { return nil }
        guard record.bytes.isEmpty else { return try format == .csv ? csvRow(record) : jsonRow(record) }
        guard try bytes.next() == nil else { throw ServiceError(malformed: "the line is empty", line: record.line) }
        return nil
    }

    // MARK: NDJSON

    private func jsonRow(_ record: ImportBytes.Record) throws -> ImportRow {
        if hook == nil, let values = values(record.bytes) { return row(values, of: record) }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: record.bytes)
        } catch {
            throw ServiceError(malformed: "\(error.message) at byte \(error.column) of the line", line: record.line)
        }
        guard case .object = value else {
            throw ServiceError(malformed: "the row must be a JSON object, not \(value.typeName)", line: record.line)
        }
        do {
            let row = try check(value)
            return self.row(members.map { row[$0.field.name] }, of: record)
        } catch let error as ServiceError {
            throw error.located(line: record.line)
        }
    }

    /// Returns the values of a valid row; nil for any other text.
    private func values(_ object: UnsafeRawBufferPointer) -> [SQLValue?]? {
        var values = [SQLValue?](repeating: nil, count: members.count)
        var (last, required) = (-1, 0)
        let isValid = objects.read(object) { name, value in
            guard let index = index(of: name, after: last), !values[index].isPresent else { return false }
            let member = members[index]
            guard let stored = reader.storedValue(value, of: member.field) else { return false }
            values[index] = stored
            if member.isRequired { required += 1 }
            last = index
            return true
        }
        return isValid && required == requiredCount ? values : nil
    }

    /// Returns the index of a member. Most rows have their members in the same order.
    private func index(of name: UnsafeRawBufferPointer, after last: Int) -> Int? {
        let next = last + 1
        if next < members.count, isName(name, of: members[next]) { return next }
        return members.firstIndex { isName(name, of: $0) }
    }

    private func isName(_ name: UnsafeRawBufferPointer, of member: Member) -> Bool {
        member.name.withUnsafeBytes { $0.hasSameBytes(as: name) }
    }

    // MARK: CSV

    /// Reads the names of the columns.
    /// - Returns: The index of the member for each column.
    private func header() throws -> [Int] {
        guard let record = try bytes.next(), !record.bytes.isEmpty else {
            throw ServiceError(malformed: "the first line must contain the names of the fields", line: 1)
        }
        var names: [String?] = []
        try ImportCSV.read(record, into: &names)
        var columns: [Int] = []
        for (position, name) in names.enumerated() {
            guard var name else {
                throw ServiceError(malformed: "the name of the column is missing", line: 1, column: position + 1)
            }
            let found = name.withUTF8 { index(of: UnsafeRawBufferPointer($0), after: columns.last ?? -1) }
            guard let index = found else {
                let valid = members.map(\.field.name).sorted().joined(separator: ", ")
                throw ServiceError(invalid: [
                    .init(field: name, message: "is unknown; valid members are \(valid)")
                ]).located(line: 1, column: position + 1)
            }
            guard !columns.contains(index) else {
                throw ServiceError(malformed: "the column \(name) occurs twice", line: 1, column: position + 1)
            }
            columns.append(index)
        }
        let missing = members.indices.filter { members[$0].isRequired && !columns.contains($0) }
            .map { members[$0].field.name }
        guard missing.isEmpty else {
            throw ServiceError(invalid: missing.map { .init(field: $0, message: "is missing") }).located(line: 1)
        }
        return columns
    }

    private func csvRow(_ record: ImportBytes.Record) throws -> ImportRow {
        try ImportCSV.read(record, into: &cells)
        guard cells.count == columns.count else {
            throw ServiceError(
                malformed: "the row has \(cells.count) values, but the first line has \(columns.count) names",
                line: record.line)
        }
        var values = [SQLValue?](repeating: nil, count: members.count)
        var invalidColumn: Int?
        for (position, cell) in cells.enumerated() {
            let index = columns[position]
            let member = members[index]
            if let cell {
                values[index] = reader.value(ofCell: cell, of: member.field)
            } else if member.isRequired {
                reader.fail(member.field.name, "is missing")
            }
            if invalidColumn == nil, !reader.errors.isEmpty { invalidColumn = position + 1 }
        }
        var errors = reader.errors
        if let hook { hook.validate(row(values), &errors) }
        guard errors.isEmpty else {
            throw ServiceError(invalid: errors).located(line: record.line, column: invalidColumn)
        }
        return self.row(values, of: record)
    }

    private func row(_ values: [SQLValue?], of record: ImportBytes.Record) -> ImportRow {
        ImportRow(values: values, line: record.line, size: record.bytes.count)
    }

    /// Returns the values of a row by the names of the members.
    func row(_ values: [SQLValue?]) -> RowValues {
        var row = RowValues()
        for (member, value) in zip(members, values) { row[member.field.name] = value }
        return row
    }
}

extension SQLValue? {
    /// True for a value, which can be NULL.
    var isPresent: Bool { if case .some = self { true } else { false } }
}

extension InputReader {
    /// Returns the value of a text in CSV, which has the format of a text in a path or a query.
    fileprivate mutating func value(ofCell text: String, of field: Field) -> SQLValue? {
        guard let value = Self.json(text, of: field.type) else {
            fail(
                field.name, field.type == .json ? "must be JSON" : "must be \(ValueReader.requirement(of: field.type))")
            return nil
        }
        return storedValue(value, of: field)
    }

    private static func json(_ text: String, of type: FieldType) -> JSONValue? {
        switch type {
        case .integer: return ValueReader.integer(text).map { .integer($0) }
        case .number: return ValueReader.number(text).map { .double($0) }
        case .boolean:
            guard text == "true" || text == "false" else { return nil }
            return .bool(text == "true")
        case .json: return try? JSONValue(parsing: text.utf8)
        default: return .string(text)
        }
    }
}
