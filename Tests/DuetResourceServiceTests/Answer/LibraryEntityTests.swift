import DuetResourceService
import TestSupport
import Testing

@Suite("Entities of the library's responses") struct LibraryEntityTests {
    @Test("The entities of a response are the entities whose changes would change the response")
    func names() async throws {
        try await Library.withService(.sqlite) { service in
            for (target, names) in [
                ("authors/2", ["Author:2"]), ("authors/2?details=mentor", ["Author:1", "Author:2"]),
                ("books/b1?details=author", ["Author:1", "Book:b1"]),
                ("books/b1?fields=authorName", ["Author", "Book:b1"]),
                ("copies/b1,1?details=loans", ["Copy:b1/1"]), ("loans/b1,1,2020-01-01", ["Copy:b1/1"]),
                ("copies/b1,1/loans", ["Copy:b1/1"]), ("books?isbn=b1&authorName=Ada", ["Author", "Book", "Book:b1"]),
                (#"books?filter={"copies":{"some":{}}}&first=1"#, ["Book", "Book:b1", "Copy"]),
                ("subjects/2/books", ["Book", "Book:b4", "Subject:2"]),
            ] {
                let question = try service.restQuestion(target)
                let answer = try await service.answer(question, namesEntities: true)
                #expect(answer.tags.names == names, "\(target)")
            }
        }
    }

    @Test("An answer with more than 100 entities of a type names the type", arguments: TestBackend.available)
    func limit(_ backend: TestBackend) async throws {
        try await Library.withService(backend, more: Library.moreRows) { service async throws in
            for (target, names) in [
                ("authors?first=100&fields=name", 101), ("authors?first=101&fields=name", 1),
                // The books have other entities.
                ("books?first=3&details=author", 6), ("books?first=200&details=author", 2),
            ] {
                let answer = try await service.answer(service.restQuestion(target), namesEntities: true)
                #expect(answer.tags.names.count == names, "\(target): \(answer.tags.names)")
                #expect(answer.tags.names == answer.tags.names.sorted())
                #expect(Set(answer.tags.names).count == names)
            }
            // Entities are recorded only if they are requested.
            #expect(try await service.answer(service.restQuestion("authors")).tags.names.isEmpty)
        }
    }

    @Test("The name of an entity has no character that separates names", arguments: TestBackend.available)
    func encoding(_ backend: TestBackend) async throws {
        let keys = ["a b", "a,b", "a/b", "é"]
        try await Samples.withService(backend, keys: keys) { service async throws in
            let answer = try await service.answer(service.restQuestion("samples?fields=code"), namesEntities: true)
            #expect(
                answer.tags.names == ["Sample", "Sample:%C3%A9", "Sample:a%20b", "Sample:a%2Cb", "Sample:a%2Fb"])
        }
    }
}
