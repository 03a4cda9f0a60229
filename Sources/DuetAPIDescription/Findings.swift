import DuetGraphQL
public import DuetJSON

/// The errors in a description of an API.
public struct DescriptionError: Error, Sendable, CustomStringConvertible {
    /// An error and its location.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The name of the file.
        public var file: String
        /// The line, starting from 1; nil if the error has no location, for example in an empty file.
        public var line: Int?
        /// The column, starting from 1; nil if the error has no location.
        public var column: Int?
        /// The message, which includes advice.
        public var message: String

        /// `api.yaml:12:7: …`
        public var description: String {
            let place = [file] + [line, column].compactMap { $0.map(String.init) }
            return "\(place.joined(separator: ":")): \(message)"
        }
    }

    /// The errors in the order of their locations. There is at least one error.
    public let findings: [Finding]

    /// The errors, one per line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}

/// A result of a validation: a contradiction between a description and a database, or an element of the database that
/// the description lacks. A finding contains its location in the description.
public struct SchemaFinding: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// Requests fail, or responses are wrong.
        case error
        /// Depending on the rows of the database, requests fail or are slow, or responses are wrong. A part of the
        /// description that has no effect is also a warning.
        case warning
        /// The database contains an element that the description lacks, or lacks an index that would serve requests.
        case note
    }

    /// The kind of a finding. The raw values do not change between versions.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The description itself contains an error.
        case description
        /// A table does not exist.
        case missingTable = "missing-table"
        /// A view or table cannot be read.
        case unreadableTable = "unreadable-table"
        /// A column does not exist.
        case missingColumn = "missing-column"
        /// The type of a field does not fit its column.
        case type
        /// The column is nullable, but the field is not.
        case nullable
        /// The key does not identify a row.
        case key
        /// The columns of a relation are not comparable.
        case relationColumns = "relation-columns"
        /// A to-one relation can lead to several rows.
        case severalRows = "several-rows"
        /// A required relation can lead to no row.
        case missingRow = "missing-row"
        /// A table is not part of any resource.
        case undescribedTable = "undescribed-table"
        /// A column is neither a field nor hidden.
        case undescribedColumn = "undescribed-column"
        /// A row contains NULL in a key.
        case nullInKey = "null-in-key"
        /// A row contains a value that its field does not allow.
        case value
        /// A role sees no resource.
        case unusedRole = "unused-role"
        /// An entry of a role has no effect.
        case unusedRule = "unused-rule"
        /// No row satisfies a condition of a role, a claim cannot have the types of its fields, or the role can create
        /// no row, because a required value is missing.
        case impossibleRule = "impossible-rule"
        /// The database cannot make a change that the description permits.
        case writes
        /// No index serves an order, a named filter or a relation.
        case missingIndex = "missing-index"
    }

    /// The severity.
    public var severity: Severity
    /// The kind.
    public var kind: Kind
    /// The name of the description's file; nil if the description was not read from a file.
    public var file: String?
    /// The line, starting from 1.
    public var line: Int?
    /// The column, starting from 1.
    public var column: Int?
    /// The name of the resource; nil for a finding that concerns no single resource.
    public var resource: String?
    /// The name of the field or relation, or of another member of the resource such as `key`; nil for a finding that
    /// concerns the whole resource.
    public var member: String?
    /// The message, which includes advice.
    public var message: String
    /// The SQL statements that create the missing indexes; empty for other findings.
    public var statements: [String] = []

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

    /// The finding as an object with the members `severity`, `kind` and `message`, with `file`, `line`, `column`,
    /// `resource` and `member` if they are not nil, and with `statements` if they are not empty.
    public var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("severity", .string(severity.rawValue)), ("kind", .string(kind.rawValue)),
        ]
        if let file { members.append(("file", .string(file))) }
        if let line { members.append(("line", .integer(Int64(line)))) }
        if let column { members.append(("column", .integer(Int64(column)))) }
        if let resource { members.append(("resource", .string(resource))) }
        if let member { members.append(("member", .string(member))) }
        members.append(("message", .string(message)))
        if !statements.isEmpty { members.append(("statements", .array(statements.map { .string($0) }))) }
        return .object(JSONObject(members))
    }
}

extension [SchemaFinding] {
    /// The findings with errors first and notes last. Findings of equal severity retain their order.
    public var sortedBySeverity: [SchemaFinding] {
        SchemaFinding.Severity.allCases.flatMap { severity in filter { $0.severity == severity } }
    }

    /// The findings in the order of their locations. Findings without a location come last and retain their order.
    public var sortedByPlace: [SchemaFinding] {
        enumerated().sorted { left, right in
            (left.element.line ?? .max, left.element.column ?? .max, left.offset)
                < (right.element.line ?? .max, right.element.column ?? .max, right.offset)
        }.map(\.element)
    }
}

extension DescriptionError {
    /// The errors as findings.
    public var schemaFindings: [SchemaFinding] {
        findings.map {
            SchemaFinding(.error, .description, file: $0.file, line: $0.line, column: $0.column, message: $0.message)
        }
    }
}

/// Suggests the name that is most similar to an unknown name. The number of suggestions is limited, because each
/// suggestion requires a comparison with all names.
struct NearestName {
    private var remaining = 100

    /// Returns the most similar name; nil if no name is similar, or if the limit is reached.
    mutating func of(_ name: String, among names: @autoclosure () -> [String]) -> String? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        return Suggestions.nearest(to: name, among: names()).first
    }

    /// Returns `; did you mean name?` with the most similar name, or `other` if ``of(_:among:)`` returns nil.
    mutating func hint(_ name: String, among names: @autoclosure () -> [String], else other: String = "") -> String {
        of(name, among: names()).map { "; did you mean \($0)?" } ?? other
    }
}
