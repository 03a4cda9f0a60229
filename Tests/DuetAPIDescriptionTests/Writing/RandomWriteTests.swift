import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import SeededTesting
import ServerTestSupport
import TestSupport
import Testing

@Suite("Random writes") struct RandomWriteTests {
    @Test(
        "After random writes over REST and GraphQL, the tables equal those of an evaluation in memory",
        arguments: TestBackend.available)
    func writes(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(2) {
            var random = SplitMix64(seed: seed &+ 3_000)
            let schema = RandomSchema(ignoresCase: !seed.isMultiple(of: 2), &random)
            try await TestDatabase.with(backend, schema: false) { database in
                try await database.write { [script = schema.script(backend)] in try $0.executeScript(script) }
                let described = try await database.read { try DatabaseSchema.read($0) }
                let catalogue = try Self.writable(IntrospectedDescription(of: described).api).fitted(to: described)
                    .catalogue
                let service = ResourceService(catalogue, database: database, encoding: ValueEncoding(dates: .iso))
                try await ServiceServer.with(service) { [random] server async throws in
                    var random = random
                    var model = RandomWriteModel(schema: schema, catalogue: catalogue)
                    for step in 0..<40 {
                        guard let write = model.write(&random) else { continue }
                        let name = "seed \(seed), step \(step), \(backend): \(write)"
                        let outcome = try await write.send(to: server, overGraphQL: Bool.random(using: &random))
                        let expected = model.perform(write, outcome)
                        #expect(expected.contains(outcome), "\(name)")
                        guard step.isMultiple(of: 4), let resource = catalogue[write.resource.name] else { continue }
                        let rows = try await server.get("/\(resource.name)?first=1000").body
                        #expect(rows == model.list(resource), "\(name)")
                    }
                }
            }
        }
    }

    /// Returns the API with writes of all resources.
    private static func writable(_ api: APIDescription) throws -> APIDescription {
        let resources = api.catalogue.resources.map { resource in
            var copy = resource
            copy.writes = .permitting([.create, .update, .delete], of: resource)
            return copy
        }
        return APIDescription(try Catalogue(resources, description: api.catalogue.description))
    }
}

/// A random write of one row.
struct RandomWrite: CustomStringConvertible {
    enum Kind: CaseIterable {
        case create, update, delete
    }

    /// The result of a write, as both styles report it.
    enum Outcome: Hashable {
        /// The row after the write; nil after a delete.
        case done(String?)
        case invalid, conflict, missing
    }

    let kind: Kind
    let resource: Resource
    /// The values of the key, in the order of the key; empty for a new row.
    let key: [RandomValue]
    /// The given fields.
    let values: [(field: String, value: RandomValue)]

    var description: String { "\(kind) \(resource.name) \(key.map(\.json)) \(body)" }

