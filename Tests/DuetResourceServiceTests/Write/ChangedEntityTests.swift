import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Cache tags of writes") struct ChangedEntityTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let method: String
        let target: String
        var body: JSONValue = [:]
        let names: [String]
        /// Requests whose responses the write changes.
        let changed: [String]
        /// Requests whose responses the write does not change.
        let unchanged: [String]

        var testDescription: String { "\(method) \(target)" }
    }

    static let examples = [
        Example(
            method: "POST", target: "loans",
            body: ["isbn": "b1", "copyNumber": 2, "lentOn": "2023-03-01", "reader": "Hal"],
            names: ["Copy", "Copy:b1/2"],
            changed: [
                "loans", "copies/b1,2/loans", "copies/b1,2?details=loans", "books/b1?details=copies.loans",
                "loans?reader=Hal", #"copies?filter={"loans":{"some":{"open":true}}}"#,
                #"books?filter={"copies":{"some":{"loans":{"some":{"reader":{"eq":"Hal"}}}}}}"#,
            ],
            unchanged: ["copies/b1,1/loans", "books/b1", "authors", "subjects?details=books"]),
        Example(
            method: "PATCH", target: "loans/b1,1,2021-01-01", body: ["reader": "Hal"], names: ["Copy", "Copy:b1/1"],
            changed: [
                "loans/b1,1,2021-01-01", "loans", "copies/b1,1?details=loans", "books/b1?details=copies.loans",
                "loans?reader=Hal",
            ], unchanged: ["loans/b1,2,2020-01-01", "copies/b1,2?details=loans", "books?details=author"]),
        Example(
            method: "DELETE", target: "loans/b2,1,2022-05-05", names: ["Copy", "Copy:b2/1"],
            changed: ["loans", "copies/b2,1/loans", "books/b2?details=copies.loans"],
            unchanged: ["copies/b3,1/loans", "authors/1"]),
        Example(
            method: "POST", target: "books/b3/copies", body: ["copyNumber": 2],
            names: ["Book", "Book:b3", "Copy", "Copy:b3/2"],
            changed: [
                "copies", "books/b3/copies", "books/b3?details=copies", "copies?isbn=b3",
                #"authors?filter={"books":{"some":{"copies":{"some":{"copyNumber":{"eq":2}}}}}}"#,
            ], unchanged: ["authors", "subjects", "copies/b1,1"]),
        Example(
            method: "PUT", target: "books/b1/subjects/2", names: ["Book", "Book:b1", "Subject:2"],
            changed: [
                "books/b1/subjects", "books/b1?details=subjects", "subjects/2/books", "subjects?details=books",
                #"books?filter={"subjects":{"some":{"name":{"eq":"Birds"}}}}"#,
            ], unchanged: ["authors", "copies/b1,1", "books/b2"]),
    ]

    @Test(
        "A write has at least one cache tag of each response that it changes, and none of other responses",
        arguments: TestBackend.available, examples)
    func names(_ backend: TestBackend, _ example: Example) async throws {
        try await Library.withWritableService(backend) { service async throws in
            func read(_ targets: [String]) async throws -> [(body: String, names: Set<String>)] {
                var all: [(String, Set<String>)] = []
                for target in targets {
                    let answer = try await service.answer(service.restQuestion(target), namesEntities: true)
                    all.append((String(buffer: answer.body), Set(answer.tags.names)))
                }
                return all
            }
            let changed = try await read(example.changed)
            let unchanged = try await read(example.unchanged)
            let written = try await service.restWrite(example.method, example.target, example.body)
            #expect(written.tags.names == example.names)
            let names = Set(written.tags.names)
            for (target, before) in zip(example.changed, changed) {
                #expect(!names.isDisjoint(with: before.names), "\(target): \(before.names)")
            }
            for (target, before) in zip(example.unchanged, unchanged) {
                #expect(names.isDisjoint(with: before.names), "\(target): \(before.names)")
                #expect(try await read([target])[0].body == before.body)
            }
        }
    }

    @Test(
        "A write that moves a row to another owner has the cache tags of the previous and the new owner",
        arguments: TestBackend.available)
    func movedPart(_ backend: TestBackend) async throws {
        let number = Field("number", .integer(), column: "id", description: "The number.")
        let owner = Field("owner", .integer(), column: "owner_id", isNullable: true, description: "The owner.")
        let catalogue = try Catalogue(
            [
                Resource(
                    "pets", singular: "pet", type: "Pet", table: "pets", description: "A pet.",
                    fields: [number, owner], key: ["number"], entities: [.init("Person", ["owner"])])
            ],
            writes: [
                Write(
                    "movePet", .update, on: "pets", at: .item, keyArguments: [.init("pet", "The pet.")],
                    input: [.init(owner, required: true, "The owner.")], description: "Moves a pet.")
            ], description: "Pets.")
        try await Library.withService(
            backend, catalogue: catalogue,
            more: """
                CREATE TABLE pets (id INTEGER NOT NULL PRIMARY KEY, owner_id INTEGER);
                INSERT INTO pets VALUES (1, 10);
                """
        ) { service async throws in
            let written = try await service.restWrite("PATCH", "pets/1", ["owner": 11])
            #expect(written.tags.names == ["Person", "Person:10", "Person:11"])
            let (_, tags) = try await service.requireRow(try #require(catalogue["pets"]), [.integer(1)])
            #expect(tags.names == ["Person:11"])
        }
    }
}
