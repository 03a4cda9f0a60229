import DuetResourceService
import TestSupport
import Testing

@Suite("SQL statements of the library example") struct LibraryStatementTests {
    /// Returns the texts of the statements that a request runs.
    private static func statements(_ backend: TestBackend, _ targets: [String]) async throws -> [[String]] {
        let recorder = StatementRecorder()
        var all: [[String]] = []
        try await Library.withService(backend, observer: recorder.observer) { service in
            for target in targets {
                recorder.take()
                _ = try await service.restBody(target)
                all.append(recorder.take())
            }
        }
        return all
    }

    @Test("Requests that differ only in their values run the same statements", arguments: TestBackend.available)
    func shape(_ backend: TestBackend) async throws {
        for pair in [
            ("authors/1?details=books", "authors/2?details=books"),
            ("books?published.gte=1990&title.like=A*", "books?published.gte=2020&title.like=*'z"),
            (#"books?filter={"or":[{"isbn":{"eq":"b1"}}]}"#, #"books?filter={"or":[{"isbn":{"eq":"b2"}}]}"#),
            ("copies/b1,1/loans?open=true&first=1", "copies/b2,1/loans?open=true&first=9"),
            (
                "authors?details=books&books.first=1&books.title.like=*'*",
                "authors?details=books&books.first=9&books.title.like=x*"
            ),
        ] {
            let statements = try await Self.statements(backend, [pair.0, pair.1])
            #expect(statements[0] == statements[1], "\(pair.0)")
            #expect(!statements[0].isEmpty)
            #expect(statements.joined().allSatisfy { !$0.contains("b1") && !$0.contains("1990") })
        }
    }

    @Test(
        "The number of statements of a request depends on its relations and counts",
        arguments: TestBackend.available)
    func count(_ backend: TestBackend) async throws {
        let counts = try await Self.statements(
            backend,
            [
                "authors/1", "authors?details=mentor,students", "authors?details=books.copies.loans",
                "copies?details=loans,book", "subjects?details=books&books.count=true", "subjects/1/books?count=true",
                "books?first=1", "authors/2?details=books,editedBooks,mentor,students",
            ]
        ).map(\.count)
        #expect(counts == [1, 3, 4, 3, 3, 3, 1, 5])
    }
}
