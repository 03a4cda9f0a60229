import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Cache tags of responses") struct LibraryEntityTests {
    @Test("A response has the cache tags of all rows and types whose changes can change the response")
    func names() async throws {
        try await Library.withService(.sqlite) { service in
            for (target, names) in [
                ("authors/2", ["Author:2"]), ("authors/2?details=mentor", ["Author:1", "Author:2"]),
                ("books/b1?details=author", ["Author:1", "Book:b1"]),
                ("books/b1?fields=authorName", ["Author", "Book:b1"]),
                ("copies/b1,1?details=loans", ["Copy:b1/1"]), ("loans/b1,1,2020-01-01", ["Copy:b1/1"]),
                ("copies/b1,1/loans", ["Copy:b1/1"]), ("books?isbn=b1&authorName=Ada", ["Author", "Book", "Book:b1"]),
                (#"books?filter={"copies":{"some":{"shelf":{"eq":"A"}}}}&first=1"#, ["Book", "Book:b1", "Copy"]),
                ("subjects/2/books", ["Book", "Book:b4", "Subject:2"]),
            ] {
                let question = try service.restQuestion(target)
                let answer = try await service.answer(question, namesEntities: true)
                #expect(answer.tags.names == names, "\(target)")
            }
        }
    }

    @Test(
        "If a response has more than 100 rows of a type, it has only the cache tag of the type",
        arguments: TestBackend.available)
    func limit(_ backend: TestBackend) async throws {
        try await Library.withService(backend, more: Library.moreRows) { service async throws in
            for (target, names) in [
                ("authors?first=100&fields=name", 101), ("authors?first=101&fields=name", 1),
                // These responses contain rows of two types, books and authors.
                ("books?first=3&details=author", 6), ("books?first=200&details=author", 2),
            ] {
                let answer = try await service.answer(service.restQuestion(target), namesEntities: true)
                #expect(answer.tags.names.count == names, "\(target): \(answer.tags.names)")
                #expect(answer.tags.names == answer.tags.names.sorted())
                #expect(Set(answer.tags.names).count == names)
            }
            // The service records cache tags only if `namesEntities` is true.
            #expect(try await service.answer(service.restQuestion("authors")).tags.names.isEmpty)
        }
    }

    @Test("Separators and non-ASCII characters in a cache tag are percent-encoded", arguments: TestBackend.available)
    func encoding(_ backend: TestBackend) async throws {
        let keys = ["a b", "a,b", "a/b", "é"]
        try await Samples.withService(backend, keys: keys) { service async throws in
            let answer = try await service.answer(service.restQuestion("samples?fields=code"), namesEntities: true)
            #expect(
                answer.tags.names == ["Sample", "Sample:%C3%A9", "Sample:a%20b", "Sample:a%2Cb", "Sample:a%2Fb"])
        }
    }

    @Test(
        "A cache tag has the stored key. A read with another spelling of the key has a cache tag for each spelling",
        arguments: TestBackend.available)
    func spellings(_ backend: TestBackend) async throws {
        let age = Field("age", .integer(), column: "age", description: "The age.")
        let catalogue = try Catalogue(
            [
                Resource(
                    "owners", singular: "owner", type: "Owner", table: "owners", description: "An owner.",
                    fields: [Field("name", .text(), column: "name", description: "The name."), age], key: ["name"],
                    relations: [
                        Relation(
                            "pets", to: "pets", .few(typical: 1), on: [.init("name", "owner")], description: "The pets."
                        )
                    ]),
                Resource(
                    "pets", singular: "pet", type: "Pet", table: "pets", description: "A pet.",
                    fields: [Field("number", .integer(), column: "id", description: "The number.")], key: ["number"]),
            ],
            writes: [
                Write(
                    "updateOwner", .update, on: "owners", at: .item, keyArguments: [.init("id", "The name.")],
                    input: [.init(age, required: true, "The age.")], description: "Changes an owner.")
            ], description: "Owners.")
        let text = "VARCHAR(20) NOT NULL" + (backend == .sqlite ? " COLLATE NOCASE" : "")
        let tables = """
            CREATE TABLE owners (name \(text) PRIMARY KEY, age INTEGER NOT NULL);
            CREATE TABLE pets (id INTEGER NOT NULL PRIMARY KEY, owner \(text));
            INSERT INTO owners VALUES ('Ann', 30), ('Bob', 40);
            INSERT INTO pets VALUES (1, 'ANN');
            """
        try await Library.withService(backend, catalogue: catalogue, more: tables) { service async throws in
            let written = try await service.restWrite("PATCH", "owners/ANN", ["age": 31])
            #expect(written.tags.names == ["Owner", "Owner:Ann"])
            for (target, names) in [
                ("owners/Ann", ["Owner:Ann"]), ("owners/ANN?fields=age", ["Owner:ANN", "Owner:Ann"]),
                ("owners/ann?details=pets", ["Owner:Ann", "Owner:ann", "Pet", "Pet:1"]),
                ("owners/ann/pets", ["Owner:Ann", "Owner:ann", "Pet", "Pet:1"]),
                ("owners/BOB/pets", ["Owner:BOB", "Owner:Bob", "Pet"]),
            ] {
                let answer = try await service.answer(service.restQuestion(target), namesEntities: true)
                #expect(answer.tags.names == names, "\(target)")
            }
            let (_, tags) = try await service.requireRow(try #require(catalogue["owners"]), [.text("bob")])
            #expect(tags.names == ["Owner:Bob"])
        }
    }
}
