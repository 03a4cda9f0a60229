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
}
