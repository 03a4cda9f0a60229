import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Preconditions of writes") struct PreconditionTests {
    private static let other = BodyDigest(low: 1, high: 2)

    private static func expectFailed(
        _ service: ResourceService, _ method: String, _ target: String, _ body: JSONValue, _ precondition: Precondition
    ) async throws {
        try await Library.expectUnchanged(service) {
            let error = await #expect(throws: ServiceError.self, "\(method) \(target) \(precondition)") {
                try await service.restWrite(method, target, body, precondition)
            }
            #expect(error?.code == .preconditionFailed)
            #expect(error?.detail.hasSuffix("read it again") == true)
        }
    }

    @Test(
        "If-Match is true for the current digest and for `*`. If-None-Match is false for both",
        arguments: TestBackend.available, ["PATCH", "DELETE"])
    func row(_ backend: TestBackend, _ method: String) async throws {
        let target = "loans/b1,1,2021-01-01"
        let body: JSONValue = method == "PATCH" ? ["reader": "Hal"] : [:]
        try await Library.withWritableService(backend) { service async throws in
            let current = try await service.digest(target)
            for states in [.digests([]), .digests([Self.other])] as [Precondition.States] {
                try await Self.expectFailed(service, method, target, body, Precondition(required: states))
            }
            for states in [.any, .digests([current]), .digests([Self.other, current])] as [Precondition.States] {
                try await Self.expectFailed(service, method, target, body, Precondition(excluded: states))
            }
            // Both conditions must be true.
            try await Self.expectFailed(
                service, method, target, body, Precondition(required: .any, excluded: .digests([current])))
            try await Self.expectFailed(
                service, method, target, body, Precondition(required: .digests([Self.other]), excluded: .digests([])))
        }
        for precondition in [
            { Precondition(required: .digests([Self.other, $0])) }, { _ in Precondition(required: .any) },
            { _ in Precondition(excluded: .digests([Self.other])) }, { _ in Precondition() },
            { Precondition(required: .digests([$0]), excluded: .digests([Self.other])) },
        ] as [(BodyDigest) -> Precondition] {
            try await Library.withWritableService(backend) { service async throws in
                let before = try await service.rows(Library.loansSQL)
                try await service.restWrite(method, target, body, precondition(try await service.digest(target)))
                #expect(try await service.rows(Library.loansSQL) != before)
            }
        }
    }

    @Test(
        "A precondition applies to the digest of the representation that the query selects",
        arguments: TestBackend.available)
    func representations(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let row = "loans/b1,1,2021-01-01"
            let query = "?fields=reader&details=copy&copy.fields=shelf"
            let whole = try await service.digest(row)
            try await Self.expectFailed(
                service, "PATCH", row + query, ["reader": "Hal"], Precondition(required: .digests([whole])))
            let selected = try await service.digest(row + query)
            // A change of a related row changes the representation.
            try await service.database.write { try $0.executeScript("UPDATE copies SET shelf = 'Z' WHERE shelf = 'A'") }
            try await Self.expectFailed(
                service, "PATCH", row + query, ["reader": "Hal"], Precondition(required: .digests([selected])))
            let written = try await service.restWrite(
                "PATCH", row + query, ["reader": "Hal"],
                Precondition(required: .digests([try await service.digest(row + query)])))
            // The digest of the response is valid for the next write.
            let next = try #require(written.answers.first.map { BodyDigest(of: $0.body) })
            #expect(try await service.digest(row + query) == next)
            try await service.restWrite(
                "PATCH", row + query, ["reader": "Ida"], Precondition(required: .digests([next])))
        }
    }

    @Test("With If-None-Match: *, a related row is created but not changed", arguments: TestBackend.available)
    func relatedRow(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let target = "books/b1/subjects/2"
            try await Self.expectFailed(service, "PUT", target, [:], Precondition(required: .any))
            try await Self.expectFailed(service, "PUT", target, [:], Precondition(required: .digests([Self.other])))
            let created = try await service.restWrite("PUT", target, [:], Precondition(excluded: .any))
            #expect(created.outcome.isNew)
            try await Self.expectFailed(service, "PUT", target, [:], Precondition(excluded: .any))
            let current = try await service.digest(target)
            let again = try await service.restWrite("PUT", target, [:], Precondition(required: .digests([current])))
            #expect(!again.outcome.isNew)
        }
    }

    @Test("For a new row, `If-Match: *` is false and `If-None-Match: *` is true")
    func newRow() async throws {
        let body: JSONValue = [
            "isbn": "b3", "copyNumber": 1, "lentOn": "2023-03-01", "reader": "Hal", "returnedOn": "2023-03-01",
        ]
        try await Library.withWritableService(.sqlite) { service async throws in
            try await Self.expectFailed(service, "POST", "loans", body, Precondition(required: .any))
            #expect(try await service.restWrite("POST", "loans", body, Precondition(excluded: .any)).outcome.isNew)
        }
    }

    @Test("Of several concurrent writes with the same If-Match, exactly one succeeds", arguments: TestBackend.available)
    func race(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let target = "loans/b1,1,2021-01-01"
            let precondition = Precondition(required: .digests([try await service.digest(target)]))
            let results = await withTaskGroup(of: Result<ChangeAnswer, any Error>.self) { group in
                for number in 1...8 {
                    group.addTask {
                        do {
                            return .success(
                                try await service.restWrite(
                                    "PATCH", target, ["reader": .string("Reader \(number)")], precondition))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            var bodies: [String] = []
            for result in results {
                switch result {
                case .success(let answer): bodies += answer.answers.map { String(buffer: $0.body) }
                case .failure(let error): #expect((error as? ServiceError)?.code == .preconditionFailed, "\(error)")
                }
            }
            #expect(bodies == [try await service.restBody(target)])
        }
    }
}