    private var body: String {
        "{\(values.map { "\"\($0.field)\":\($0.value.json)" }.joined(separator: ","))}"
    }

    func send(to server: ServiceServer, overGraphQL: Bool) async throws -> Outcome {
        overGraphQL ? try await execute(on: server) : try await request(from: server)
    }

    private func request(from server: ServiceServer) async throws -> Outcome {
        let texts = key.map { $0.json.hasPrefix("\"") ? RawJSON.text($0.json) : $0.json }
        let item = "/\(resource.name)/\(KeySegment.text(texts))"
        let answer =
            switch kind {
            case .create: try await server.send("POST", "/\(resource.name)", body: body)
            case .update: try await server.send("PATCH", item, body: body)
            case .delete: try await server.send("DELETE", item)
            }
        return switch answer.status {
        case 200, 201: .done(answer.body)
        case 204: .done(nil)
        case 404: .missing
        case 409: .conflict
        case 422: .invalid
        default: throw UnexpectedAnswer(text: "\(self): \(answer.body)")
        }
    }

    private func execute(on server: ServiceServer) async throws -> Outcome {
        let input = "{\(values.map { "\($0.field): \($0.value.json)" }.joined(separator: ", "))}"
        let arguments = zip(resource.itemArguments, key).map { argument, value in
            let isFraction = argument.name == "id" && value.json.contains(/^-?[0-9]+[.e]/)
            return "\(argument.name): \(isFraction ? "\"\(value.json)\"" : value.json)"
        }
        let row = "\(resource.singular) { \(resource.fields.map(\.name).joined(separator: " ")) }"
        let (name, given, shown) =
            switch kind {
            case .create: ("create\(resource.type)", ["input: \(input)"], row)
            case .update: ("update\(resource.type)", arguments + ["patch: \(input)"], row)
            case .delete: ("delete\(resource.type)", arguments, "deletedId")
            }
        let document = "mutation { m: \(name)(\(given.joined(separator: ", "))) { \(shown) errors { __typename } } }"
        let answer = try await server.send(
            "POST", "/graphql", body: JSONValue.object(["query": .string(document)]).compactText)
        let payload = RawJSON.member(answer.body, "data", "m")
        guard let error = RawJSON.elements(RawJSON.member(payload, "errors")).first else {
            // The values of required arguments are checked by the validation of the document.
            if answer.body.contains("GRAPHQL_VALIDATION_FAILED") { return .invalid }
            guard payload.hasPrefix("{") else { throw UnexpectedAnswer(text: "\(self): \(answer.body)") }
            return .done(kind == .delete ? nil : RawJSON.member(payload, resource.singular))
        }
        return switch RawJSON.text(RawJSON.member(error, "__typename")) {
        case "NotFoundError": .missing
        case "ConflictError": .conflict
        case "InvalidInputError": .invalid
        default: throw UnexpectedAnswer(text: "\(self): \(answer.body)")
        }
    }

    struct UnexpectedAnswer: Error { let text: String }
}

/// The tables in memory, and what writes do to them.
struct RandomWriteModel {
    private(set) var schema: RandomSchema
    let catalogue: Catalogue

    typealias Row = [String: RandomValue]

    // MARK: Writes

    /// Returns a random write. Some of them are not possible.
    func write(_ random: inout SplitMix64) -> RandomWrite? {
        guard let resource = catalogue.resources.randomElement(using: &random),
            let table = schema.table(resource.table), let kind = RandomWrite.Kind.allCases.randomElement(using: &random)
        else { return nil }
        // A resource that has only its key has no updates.
        if kind == .update, resource.fields.allSatisfy({ resource.key.contains($0.name) }) { return nil }
        var key: [RandomValue] = []
        if kind != .create {
            let row = table.rows.randomElement(using: &random)
            key = table.key.map { name in
                row?[name] ?? table.columns.first { $0.name == name }?.type.value(&random) ?? .null
            }
        }
        let values = kind == .delete ? [] : self.values(of: resource, table, isNew: kind == .create, &random)
        return RandomWrite(kind: kind, resource: resource, key: key, values: values)
    }

    private func values(
        of resource: Resource, _ table: RandomTable, isNew: Bool, _ random: inout SplitMix64
    ) -> [(field: String, value: RandomValue)] {
        var values: [String: RandomValue] = [:]
        for column in table.columns where isNew || !table.key.contains(column.name) {
            let isOmitted = Int.random(in: 0..<(isNew ? column.isNullable ? 3 : 20 : 2), using: &random) == 0
            guard !isOmitted else { continue }
            values[column.name] =
                Int.random(in: 0..<8, using: &random) == 0 ? .null : column.type.value(&random)
        }
        // Most references lead to existing rows.
        for reference in table.references where Int.random(in: 0..<4, using: &random) > 0 {
            guard let other = schema.table(reference.table)?.rows.randomElement(using: &random) else { continue }
            for (column, key) in zip(reference.columns, reference.referenced) where values[column] != nil {
                values[column] = other[key]
            }
        }
        return resource.fields.compactMap { field in values[field.column].map { (field.name, $0) } }
    }

