public import DuetJSON

/// A difference between a description and a database that clients can notice, and its place in the description.
public struct SchemaFinding: Sendable, Hashable, CustomStringConvertible {
    /// The effect of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Requests fail, or their answers are wrong.
        case error
        /// Some rows, which the database allows, make requests fail or their answers wrong.
        case warning
        /// The database has more than the description.
        case note
    }

    /// The kind of a finding, which does not change between versions.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The description itself has a mistake.
        case description
        /// A table does not exist.
        case missingTable = "missing-table"
        /// A view or table cannot be read.
        case unreadableTable = "unreadable-table"
        /// A column does not exist.
        case missingColumn = "missing-column"
        /// The type of a field does not fit its column.
        case type
        /// A column can be NULL, and its field cannot.
        case nullable
        /// The key does not identify a row.
        case key
        /// The columns of a relation do not compare.
        case relationColumns = "relation-columns"
        /// Several rows can belong by a relation to one row.
        case severalRows = "several-rows"
        /// No row can belong by a relation that is required.
        case missingRow = "missing-row"
        /// No resource shows a table.
        case undescribedTable = "undescribed-table"
        /// No field shows a column, and it is not hidden.
        case undescribedColumn = "undescribed-column"
        /// A row has NULL in a key.
        case nullInKey = "null-in-key"
        /// A row has a value that its field cannot have.
        case value
    }

    /// The effect.
    public var severity: Severity
    /// The kind.
    public var kind: Kind
    /// The name of the description's file; nil for a description that was not read from one.
    public var file: String?
    /// The line, from 1.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// The resource; nil for a finding about the database.
    public var resource: String?
    /// The field, relation or member of the resource.
    public var member: String?
    /// The sentence, which says what to do.
    public var message: String

    /// Creates a finding.
    public init(
        _ severity: Severity, _ kind: Kind, file: String? = nil, line: Int? = nil, column: Int? = nil,
        resource: String? = nil, member: String? = nil, message: String
    ) {
        self.severity = severity
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.resource = resource
        self.member = member
        self.message = message
    }

    /// `api.yaml:12:7: error: …`
    public var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
        return (place.isEmpty ? "" : "\(place): ") + "\(severity.rawValue): \(message)"
    }

    /// The finding as an object with the members `severity`, `kind` and `message`, and with its place as far as it
    /// has one.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("severity", .string(severity.rawValue)), ("kind", .string(kind.rawValue)),
        ]
        if let file { members.append(("file", .string(file))) }
        if let line { members.append(("line", .integer(Int64(line)))) }
        if let column { members.append(("column", .integer(Int64(column)))) }
        if let resource { members.append(("resource", .string(resource))) }
        if let member { members.append(("member", .string(member))) }
        return .object(JSONObject(members + [("message", .string(message))]))
    }
}

extension [SchemaFinding] {
    /// The findings with errors first and notes last, each kind in the order that it has.
    public var sortedBySeverity: [SchemaFinding] {
        SchemaFinding.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
    }

    /// The findings in the order of their places; those without a place come last, in the order that they have.
    public var sortedByPlace: [SchemaFinding] {
        enumerated().sorted { left, right in
            (left.element.line ?? .max, left.element.column ?? .max, left.offset)
                < (right.element.line ?? .max, right.element.column ?? .max, right.offset)
        }.map(\.element)
    }
}

extension DescriptionError {
    /// The mistakes as findings.
    public var schemaFindings: [SchemaFinding] {
        findings.map {
            SchemaFinding(.error, .description, file: $0.file, line: $0.line, column: $0.column, message: $0.message)
        }
    }
}
