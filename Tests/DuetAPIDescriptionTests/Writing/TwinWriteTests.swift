import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import NIOHTTP1
import ProcessTesting
import SeededTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

/// Compares the writes of random roles with the same writes on a twin, whose database has only the rows and whose API
/// has only the fields that the role sees.
@Suite("Random writes of random roles on a reduced database") struct TwinWriteTests {
    @Test(
        "The callers of a random role receive the bytes of a reduced database for their writes",
        arguments: TestBackend.available)
    func equalBytes(_ backend: TestBackend) async throws {
        let sent = Mutex(0)
        let seeds = TestScale.seeds(2)
        for seed in seeds {
            var random = SplitMix64(seed: seed &+ 5_000)
            var schema = RandomSchema(ignoresCase: Bool.random(using: &random), &random)
            schema.addConstraints(&random)
            let described = try await ReducedWriteTests.description(schema, backend)
            // Without rules for writes, the twin needs no roles.
            let form: RandomRights.Form = seed.isMultiple(of: 2) ? .all : .visible
            let rights = try RandomRights(schema, described.api.catalogue, form, &random)
            let description = try APIDescription(
                reading: "\(described.yaml)\nroles: \(rights.roles.compactText)\n", file: "api.yaml")
            let script = schema.script(backend)
            try await RandomWriteCopy.with(script, backend, description, roles: nil) {
                [schema, random] server async throws in
                let model = RandomWriteModel(
                    schema: schema, catalogue: try server.catalogue.restricted(to: rights.role.role), backend: backend,
                    rights: rights)
                let twinModel = RandomWriteModel(
                    schema: model.visibleSchema, catalogue: model.catalogue, backend: backend,
                    rights: rights.seeingAllRows)
                let twinScript = twinModel.schema.scriptWithMissingRows(backend)
                let twinDescription = APIDescription(try rights.reducedCatalogue)
                let twinRoles = form == .all ? [] : try description.resolvedRoles().map(\.role.seeingAllRows)
                try await RandomWriteCopy.with(twinScript, backend, twinDescription, roles: twinRoles) {
                    twin async throws in
                    let name = "seed \(seed), \(backend)"
                    var test = TwinWriteTest(
                        model: model, twinModel: twinModel, server: server, twin: twin, caller: rights.fields,
                        twinCaller: twinRoles.isEmpty ? [:] : rights.fields, name: name, random: random)
                    await #expect(throws: Never.self, "\(name): \(rights.roles.compactText), \(rights.claims)") {
                        try await test.run(steps: 12)
                    }
                    sent.withLock { $0 += test.sent }
                }
            }
        }
        // A role that may write little has few requests that its twin answers equally.
        let number = sent.withLock { $0 }
        #expect(number >= seeds.count * 3)
    }
}

/// A test with random writes, which a server with a role and its twin receive.
struct TwinWriteTest {
    /// The evaluation in memory of the whole database.
    var model: RandomWriteModel
    /// The evaluation in memory of the reduced database.
    var twinModel: RandomWriteModel
    let server: RandomWriteCopy
    let twin: RandomWriteCopy
    /// The header fields of the caller.
    let caller: [String: String]
    let twinCaller: [String: String]
    let name: String
    var random: SplitMix64
    /// The number of requests that both servers have received.
    private(set) var sent = 0

    private typealias Prediction = RandomWriteModel.Prediction

    mutating func run(steps: Int) async throws {
        try await compareReads(of: ["/schema.graphql"])
        for step in 0..<steps {
            guard let (request, prediction, expected) = request() else { continue }
            try await send(request, prediction, expected, "\(name), step \(step): \(request)")
            sent += 1
        }
        try await compareTables()
    }

    /// Returns a random request whose effects and whose response do not depend on hidden rows and fields; nil if there
    /// is none.
    private mutating func request() -> (RandomRequest, Prediction, Prediction)? {
        for _ in 0..<30 {
            guard let drawn = model.request(&random) else { continue }
            let request = model.withKeys(drawn, &random)
            guard !model.canConflictWithHiddenRows(request) else { continue }
            let (prediction, expected) = (model.prediction(of: request), twinModel.prediction(of: request))
            if prediction.isEqual(onReducedDatabase: expected, request) { return (request, prediction, expected) }
        }
        return nil
    }