    /// Performs a write.
    /// - Parameter outcome: The outcome in the database. It decides where the databases differ.
    /// - Returns: The possible outcomes. If a write violates several rules, the database reports one of them.
    mutating func perform(_ write: RandomWrite, _ outcome: RandomWrite.Outcome) -> Set<RandomWrite.Outcome> {
        guard let table = schema.table(write.resource.table) else { return [] }
        let given = Dictionary(
            write.values.map { (write.resource.field($0.field)?.column ?? "", $0.value) }, uniquingKeysWith: { $1 })
        var row = Row(uniqueKeysWithValues: table.columns.map { ($0.name, RandomValue.null) })
        var index: Int?
        if write.kind != .create {
            index = table.rows.firstIndex { isEqual(table.key(of: $0), write.key) }
        }
        if write.kind != .delete {
            // The values are checked before the row is searched.
            for column in table.columns where !column.isNullable {
                if write.kind == .create ? given[column.name] ?? .null == .null : given[column.name] == .null {
                    return [.invalid]
                }
            }
        }
        if write.kind != .create {
            guard let index else { return [.missing] }
            row = table.rows[index]
        }
        if write.kind == .delete {
            guard let index, !isReferenced(row, of: table) else { return [.conflict] }
            // MariaDB does not remove a row that refers to itself.
            if outcome == .conflict, refersToItself(row, of: table) { return [.conflict] }
            schema.change(table.name) { $0.remove(at: index) }
            return [.done(nil)]
        }
        row.merge(given) { $1 }
        var outcomes: Set<RandomWrite.Outcome> = []
        let key = table.key(of: row)
        if write.kind == .create, table.rows.contains(where: { isEqual(table.key(of: $0), key) }) {
            outcomes.insert(.conflict)
        }
        let isDangling = table.references.contains { reference in
            guard write.kind == .create || reference.columns.contains(where: { given[$0] != nil }) else { return false }
            let values = reference.columns.map { row[$0] ?? .null }
            guard !values.contains(.null) else { return false }
            let isOwn = reference.table == table.name && isEqual(key, values)
            return !isOwn
                && schema.table(reference.table)?.rows.contains { other in
                    isEqual(reference.referenced.map { other[$0] ?? .null }, values)
                } != true
        }
        if isDangling { outcomes.insert(.invalid) }
        guard outcomes.isEmpty else { return outcomes }
        schema.change(table.name) { rows in
            if let index { rows[index] = row } else { rows.append(row) }
        }
        return [.done(object(write.resource, row))]
    }

    private func isEqual(_ left: [RandomValue], _ right: [RandomValue]) -> Bool {
        zip(left, right).allSatisfy { schema.compare($0, $1) == 0 }
    }

    /// True if another row refers to a row.
    private func isReferenced(_ row: Row, of table: RandomTable) -> Bool {
        let key = table.key(of: row)
        return schema.tables.contains { other in
            other.references.contains { reference in
                guard reference.table == table.name else { return false }
                return other.rows.contains { candidate in
                    let values = reference.columns.map { candidate[$0] ?? .null }
                    let isSelf = other.name == table.name && isEqual(other.key(of: candidate), key)
                    return !isSelf && !values.contains(.null) && isEqual(values, key)
                }
            }
        }
    }

    private func refersToItself(_ row: Row, of table: RandomTable) -> Bool {
        table.references.contains { reference in
            reference.table == table.name && isEqual(reference.columns.map { row[$0] ?? .null }, table.key(of: row))
        }
    }

    // MARK: Reads

    /// Returns the response with all rows.
    func list(_ resource: Resource) -> String {
        let table = schema.table(resource.table)
        let rows = (table?.rows ?? []).sorted { left, right in
            for name in table?.key ?? [] {
                let sign = schema.compare(left[name] ?? .null, right[name] ?? .null)
                if sign != 0 { return sign < 0 }
            }
            return false
        }
        return "[\(rows.map { object(resource, $0) }.joined(separator: ","))]"
    }

    private func object(_ resource: Resource, _ row: Row) -> String {
        "{\(resource.fields.map { "\"\($0.name)\":\((row[$0.column] ?? .null).json)" }.joined(separator: ","))}"
    }
}

extension RandomTable {
    /// Returns the values of a row's key.
    fileprivate func key(of row: [String: RandomValue]) -> [RandomValue] { key.map { row[$0] ?? .null } }
}
