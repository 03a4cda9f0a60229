import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// A row of an import.
struct ImportRow {
    /// The value of each member of the write's input; nil for an absent member.
    let values: [SQLValue?]
    /// The number of the line in which the row begins, from 1.
    let line: Int
}

/// Reads the rows of an import. The rules for a row are those for the input of a write.
final class ImportRows {
    private let input: [Write.Input]
    private let bytes: ImportBytes
    private let format: ImportBody.Format
    /// Reads a row completely, and throws an error with all invalid members.
    private let check: (JSONValue) throws -> RowValues
    /// The rules for combinations of values; nil if there are none.
    private let hook: (any ChangeHook)?
    private let reader: InputReader
    private let required: [Int]
    /// For each column of CSV, the index of the member.
    private var columns: [Int] = []

    init(_ body: ImportBody, _ write: Write, _ context: InputContext) throws {
        input = write.input
        bytes = ImportBytes(body)
        format = body.format
        check = { try InputReader.values(of: $0, for: write, in: context) }
        hook = context.hooks[write.resource]
        reader = InputReader(context: context)
        required = input.indices.filter { write.input[$0].isRequired }
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
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: record.bytes)
        } catch {
            throw ServiceError(malformed: "\(error.message) at byte \(error.column) of the line", line: record.line)
        }
        guard case .object(let object) = value else {
            throw ServiceError(malformed: "the row must be a JSON object, not \(value.typeName)", line: record.line)
        }
        var values = [SQLValue?](repeating: nil, count: input.count)
        var reader = reader
        var isValid = hook == nil
        var last = -1
        for member in object.members {
            guard let index = index(of: member.key, after: last) else {
                isValid = false
                break
            }
            values[index] = reader.storedValue(member.value, of: input[index].field)
            last = index
        }
        if isValid, reader.errors.isEmpty, required.allSatisfy({ values[$0].isPresent }) {
            return ImportRow(values: values, line: record.line)
        }
        do {
            let row = try check(value)
            return ImportRow(values: input.map { row[$0.field.name] }, line: record.line)
        } catch let error as ServiceError {
            throw error.located(line: record.line)
        }
    }

    /// Returns the index of a member. Most rows have their members in the same order.
    private func index(of name: String, after last: Int) -> Int? {
        let next = last + 1
        if next < input.count, input[next].field.name.hasSameUTF8(as: name) { return next }
        return input.firstIndex { $0.field.name.hasSameUTF8(as: name) }
    }

    // MARK: CSV

    /// Reads the names of the columns.
    /// - Returns: The index of the member for each column.
    private func header() throws -> [Int] {
        guard let record = try bytes.next(), !record.bytes.isEmpty else {
            throw ServiceError(malformed: "the first line must contain the names of the fields", line: 1)
        }
        let names = try ImportCSV.values(record)
        var columns: [Int] = []
        for (position, name) in names.enumerated() {
            guard let name else {
                throw ServiceError(malformed: "the name of the column is missing", line: 1, column: position + 1)
            }
            guard let index = index(of: name, after: columns.last ?? -1) else {
                let valid = input.map(\.field.name).sorted().joined(separator: ", ")
                throw ServiceError(invalid: [
                    .init(field: name, message: "is unknown; valid members are \(valid)")
                ]).located(line: 1, column: position + 1)
            }
            guard !columns.contains(index) else {
                throw ServiceError(malformed: "the column \(name) occurs twice", line: 1, column: position + 1)
            }
            columns.append(index)
        }
        let missing = required.filter { !columns.contains($0) }.map { input[$0].field.name }
        guard missing.isEmpty else {
            throw ServiceError(invalid: missing.map { .init(field: $0, message: "is missing") }).located(line: 1)
        }
        return columns
    }

    private func csvRow(_ record: ImportBytes.Record) throws -> ImportRow {
        let cells = try ImportCSV.values(record)
        guard cells.count == columns.count else {
            throw ServiceError(
                malformed: "the row has \(cells.count) values, but the first line has \(columns.count) names",
                line: record.line)
        }
        var values = [SQLValue?](repeating: nil, count: input.count)
        var reader = reader
        var invalidColumn: Int?
        for (position, cell) in cells.enumerated() {
            let index = columns[position]
            if let cell {
                values[index] = reader.value(ofCell: cell, of: input[index].field)
            } else if input[index].isRequired {
                reader.fail(input[index].field.name, "is missing")
            }
            if invalidColumn == nil, !reader.errors.isEmpty { invalidColumn = position + 1 }
        }
        var errors = reader.errors
        hook?.validate(row(values), &errors)
        guard errors.isEmpty else {
            throw ServiceError(invalid: errors).located(line: record.line, column: invalidColumn)
        }
        return ImportRow(values: values, line: record.line)
    }

    /// Returns the values of a row by the names of the members.
    func row(_ values: [SQLValue?]) -> RowValues {
        var row = RowValues()
        for (input, value) in zip(input, values) { row[input.field.name] = value }
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
