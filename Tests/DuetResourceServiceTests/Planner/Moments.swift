import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetResourceService

/// A table of dates, and a planner for it.
struct Moments {
    /// A column, and the type of the field with the same name.
    typealias Column = (name: String, column: String, type: FieldType)

    let database: Database
    let resource: Resource
    let planner: Planner

    /// Calls a closure with a table that has an `id` and a column for each field.
    /// - Parameter columns: The names and types of the columns. The fields have the names of the columns.
    static func with(
        _ backend: TestBackend, _ columns: [Column],
        _ body: (Moments) async throws -> Void
    ) async throws {
        let definitions = columns.map { "\(SQLIdentifier.quoted($0.name)) \($0.column)" }.joined(separator: ", ")
        let fields = columns.map { Field($0.name, $0.type, column: $0.name, isNullable: true, description: "A date.") }
        let resource = Resource(
            "moments", singular: "moment", type: "Moment", table: "moments", description: "A moment.",
            fields: [Field("id", .integer(), column: "id", description: "The number.")] + fields, key: ["id"])
        try await TestDatabase.with(backend, schema: false, configuration: DatabaseConfiguration(poolSize: 1)) {
            database in
            try await database.write {
                try $0.executeScript("CREATE TABLE moments (id INTEGER NOT NULL PRIMARY KEY, \(definitions))")
            }
            let catalogue = try Catalogue([resource], description: "Moments.")
            let planner = Planner(catalogue: catalogue, dialect: database.dialect)
            try await body(Moments(database: database, resource: resource, planner: planner))
        }
    }

    /// Inserts a row.
    /// - Parameter values: The values of the first columns after the identifier.
    func insert(_ rows: [[SQLValue]]) async throws {
        try await database.write { [resource] connection in
            let columns = resource.fields.map(\.column)
            let names = columns.map { ":\($0)" }.joined(separator: ", ")
            // An administrator can store any date.
            let prefix = connection.dialect == .mariaDB ? "SET STATEMENT sql_mode = 'ALLOW_INVALID_DATES' FOR " : ""
            for (index, row) in rows.enumerated() {
                var arguments: Arguments = ["id": .integer(index)]
                for (column, value) in zip(columns.dropFirst(), row) { arguments[column] = .value(value) }
                try connection.execute("\(prefix)INSERT INTO moments VALUES (\(names))", arguments)
            }
        }
    }

    /// Returns the parts of a field of all rows, separated by spaces.
    /// - Parameter row: The identifier of the only row.
    func parts(
        _ parts: [DatePart] = DatePart.allCases, of name: String, in zone: TimeZoneTable = .utc, row: Int? = nil
    ) async throws -> [String] {
        var draft = try StatementDraft(resource, planner)
        let field = try resource.requiredField(name)
        let expression = try draft.expression(of: field)
        var columns: [String] = []
        for part in parts {
            let part = try planner.datePart(part, of: field, expression, in: zone, of: resource, &draft.scope)
            columns.append(part.sql)
        }
        if let row { draft.source.conditions.append("t.id = \(row)") }
        let sql = draft.source.select(columns.joined(separator: ", ")) + " ORDER BY t.id"
        let arguments = draft.scope.arguments
        return try await database.read { connection in
            let rows = try connection.query(sql, arguments)
            defer { rows.close() }
            var texts: [String] = []
            while try rows.next() {
                texts.append(parts.indices.map { Self.text(rows.value(at: $0)) }.joined(separator: " "))
            }
            return texts
        }
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .text(let text): text
        default: "\(value)"
        }
    }
}
