import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import NIOCore

/// Makes new rows of a resource from its existing rows. A new row has the values of an existing row, except for unique
/// values, which are new, and for values that the database sets.
struct NewRows: Sendable {
    let resource: Resource
    /// Existing rows, with all their readable fields.
    let rows: [JSONObject]
    /// The functions that return a new value for the execution with a number, by the names of the fields.
    private let fresh: [String: @Sendable (Int) -> JSONValue]
    private let uniqueKeys: [[String]]
    private let references: Set<String>
    /// The name of the mutation that creates several rows; nil if there is none.
    let createManyName: String?
    /// The names of the fields that cannot be read.
    private let unreadable: Set<String>

    /// The number of existing rows that are read.
    private static let count = 100

    /// Reads the existing rows.
    /// - Throws: `DatabaseError` if the database cannot be read; any other error if the resource cannot be read.
    init(_ resource: Resource, _ service: ResourceService, _ readable: ReadableFields) async throws {
        self.resource = resource
        let fields = resource.fields.filter { $0.type != .json && readable.contains($0.name, of: resource.name) }
        let selection = Selection(fields.map { .field(name: $0.name, $0.name) })
        let answer = try await service.answer(
            Question(.list(resource: resource.name, Window(first: Self.count)), .list(.array(selection))))
        guard case .array(let rows) = try JSONValue(parsing: answer.body.readableBytesView) else {
            throw UnexpectedAnswer("\(resource.name) has no list")
        }
        self.rows = rows.compactMap { if case .object(let row) = $0 { row } else { nil } }
        let readableNames = Set(fields.map(\.name))
        unreadable = Set(resource.fields.map(\.name).filter { !readableNames.contains($0) })
        createManyName =
            service.catalogue.writes.first {
                $0.resource == resource.name && $0.origin == .derived && $0.kind == .insert && $0.isMany
            }?.name
        let table = service.catalogue.constraints[resource.table]
        func names(_ columns: [String]) -> [String] {
            columns.compactMap { column in
                resource.fields.first { $0.relation == nil && $0.column.lowercased() == column.lowercased() }?.name
            }
        }
        uniqueKeys = [resource.key] + table.unique.map { names($0.columns) }.filter { !$0.isEmpty }
        references = Set(table.references.flatMap { names($0.columns) })
        var fresh: [String: @Sendable (Int) -> JSONValue] = [:]
        for name in Set(uniqueKeys.flatMap(\.self)) {
            guard let field = resource.field(name), !references.contains(name) else { continue }
            // The values of a role's new rows do not depend on rows that the role does not see.
            let visible = service.catalogue.view != .whole ? self.rows.compactMap { $0[name] } : nil
            fresh[name] = try await Self.freshValues(
                of: field, resource, self.rows.first?[name], visible, service.database)
        }
        self.fresh = fresh
    }

    /// Returns a new row.
    /// - Parameters:
    ///   - number: The number of the execution. Rows with different numbers have different unique values.
    ///   - index: The index of the existing row that is the model.
    ///   - excluded: The names of the fields that another part of the request sets: a reference to a new row.
    /// - Throws: ``NoRow`` with the reason why there is no valid row.
    func row(_ number: Int, like index: Int = 0, without excluded: [String] = []) throws -> JSONObject {
        guard let create = resource.writes.create else { throw NoRow("rows of \(resource.name) cannot be created") }
        guard rows.indices.contains(index) else { throw NoRow("\(resource.name) has no row to start from") }
        let model = rows[index]
        var row = JSONObject()
        for name in create.fields where !excluded.contains(name) {
            guard let field = resource.field(name), field.databaseValue == nil else { continue }
            guard !unreadable.contains(name) else {
                guard field.isNullable else { throw NoRow("the values of \(resource.name).\(name) cannot be read") }
                continue
            }
            if let value = model[name], value != .null { row[name] = value }
        }
        for key in uniqueKeys {
            // A key is new if it has a reference to a new row, a value that the database sets, or NULL.
            let isNew = key.contains { name in
                excluded.contains(name) || resource.field(name)?.databaseValue != nil || row[name] == nil
            }
            guard !isNew else { continue }
            guard let name = key.first(where: { fresh[$0] != nil }), let value = fresh[name] else {
                throw NoRow("a new row of \(resource.name) needs new values of \(key.joined(separator: ", "))")
            }
            row[name] = value(number)
        }
        return row
    }

    /// Returns the indices of up to `count` existing rows that are models of new rows with the same parent row. Their
    /// other values of unique keys differ from each other.
    func models(_ count: Int, without excluded: [String]) -> [Int] {
        let keys = uniqueKeys.filter { $0.contains(where: excluded.contains) }
            .map { $0.filter { !excluded.contains($0) && fresh[$0] == nil } }.filter { !$0.isEmpty }
        var seen = keys.map { _ in Set<[JSONValue]>() }
        var found: [Int] = []
        for index in rows.indices where found.count < count {
            let values = keys.map { key in key.map { rows[index][$0] ?? .null } }
            guard zip(seen, values).allSatisfy({ !$0.contains($1) }) else { continue }
            for (position, value) in values.enumerated() { seen[position].insert(value) }
            found.append(index)
        }
        return found
    }

