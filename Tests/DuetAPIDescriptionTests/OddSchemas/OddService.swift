import DuetAPIDescription
import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

/// A service over REST and GraphQL for a database whose API description is introspected.
struct OddService {
    let schema: DatabaseSchema
    let service: ResourceService
    let rest: RESTStyle
    let graphQL: GraphQLStyle
    private let operations: [OperationKey: RESTOperation]
    /// The types that comments of introspection suggest (of several, the first), keyed by the path of the field:
    /// `orders/fields/made`.
    let suggestions: [String: String]

    var catalogue: Catalogue { service.catalogue }

    /// The properties by which a test selects an operation.
    private struct OperationKey: Hashable {
        let resource: String
        let relation: String?
        let hasKey: Bool
    }

    /// Creates a database with a script, and calls a closure with a service that only reads the database, as `duet
    /// serve` does.
    static func with<Value>(
        _ backend: TestBackend, _ script: String, describing change: (from: String, to: String)? = nil,
        readsRows: Bool = false, _ body: (OddService) async throws -> Value
    ) async throws -> Value {
        try await withWriter(backend, script, describing: change, readsRows: readsRows) { service, _ in
            try await body(service)
        }
    }

    /// As ``with(_:_:describing:readsRows:_:)``, and also passes a database that can be written.
    static func withWriter<Value>(
        _ backend: TestBackend, _ script: String, describing change: (from: String, to: String)? = nil,
        readsRows: Bool = false, _ body: (OddService, _ writer: Database) async throws -> Value
    ) async throws -> Value {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            var configuration = DatabaseConfiguration(poolSize: 4).patient
            configuration.access = .readOnly
            let reader = Database(database.url, configuration: configuration)
            do {
                let service = try await OddService(reader, describing: change, readsRows: readsRows)
                let value = try await body(service, database)
                await reader.close()
                return value
            } catch {
                await reader.close()
                throw error
            }
        }
    }

    /// - Parameters:
    ///   - change: Replaces a part of the description.
    ///   - readsRows: True if introspection reads all rows.
    ///   - followsSuggestions: True if fields have the types that comments suggest. ``suggestions`` is then empty.
    init(
        _ database: Database, describing change: (from: String, to: String)? = nil, readsRows: Bool = false,
        followsSuggestions: Bool = false,
        requestTimeout: Duration = ResourceService.defaultRequestTimeout
    ) async throws {
        let schema = try await database.read { try DatabaseSchema.read($0) }
        let contents =
            readsRows ? try await DatabaseContents.read(database, schema, rows: .all) : DatabaseContents()
        let described = try IntrospectedDescription(of: schema, contents: contents)
        // The introspected description is unchanged after it is written as YAML and read again.
        var api = try APIDescription(reading: described.yaml, file: "api.yaml")
        #expect(api.catalogue.resources == described.api.catalogue.resources)
        if let change {
            #expect(described.yaml.contains(change.from), "\(described.yaml)")
            api = try APIDescription(reading: described.yaml.replacing(change.from, with: change.to), file: "api.yaml")
        }
        var suggestions = Self.suggestions(described)
        if followsSuggestions {
            api = try APIDescription(reading: Self.following(suggestions, described.yaml), file: "api.yaml")
            suggestions = [:]
        }
        try self.init(schema, api, database, suggestions, requestTimeout: requestTimeout)
    }

    init(
        _ schema: DatabaseSchema, _ api: APIDescription, _ database: Database, _ suggestions: [String: String] = [:],
        requestTimeout: Duration = ResourceService.defaultRequestTimeout
    ) throws {
        try self.init(
            schema,
            ResourceService(
                api.fitted(to: schema).catalogue, database: database, encoding: ValueEncoding(dates: .iso),
                requestTimeout: requestTimeout), suggestions)
    }

    /// Returns the service for a caller of a role.
    func restricted(to role: RandomRole) throws -> OddService {
        var service = try service.restricted(to: role.role)
        service.parameters = role.claims
        return try OddService(schema, service, suggestions)
    }

    private init(_ schema: DatabaseSchema, _ service: ResourceService, _ suggestions: [String: String]) throws {
        self.schema = schema
        self.service = service
        self.suggestions = suggestions
        rest = RESTStyle(service)
        graphQL = try GraphQLStyle(service)
        operations = Dictionary(
            service.catalogue.operations.filter { $0.method == "GET" }.map { operation in
                let key = OperationKey(
                    resource: operation.resource.name, relation: operation.relation?.name,
                    hasKey: operation.path.contains("{"))
                return (key, operation)
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func suggestions(_ described: IntrospectedDescription) -> [String: String] {
        var suggestions: [String: String] = [:]
        for comment in described.comments {
            let parts = comment.text.split(separator: ", use: type: ")
            if parts.count == 2, suggestions[comment.path] == nil { suggestions[comment.path] = String(parts[1]) }
        }
        return suggestions
    }

    /// Replaces the types of fields in a description.
    private static func following(_ suggestions: [String: String], _ yaml: String) -> String {
        var resource = ""
        return yaml.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if let match = line.wholeMatch(of: /\ {2}"?(\w+)"?:/) { resource = String(match.1) }
            guard let match = line.prefixMatch(of: /\ {6}"?(\w+)"?: \{/),
                let type = suggestions["\(resource)/fields/\(match.1)"]
            else { return String(line) }
            return String(line).replacing(/type: \w+/, with: "type: \(type)", maxReplacements: 1)
        }.joined(separator: "\n")
    }

    func plain(_ resource: Resource) -> PlainTable { PlainTable(resource, schema) }

    /// Validates the rows against the description, and returns the messages of the findings.
    func dataFindings() async throws -> [String] {
        try await APIDescription(catalogue).validateData(of: service.database, schema).map(\.message)
    }

    // MARK: Requests

    struct Response {
        let body: String
        let next: String?
        let totalCount: Int64?
        var elements: [String] { RawJSON.elements(body) }
    }

    /// Requests a list, a row (`key`) or a relation of a row, and returns the response.
    func get(
        _ resource: Resource, key: [String]? = nil, relation: String? = nil, _ query: RESTStyle.Query = [],
        _ format: RowFormat = .json
    ) async throws -> Response {
        let operation = try #require(
            operations[OperationKey(resource: resource.name, relation: relation, hasKey: key != nil)],
            "\(resource.name) \(relation ?? "")")
        let path = try rest.path(operation) { _ in KeySegment.text(key ?? []) }
        let answer = try await service.answer(try rest.question(operation, path, query, format), format)
        return Response(body: String(buffer: answer.body), next: answer.next, totalCount: answer.totalCount)
    }

    /// Returns all pages of a list.
    func pages(
        _ resource: Resource, key: [String]? = nil, relation: String? = nil, _ query: RESTStyle.Query = [], size: Int
    ) async throws -> [String] {
        var elements: [String] = []
        var next: String?
        repeat {
            let cursor = next.map { [(name: "after", value: $0)] } ?? []
            let page = try await get(resource, key: key, relation: relation, query + [("first", "\(size)")] + cursor)
            elements += page.elements
            next = page.next
        } while next != nil && elements.count < 10_000
        return elements
    }

    /// Executes a GraphQL operation, and returns its data as JSON.
    func query(_ text: String) async throws -> String {
        let response = try await PreparedOperation(unvalidated: try Parser.parse(text), schema: graphQL.schema)
            .execute(userContext: ())
        #expect(response.errors.map { "\($0)" } == [], "\(text)")
        return RawJSON.member(String(buffer: response.body), "data")
    }

    /// Returns the values of a row's key before they are encoded for a path.
    func key(_ resource: Resource, _ object: String) -> [String] {
        let members = RawJSON.members(object)
        return resource.key.map { name in RawJSON.text(members.first { $0.name == name }?.value ?? "") }
    }

    /// Returns the GraphQL root field that selects a row.
    func item(_ resource: Resource, _ object: String, _ selection: String) -> String {
        let members = RawJSON.members(object)
        let arguments = resource.itemArguments.map { name, field in
            let value = members.first { $0.name == field.name }?.value ?? ""
            let isEnum = if case .choice = field.type { name != "id" } else { false }
            // The literal of an ID is an integer or a string.
            let isFraction = name == "id" && value.contains(/^-?[0-9]+[.e]/)
            return "\(name): \(isEnum ? RawJSON.text(value) : isFraction ? "\"\(value)\"" : value)"
        }
        return "\(resource.singular)(\(arguments.joined(separator: ", "))) { \(selection) }"
    }
}
