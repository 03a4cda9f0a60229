import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Changes") struct ChangeTests {
    private static func row(_ fields: String...) -> [Change.Representation] {
        [.row(Selection(fields.map { .field(name: $0, $0) }))]
    }

    private static func bodies(_ answer: ChangeAnswer) -> [String] {
        answer.answers.map { String(buffer: $0.body) }
    }

    private static let authors = "SELECT author_id, name FROM authors ORDER BY author_id"
    private static let copies = "SELECT isbn, copy_no, shelf FROM copies ORDER BY isbn, copy_no"

    @Test(
        "Rows of a resource without rules can be inserted, updated, upserted and deleted",
        arguments: TestBackend.available)
    func kinds(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            var insert = Change.insert(["authorNumber": 5, "name": "Eve"], into: "authors")
            insert.representations = Self.row("name", "born")
            let inserted = try await service.write(insert)
            #expect(inserted.outcome == ChangeOutcome(keys: [[5]], count: 1, isNew: true))
            #expect(Self.bodies(inserted) == [#"{"name":"Eve","born":null}"#])
            #expect(inserted.tags.names == ["Author", "Author:5"])

            var update = Change.update("authors", key: [5], set: ["name": "Eva", "born": "1900-02-03"])
            update.representations = Self.row("name", "born")
            let updated = try await service.write(update)
            #expect(updated.outcome == ChangeOutcome(keys: [[5]], count: 1, isNew: false))
            #expect(Self.bodies(updated) == [#"{"name":"Eva","born":"1900-02-03"}"#])

            for (name, isNew) in [("Fin", true), ("Finn", false)] {
                var upsert = Change.upsert(["authorNumber": 6, "name": .text(name)], into: "authors")
                upsert.representations = Self.row("authorNumber", "name")
                let upserted = try await service.write(upsert)
                #expect(upserted.outcome == ChangeOutcome(keys: [[6]], count: 1, isNew: isNew))
                #expect(Self.bodies(upserted) == [#"{"authorNumber":6,"name":"\#(name)"}"#])
            }

            var delete = Change.delete(from: "authors", key: [5])
            delete.representations = Self.row("name")
            let deleted = try await service.write(delete)
            #expect(deleted.outcome == ChangeOutcome(keys: [[5]], count: 1, isNew: false))
            #expect(deleted.answers.isEmpty)
            #expect(try await service.rows(Self.authors).last == ["6", "Finn"])
        }
    }

    @Test("An insert of several rows has an answer for each row", arguments: TestBackend.available)
    func severalRows(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            var insert = Change.insert(
                ["isbn": "b4", "copyNumber": 8, "shelf": "C"], ["isbn": "b4", "copyNumber": 9], into: "copies")
            insert.parent = Change.Parent("books", key: ["b4"], relation: "copies")
            insert.representations = Self.row("copyNumber", "shelf")
            let inserted = try await service.write(insert)
            #expect(inserted.outcome == ChangeOutcome(keys: [["b4", 8], ["b4", 9]], count: 2, isNew: true))
            #expect(
                Self.bodies(inserted) == [#"{"copyNumber":8,"shelf":"C"}"#, #"{"copyNumber":9,"shelf":null}"#])
            #expect(inserted.tags.names == ["Book", "Book:b4", "Copy", "Copy:b4/8", "Copy:b4/9"])
            insert.parent?.key = ["b9"]
            let missing = await #expect(throws: ServiceError.self) { try await service.write(insert) }
            #expect(missing?.detail == "there is no book b9")
        }
    }

    @Test("The answer to an insert has the values that the database sets", arguments: TestBackend.available)
    func automaticKeys(_ backend: TestBackend) async throws {
        let notes = Resource(
            "notes", singular: "note", type: "Note", table: "notes", description: "A note.",
            fields: [
                Field("number", .integer(), column: "id", description: "The number."),
                Field("text", .text(), column: "text", description: "The text."),
            ], key: ["number"])
        let number = backend == .sqlite ? "INTEGER PRIMARY KEY" : "INTEGER PRIMARY KEY AUTO_INCREMENT"
        try await Library.withService(
            backend, catalogue: try Catalogue([notes], description: "Notes."),
            more: """
                CREATE TABLE notes (id \(number), text VARCHAR(20) NOT NULL DEFAULT 'empty');
                INSERT INTO notes VALUES (41, 'last');
                """
        ) { service async throws in
            var insert = Change.insert(["text": "new"], [:], into: "notes")
            insert.representations = Self.row("number", "text")
            let inserted = try await service.write(insert)
            #expect(inserted.outcome == ChangeOutcome(keys: [[42], [43]], count: 2, isNew: true))
            #expect(Self.bodies(inserted) == [#"{"number":42,"text":"new"}"#, #"{"number":43,"text":"empty"}"#])
        }
    }

    // MARK: Conditions

    @Test(
        "A row that does not match the condition is not changed, and is treated as a row that does not exist",
        arguments: TestBackend.available)
    func conditions(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let onShelf = Filter.compare("shelf", .equal, ["A"])
            let byBen = Filter.related("book", exists: true, .compare("authorName", .equal, ["Ben"]))
            let before = try await service.rows(Self.copies)
            for condition in [Filter.not(onShelf), byBen, onShelf.and(byBen)] {
                for change in [
                    Change.update("copies", key: ["b1", 1], where: condition, set: ["shelf": "Z"]),
                    .delete(from: "copies", key: ["b1", 1], where: condition),
                ] {
                    let error = await #expect(throws: ServiceError.self) { try await service.write(change) }
                    #expect(error == ServiceError(.unknown("copy"), "there is no copy b1, 1"))
                }
                // The upsert does not find the row, and cannot insert another row with the same key.
                let upsert = Change.upsert(
                    ["isbn": "b1", "copyNumber": 1, "shelf": "Z"], into: "copies", where: condition)
                let error = await #expect(throws: ServiceError.self) { try await service.write(upsert) }
                #expect(error?.code == .conflict)
                #expect(error?.detail.contains("b1") == false)
                #expect(try await service.rows(Self.copies) == before)
            }
            // The same changes take effect if the row matches the condition.
            let byAda = Filter.related("book", exists: true, .compare("authorName", .equal, ["Ada"]))
            for (change, rows) in [
                (
                    Change.update("copies", key: ["b1", 1], where: onShelf.and(byAda), set: ["shelf": "Y"]),
                    [["b1", "1", "Y"], ["b1", "2", ""], ["b2", "1", "B"], ["b3", "1", "A"]]
                ),
                (
                    .upsert(["isbn": "b1", "copyNumber": 1, "shelf": "Z"], into: "copies", where: byAda),
                    [["b1", "1", "Z"], ["b1", "2", ""], ["b2", "1", "B"], ["b3", "1", "A"]]
                ),
                (
                    .delete(from: "copies", key: ["b1", 1], where: byAda),
                    [["b1", "2", ""], ["b2", "1", "B"], ["b3", "1", "A"]]
                ),
            ] as [(Change, [[String]])] {
                #expect(try await service.write(change).outcome.count == 1)
                #expect(try await service.rows(Self.copies) == rows)
            }
        }
    }

    @Test("A change without a key changes all rows that match its condition", arguments: TestBackend.available)
    func allRows(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let updated = try await service.write(
                .update("copies", where: .compare("shelf", .equal, ["A"]), set: ["shelf": "Z"]))
            #expect(updated.outcome == ChangeOutcome(keys: [], count: 2, isNew: false))
            #expect(updated.tags.names == ["Copy"])
            // The condition reads the table whose rows are deleted.
            let mentored = Filter.related("mentor", exists: true, .compare("name", .equal, ["Ada"]))
            let deleted = try await service.write(.delete(from: "authors", where: mentored))
            #expect(deleted.outcome.count == 2)
            #expect(try await service.rows(Self.authors) == [["1", "Ada"], ["4", "O'Dee *"]])
            #expect(
                try await service.rows(Self.copies)
                    == [["b1", "1", "Z"], ["b1", "2", ""], ["b2", "1", "B"], ["b3", "1", "Z"]])
            let none = try await service.write(.delete(from: "authors", where: mentored))
            #expect(none.outcome.count == 0)
        }
    }

    @Test("The precondition of an upsert refers to the row before the change", arguments: TestBackend.available)
    func upsertPrecondition(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            func upsert(_ shelf: String, _ precondition: Precondition) async throws -> ChangeAnswer {
                var change = Change.upsert(["isbn": "b3", "copyNumber": 2, "shelf": .text(shelf)], into: "copies")
                change.representations = Self.row("shelf")
                change.precondition = precondition
                return try await service.write(change)
            }
            let missing = await #expect(throws: ServiceError.self) { try await upsert("X", .init(required: .any)) }
            #expect(missing?.code == .preconditionFailed)
            let created = try await upsert("X", .init(excluded: .any))
            #expect(created.outcome.isNew)
            let body = try #require(created.answers.first?.body)
            let changed = try await upsert("Y", .init(required: .digests([BodyDigest(of: body)])))
            #expect(!changed.outcome.isNew)
            let outdated = await #expect(throws: ServiceError.self) {
                try await upsert("Z", .init(required: .digests([BodyDigest(of: body)])))
            }
            #expect(outdated?.code == .preconditionFailed)
            #expect(try await service.rows(Self.copies).last == ["b3", "2", "Y"])
        }
    }

    // MARK: Conflicts and hooks

    @Test("A row whose key exists is a conflict that changes nothing", arguments: TestBackend.available)
    func conflicts(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for change in [
                Change.insert(["isbn": "b4", "copyNumber": 1], ["isbn": "b1", "copyNumber": 2], into: "copies"),
                .update("copies", key: ["b1", 1], set: ["copyNumber": 2]),
            ] {
                try await Library.expectUnchanged(service) {
                    let error = await #expect(throws: ServiceError.self) { try await service.write(change) }
                    #expect(error?.code == .conflict)
                }
            }
        }
    }

    private struct Failure: Error {}

    @Test("An upsert of a related row does not take the row of another parent row", arguments: TestBackend.available)
    func otherParent(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service in
            func upsert(_ number: Int64, under mentor: Int64) -> Change {
                Change(
                    .upsert, of: "authors", rows: [["authorNumber": .integer(number), "name": "Dan"]],
                    parent: Change.Parent("authors", key: [.integer(mentor)], relation: "students"))
            }
            // The mentor of author 4 is author 2.
            let error = await #expect(throws: ServiceError.self) { try await service.write(upsert(4, under: 3)) }
            #expect(error?.code == .conflict)
            #expect(try await service.write(upsert(4, under: 2)).outcome.isNew == false)
            #expect(try await service.write(upsert(5, under: 3)).outcome.isNew)
            let rows = try await service.rows(
                "SELECT author_id, name, mentor_id FROM authors WHERE author_id > 3 ORDER BY author_id")
            #expect(rows == [["4", "Dan", "2"], ["5", "Dan", "3"]])
        }
    }

    /// Puts each new copy on a shelf, moves the other copies of its book there, and adds a loan.
    private struct ShelfRules: ChangeHook {
        var fails = false

        func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
            guard change.kind == .insert else { return try transaction.perform(change) }
            var change = change
            for index in change.rows.indices {
                let isbn = try #require(change.rows[index]["isbn"])
                try transaction.perform(
                    .update("copies", where: .compare("isbn", .equal, [.value(isbn)]), set: ["shelf": "N"]))
                change.rows[index]["shelf"] = "N"
            }
            let outcome = try transaction.perform(change)
            for key in outcome.keys {
                try transaction.perform(
                    .insert(
                        ["isbn": key[0], "copyNumber": key[1], "lentOn": "2024-01-31", "reader": "Ida"], into: "loans"))
            }
            if fails { throw Failure() }
            return outcome
        }
    }

    @Test(
        "A hook can alter a change and perform others. If it throws an error, nothing is written",
        arguments: TestBackend.available)
    func hooks(_ backend: TestBackend) async throws {
        let change = Change.insert(["isbn": "b1", "copyNumber": 3], into: "copies")
        try await Library.withService(backend, hooks: ["copies": ShelfRules(fails: true)]) { service async throws in
            try await Library.expectUnchanged(service) {
                await #expect(throws: Failure.self) { try await service.write(change) }
            }
        }
        try await Library.withService(backend, hooks: ["copies": ShelfRules()]) { service async throws in
            var shown = change
            shown.representations = [.row(Selection([.field(name: "shelf", "shelf")]))]
            let written = try await service.write(shown)
            #expect(written.outcome.key == ["b1", 3])
            #expect(Self.bodies(written) == [#"{"shelf":"N"}"#])
            #expect(
                try await service.rows(Self.copies) == [
                    ["b1", "1", "N"], ["b1", "2", "N"], ["b1", "3", "N"], ["b2", "1", "B"], ["b3", "1", "A"],
                ])
            #expect(try await service.rows(Library.loansSQL).contains(["b1", "3", "2024-01-31", "Ida", ""]))
        }
    }
}