    private mutating func send(
        _ request: RandomRequest, _ prediction: Prediction, _ expected: Prediction, _ name: String
    ) async throws {
        var tags: [(tag: String?, other: String?)] = []
        for change in request.changes {
            guard change.precondition == .current else {
                tags.append((nil, nil))
                continue
            }
            let (answer, other) = try await compareRead(of: change.path)
            tags.append((answer.headers.first(name: "ETag"), other.headers.first(name: "ETag")))
        }
        // One style performs the request without storing anything, then the other style performs it.
        let isGraphQL = Bool.random(using: &random)
        let catalogue = model.catalogue
        for (isGraphQL, preference) in [(!isGraphQL, ["Prefer": "tx=rollback"]), (isGraphQL, [:])] {
            func answer(
                _ server: RandomWriteCopy, _ caller: [String: String], _ tags: [String?]
            ) async throws -> HTTPAnswer {
                let fields = caller.merging(preference) { $1 }.merging(["X-Request-ID": "the-same"]) { $1 }
                return isGraphQL
                    ? try await request.graphQLAnswer(from: server.server, tags, catalogue, fields)
                    : try await request.answer(from: server.server, tags, fields)
            }
            let first = try await answer(server, caller, tags.map(\.tag))
            let second = try await answer(twin, twinCaller, tags.map(\.other))
            let differences = first.differences(from: second)
            #expect(differences == [], "\(isGraphQL ? "GraphQL" : "REST") \(preference) \(name)")
            guard preference.isEmpty else { continue }
            let outcome = try isGraphQL ? request.outcome(ofGraphQL: first) : request.outcome(of: first)
            let isExpected = prediction.permits(outcome)
            try #require(isExpected, "\(name): \(outcome), not \(prediction.description)")
            if case .done = outcome, let success = prediction.success, let other = expected.success {
                (model, twinModel) = (success.model, other.model)
            }
        }
    }

    /// Compares the tables with those in memory, and the visible part of the first database with the second database.
    private func compareTables() async throws {
        for resource in server.catalogue.resources {
            let (rows, expected) = (try await server.list(resource), model.list(resource))
            #expect(rows == expected, "\(name)")
            let (others, otherExpected) = (try await twin.list(resource), twinModel.list(resource))
            #expect(others == otherExpected, "\(name), reduced")
        }
        let (visible, reduced) = (model.visibleSchema.tables.map(\.rows), twinModel.schema.tables.map(\.rows))
        #expect(visible == reduced, "\(name)")
        try await compareReads(of: model.catalogue.resources.map { "/\($0.name)?first=1000&count=true" })
    }

    private func compareReads(of paths: [String]) async throws {
        for path in paths { _ = try await compareRead(of: path) }
    }

    private func compareRead(of path: String) async throws -> (HTTPAnswer, HTTPAnswer) {
        let identifier = ["X-Request-ID": "the-same"]
        let answer = try await server.server.get(path, caller.merging(identifier) { $1 })
        let other = try await twin.server.get(path, twinCaller.merging(identifier) { $1 })
        let differences = answer.differences(from: other)
        #expect(differences == [], "\(name): \(path)")
        return (answer, other)
    }
}

extension RandomRights {
    /// The part of the catalogue that the role sees, with the kinds of writes that the role permits.
    fileprivate var reducedCatalogue: Catalogue {
        get throws {
            let reduced = try role.reduced(whole)
            let resources = reduced.resources.map { resource in
                var copy = resource
                let rules = rules[resource.table]
                let kinds: [(WriteRules.Kind, Bool)] = [
                    (.create, rules?.create != nil), (.update, rules?.update != nil), (.delete, rules?.delete != nil),
                ]
                copy.writes = .permitting(Set(kinds.filter(\.1).map(\.0)), of: resource)
                return copy
            }
            return try Catalogue(resources, description: reduced.description)
        }
    }
}

extension Role {
    /// A role with the same permissions to write, which sees all rows and fields of its resources.
    fileprivate var seeingAllRows: Role {
        var copy = self
        copy.reads = reads.mapValues { _ in Read() }
        return copy
    }
}

extension HTTPAnswer {
    /// Returns the lines of the response that differ from those of a twin, with the lines of the twin.
    fileprivate func differences(from twin: HTTPAnswer) -> [String] {
        let (lines, others) = (comparableLines, twin.comparableLines)
        return lines.difference(from: others).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
    }

    /// The status, the header fields and the body. Entity tags depend on the role.
    private var comparableLines: [String] {
        let body = body.replacing(/"ETag":"\\"[^"]*\\""/, with: #""ETag":"""#)
        return ["\(status)"] + comparableFields + body.split(separator: "\n").map(String.init)
    }
}