    /// Two different valid values of a field that a request can change in the first row: the stored value, and another
    /// one. The values of other rows are preferred, because they satisfy the rules of the database.
    struct Alternative: Sendable {
        let field: String
        let stored: JSONValue
        let other: JSONValue
    }

    /// The fields of the first row that an update can change, texts first.
    var alternatives: [Alternative] { rows.first.map(alternatives) ?? [] }

    /// Returns the fields of a row that an update can change, texts first.
    func alternatives(of row: JSONObject) -> [Alternative] {
        guard let update = resource.writes.update else { return [] }
        let unique = Set(uniqueKeys.flatMap(\.self))
        let found = update.fields.compactMap { name -> (isText: Bool, Alternative)? in
            guard let field = resource.field(name), !unique.contains(name), !references.contains(name),
                let stored = row[name], stored != .null
            else { return nil }
            let isText = if case .text = field.type { true } else { false }
            let others = rows.lazy.compactMap { $0[name] }.filter { $0 != .null && $0 != stored }
            guard let other = others.first ?? Self.changed(stored, field.type) else { return nil }
            return (isText, Alternative(field: name, stored: stored, other: other))
        }
        return found.filter(\.isText).map(\.1) + found.filter { !$0.isText }.map(\.1)
    }

    /// Returns a value that differs from a value in its last letter or digit; nil for other types.
    private static func changed(_ value: JSONValue, _ type: FieldType) -> JSONValue? {
        switch (type, value) {
        case (.text, .string(let text)):
            guard let last = text.last, last.isASCII, last.isLetter else { return nil }
            return .string(String(text.dropLast()) + (last == "a" ? "b" : "a"))
        case (.integer(let range), .integer(let number)):
            return range.contains(number + 1) ? .integer(number + 1) : nil
        default: return nil
        }
    }

    // MARK: New values

    /// Returns a function that makes new values of a unique field; nil if the values of its type cannot be made.
    /// - Parameter visible: The values from which new numbers are made; nil for all values in the database.
    private static func freshValues(
        of field: Field, _ resource: Resource, _ example: JSONValue?, _ visible: [JSONValue]?, _ database: Database
    ) async throws -> (@Sendable (Int) -> JSONValue)? {
        switch field.type {
        case .text(let maximum):
            return texts(like: example, maximum: maximum ?? 40)
        case .identifier(let maximum): return texts(like: nil, maximum: maximum)
        case .integer(let range):
            guard let first = try await maximum(field, resource, visible, database), range.contains(first + 10_000_000)
            else {
                return nil
            }
            return { .integer(first + 1 + Int64($0)) }
        case .bigInteger(_, let form):
            guard let first = try await maximum(field, resource, visible, database), first < Int64.max - 10_000_000
            else {
                return nil
            }
            return { number in
                let value = first + 1 + Int64(number)
                return form == .string ? .string(String(value)) : .integer(value)
            }
        case .uuid:
            let start = UInt64.random(in: 0..<(1 << 40))
            return { number in
                let digits = String(start + UInt64(number), radix: 16)
                return .string("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
            }
        default: return nil
        }
    }

    /// Returns texts of equal length: letters and digits, followed by the domain of an example with `@`.
    private static func texts(like example: JSONValue?, maximum: Int) -> (@Sendable (Int) -> JSONValue)? {
        var suffix = ""
        if case .string(let text)? = example, let at = text.lastIndex(of: "@") { suffix = String(text[at...]) }
        let width = min(9, maximum - suffix.count)
        guard width >= 3 else { return nil }
        var numbers: UInt64 = 1
        for _ in 0..<(width - 1) { numbers *= 36 }
        let (start, size, end) = (UInt64.random(in: 0..<numbers), numbers, suffix)
        return { number in
            let digits = String((start + UInt64(number)) % size, radix: 36)
            return .string("w" + String(repeating: "0", count: width - 1 - digits.count) + digits + end)
        }
    }

    private static func maximum(
        _ field: Field, _ resource: Resource, _ visible: [JSONValue]?, _ database: Database
    ) async throws -> Int64? {
        if let visible {
            let numbers = visible.map { value in
                if case .string(let text) = value { Int64(text) } else { value.integerValue }
            }
            return numbers.compactMap(\.self).max()
        }
        let (column, table) = (SQLIdentifier.quoted(field.column), SQLIdentifier.quoted(resource.table))
        return try await database.read { connection in
            let rows = try connection.query("SELECT MAX(\(column)) FROM \(table)")
            defer { rows.close() }
            guard try rows.next(), case .integer(let number) = rows.value(at: 0) else { return nil }
            return number
        }
    }
}

/// The reason why no valid row can be made.
struct NoRow: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
