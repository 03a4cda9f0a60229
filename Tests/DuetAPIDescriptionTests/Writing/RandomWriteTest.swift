import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import SeededTesting
import ServerTestSupport
import TestSupport
import Testing

/// A test with random changes. Two copies of a database receive the same changes, one over REST and the other one over
/// GraphQL. After each change, both copies must equal the tables of an evaluation in memory.
struct RandomWriteTest {
    var model: RandomWriteModel
    let rest: RandomWriteCopy
    let graphQL: RandomWriteCopy
    /// The header fields of the caller.
    var fields: [String: String] = [:]
    let name: String
    var random: SplitMix64

    mutating func run(steps: Int) async throws {
        for step in 0..<steps {
            guard let request = model.request(&random) else { continue }
            try await send(request, "\(name), step \(step): \(request)")
        }
    }

    private mutating func send(_ request: RandomRequest, _ name: String) async throws {
        let isRehearsed = Int.random(in: 0..<4, using: &random) == 0
        var tags: [String?] = []
        for change in request.changes {
            guard change.precondition == .current else {
                tags.append(nil)
                continue
            }
            tags.append(try await rest.server.get(change.path, fields).headers.first(name: "ETag"))
        }
        let prediction = model.prediction(of: request)
        let catalogue = model.catalogue
        try await rest.resetAutomaticKeys(model.schema)
        try await graphQL.resetAutomaticKeys(model.schema)
        if isRehearsed {
            let fields = fields.merging(["Prefer": "tx=rollback"]) { $1 }
            let outcome = try await request.send(to: rest.server, tags, fields)
            let isExpected = prediction.permits(outcome)
            #expect(isExpected, "\(name): with tx=rollback \(outcome), not \(prediction.description)")
            try await rest.resetAutomaticKeys(model.schema)
        }
        let outcome = try await request.send(to: rest.server, tags, fields)
        let other = try await request.execute(on: graphQL.server, tags, catalogue, fields)
        let (isExpected, isSame) = (prediction.permits(outcome), outcome.isSame(as: other, request))
        #expect(isExpected, "\(name): over REST \(outcome), not \(prediction.description)")
        #expect(isSame, "\(name): over REST \(outcome), over GraphQL \(other)")
        if case .done = outcome, let success = prediction.success { model = success.model }
        // The tables have all rows and columns, even if the caller sees only a part of them.
        for resource in rest.catalogue.resources {
            let expected = model.list(resource)
            let rows = try await rest.list(resource)
            let others = try await graphQL.list(resource)
            try #require(rows == expected, "\(name), over REST")
            try #require(others == expected, "\(name), over GraphQL")
        }
    }
}

/// A copy of a database with random tables, whose API permits all writes.
struct RandomWriteCopy {
    /// The server whose answers are tested.
    let server: ServiceServer
    /// The catalogue without roles.
    let catalogue: Catalogue
    private let database: Database
    private let backend: TestBackend
    /// A server without roles for the same database.
    private let whole: ServiceServer

    /// Serves a copy while the closure runs.
    /// - Parameter description: A description with roles; nil if callers may make all changes.
    static func with(
        _ schema: RandomSchema, _ backend: TestBackend, _ description: String? = nil,
        _ body: @Sendable @escaping (RandomWriteCopy) async throws -> Void
    ) async throws {
        let api = try description.map { try APIDescription(reading: $0, file: "api.yaml") }
        try await with(schema.script(backend), backend, api, roles: nil, body)
    }

    /// Serves a copy while the closure runs.
    /// - Parameters:
    ///   - script: The statements that create the tables and their rows.
    ///   - description: A description; nil if callers may make all changes.
    ///   - roles: The roles; nil for those of the description.
    static func with(
        _ script: String, _ backend: TestBackend, _ description: APIDescription?, roles: [Role]?,
        _ body: @Sendable @escaping (RandomWriteCopy) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(script) }
            let described = try await database.read { try DatabaseSchema.read($0) }
            let catalogue = try IntrospectedDescription(of: described, writes: true).api.fitted(to: described)
                .catalogue
            let service = ResourceService(catalogue, database: database, encoding: ValueEncoding(dates: .iso))
            try await ServiceServer.with(service) { whole async throws in
                @Sendable func copy(_ server: ServiceServer) -> RandomWriteCopy {
                    RandomWriteCopy(
                        server: server, catalogue: catalogue, database: database, backend: backend, whole: whole)
                }
                guard let description else { return try await body(copy(whole)) }
                try await DescribedServer.with(description, database, roles: roles) { try await body(copy($0)) }
            }
        }
    }

    /// Returns all rows of a resource as JSON.
    func list(_ resource: Resource) async throws -> String {
        try await whole.get("/\(resource.name)?first=1000").body
    }

    /// Lets automatic keys continue from the greatest key. MariaDB does not use the keys of a failed change again.
    func resetAutomaticKeys(_ schema: RandomSchema) async throws {
        guard backend == .mariaDB else { return }
        let script = schema.tables.filter(\.isAutomatic).map { "ALTER TABLE \($0.name) AUTO_INCREMENT = 1;" }
        guard !script.isEmpty else { return }
        try await database.write { try $0.executeScript(script.joined(separator: "\n")) }
    }
}

extension RandomOutcome {
    /// Returns true if both styles report the same. The step is not known if a document is invalid. If several rows of
    /// an import have errors, the reported one can differ from that of a list.
    fileprivate func isSame(as other: RandomOutcome, _ request: RandomRequest) -> Bool {
        switch (self, other) {
        case (.done(let results), .done(let others)): results == others
        case (.failed(let failure, let step, _), .failed(let second, let other, _)):
            (failure == second || request.isImport) && (step == other || step == nil || other == nil)
        default: false
        }
    }
}
