import DuetResourceService
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Lists of changes") struct ChangeListTests {
    private static let number = Selection([.field(name: "copyNumber", "copyNumber")])

    @Test("The steps of a list can use the rows of earlier steps", arguments: TestBackend.available)
    func steps(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let update = Change.update("books", key: ["b4"], set: ["title": "Ravens"])
            var insert = Change.insert(["copyNumber": 3], into: "copies")
            insert.parent = Change.Parent("books", key: [], relation: "copies")
            insert.representations = [
                .row(Self.number),
                .question(
                    Question(
                        .related(resource: "books", key: [], relation: "copies", Window()), .list(.array(Self.number)))),
            ]
            var change = Change.update("copies", key: [], set: ["shelf": "C"])
            change.representations = [.row(Selection([.field(name: "shelf", "shelf")]))]
            let answers = try await service.write(
                ChangeList([.init("b", update), .init("c", insert, keyStep: "b"), .init("", change, keyStep: "c")]))
            #expect(
                answers.map { $0.answers.map { String(buffer: $0.body) } } == [
                    [], [#"{"copyNumber":3}"#, #"[{"copyNumber":3}]"#], [#"{"shelf":"C"}"#],
                ])
            #expect(answers[1].tags.names == ["Book", "Book:b4", "Copy"])
            #expect(try await service.restBody("books/b4?fields=title") == #"{"title":"Ravens"}"#)
        }
    }

    @Test("The error of a step names the step, and no step has an effect", arguments: TestBackend.available)
    func failure(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let authors = "SELECT author_id FROM authors ORDER BY author_id"
            let before = try await service.rows(authors)
            let valid = ChangeList.Step("", .insert(["authorNumber": 7, "name": "Gus"], into: "authors"))
            let failing: [Change] = [
                .delete(from: "authors", key: [99]), .insert(["authorNumber": 1, "name": "x"], into: "authors"),
                .delete(from: "others", key: [1]),
            ]
            for change in failing {
                let error = await #expect(throws: ChangeStepError.self) {
                    _ = try await service.write(ChangeList([valid, .init("", change), valid]))
                }
                #expect(error?.index == 1)
            }
            #expect(try await service.rows(authors) == before)
        }
    }

    /// Continues after an error.
    private struct ContinuingRules: ChangeHook {
        func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
            _ = try? transaction.perform(.insert(["authorNumber": 1, "name": "x"], into: "authors"))
            return try transaction.perform(change)
        }
    }

    @Test("After an error, a transaction accepts no further change", arguments: TestBackend.available)
    func continuation(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let continuing = ResourceService(
                service.catalogue, database: service.database, encoding: service.encoding,
                hooks: ["copies": ContinuingRules()])
            try await Library.expectUnchanged(service) { () async throws in
                let error = await #expect(throws: ServiceError.self) {
                    try await continuing.write(.update("copies", key: ["b1", 1], set: ["shelf": "Z"]))
                }
                #expect(error?.code == .conflict)
            }
        }
    }
}
