import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Responses of the service") struct AnswerTests {
    static let bodies: [(target: String, format: RowFormat, body: String)] = [
        ("authors/4", .json, #"{"authorNumber":4,"name":"O'Dee *","born":null}"#),
        ("authors/4?fields=born", .json, #"{"born":null}"#),
        ("books/b1?fields=price,published,authorName", .json, #"{"price":10.5,"published":1999,"authorName":"Ada"}"#),
        ("loans?reader=Nobody", .json, "[]"), ("loans?reader=Nobody", .ndjson, ""),
        ("loans?reader=Nobody&fields=reader,lentOn", .csv, "reader,lentOn\r\n"),
        (
            "loans?reader=Eve&fields=lentOn,returnedOn", .ndjson,
            """
            {"lentOn":"2020-01-01","returnedOn":"2020-02-01"}
            {"lentOn":"2022-05-05","returnedOn":null}

            """
        ),
        ("authors?fields=name,born&first=2", .csv, "name,born\r\nAda,1815-12-10\r\nBen,\r\n"),
        (
            "books?first=1&details=subjects,editor&fields=isbn&subjects.fields=name&editor.fields=name", .ndjson,
            #"{"isbn":"b1","subjects":[{"name":"Animals"}],"editor":{"name":"Ben"}}"# + "\n"
        ),
    ]

    @Test("A response contains the rows in the requested format", arguments: TestBackend.available)
    func formats(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (target, format, body) in Self.bodies {
                let answer = try await service.answer(service.restQuestion(target, format), format)
                #expect(String(buffer: answer.body) == body, "\(target)")
            }
        }
    }

    static let counts: [(target: String, rows: Int, total: Int64?, hasNext: Bool)] = [
        ("books", 4, nil, false), ("books?first=4", 4, nil, false), ("books?first=3", 3, nil, true),
        ("books?first=1&count=true", 1, 4, true), ("books?published=1999&first=1&count=true", 1, 2, true),
        ("books?published=1&count=true", 0, 0, false), ("subjects/1/books?count=true", 2, 4, true),
        ("subjects/3/books?count=true", 0, 0, false), ("copies/b1,1/loans?count=true", 2, 2, false),
        ("copies/b1,1/loans?open=true&count=true", 1, 1, false), ("authors/1", 1, nil, false),
        (#"authors?filter={"books":{"some":{"price":{"gt":7}}}}&first=1&count=true"#, 1, 2, true),
    ]

    @Test("The total count is the number of matching rows on all pages", arguments: TestBackend.available)
    func totals(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (target, rows, total, hasNext) in Self.counts {
                let answer = try await service.answer(service.restQuestion(target))
                #expect(answer.rows == rows, "\(target)")
                #expect(answer.totalCount == total, "\(target)")
                #expect((answer.next != nil) == hasNext, "\(target)")
            }
        }
    }

    /// Requests, each with a change that affects the response, and with a change that does not affect the response.
    static let changes: [(target: String, change: String, other: String)] = [
        (
            "authors/2?fields=name", "UPDATE authors SET name = 'Bob' WHERE author_id = 2",
            "UPDATE authors SET name = 'Ann' WHERE author_id = 1"
        ),
        (
            "authors/2?fields=name&details=books", "UPDATE books SET title = 'Lynx' WHERE isbn = 'b3'",
            "UPDATE books SET title = 'Zebra' WHERE isbn = 'b1'"
        ),
        (
            "books/b1?fields=authorName", "UPDATE authors SET name = 'Ann' WHERE author_id = 1",
            "UPDATE authors SET name = 'Bob' WHERE author_id = 2"
        ),
        (
            "copies/b1,1/loans", "INSERT INTO loans VALUES ('b1', 1, '2023-01-01', 'Eve', NULL)",
            "INSERT INTO loans VALUES ('b1', 2, '2023-01-01', 'Eve', NULL)"
        ),
        (
            "subjects?details=books&books.first=1&books.fields=isbn&books.count=true",
            "DELETE FROM book_subjects WHERE isbn = 'b3'", "UPDATE books SET price = 1 WHERE isbn = 'b1'"
        ),
    ]

    @Test(
        "The digest of a response body changes if and only if a row of the response changes",
        arguments: TestBackend.available)
    func digests(_ backend: TestBackend) async throws {
        for (target, change, other) in Self.changes {
            try await Library.withService(backend) { service async throws in
                func digest() async throws -> BodyDigest {
                    BodyDigest(of: try await service.answer(service.restQuestion(target)).body)
                }
                let before = try await digest()
                try await service.database.write { try $0.executeScript(other) }
                #expect(try await digest() == before, "\(target)")
                try await service.database.write { try $0.executeScript(change) }
                #expect(try await digest() != before, "\(target)")
            }
        }
    }

    @Test("The cost of a response contains the number of its statements", arguments: TestBackend.available)
    func costs(_ backend: TestBackend) async throws {
        let recorder = StatementRecorder()
        try await Library.withService(backend, observer: recorder.observer) { service async throws in
            for target in ["authors/1", "authors?details=books.copies", "subjects/1/books?count=true"] {
                recorder.take()
                let answer = try await service.answer(service.restQuestion(target))
                #expect(answer.cost.statements == recorder.take().count, "\(target)")
                #expect(answer.cost.nanoseconds > 0)
            }
        }
    }

    // MARK: Null

    @Test(
        "An optional relation without a row and a nullable field without a value are null",
        arguments: TestBackend.available)
    func nulls(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            #expect(
                try await service.restBody("books?fields=isbn&details=editor.mentor&editor.fields=name&sort=title")
                    == #"[{"isbn":"b2","editor":null},{"isbn":"b4","editor":{"name":"Ben","#
                    + #""mentor":{"authorNumber":1,"name":"Ada","born":"1815-12-10"}}},"#
                    + #"{"isbn":"b3","editor":{"name":"Ada","mentor":null}},{"isbn":"b1","editor":{"name":"Ben","#
                    + #""mentor":{"authorNumber":1,"name":"Ada","born":"1815-12-10"}}}]"#)
            let style = try GraphQLStyle(service)
            let response = try await style.schema.execute(
                """
                { book(id: "b2") { editor { name mentor { name } } published price } none: author(id: 9) { name }
                  subjects(first: 1) { none: books(filter: {isbn: {eq: "x"}}) {
                    nodes { isbn } pageInfo { startCursor endCursor hasNextPage } totalCount
                  } } }
                """, userContext: ())
            #expect(
                String(buffer: response.body)
                    == #"{"data":{"book":{"editor":null,"published":null,"price":null},"none":null,"#
                    + #""subjects":[{"none":{"nodes":[],"pageInfo":{"startCursor":null,"endCursor":null,"#
                    + #""hasNextPage":false},"totalCount":0}}]}}"#)
        }
    }

    @Test("A required relation without a row is an error, and not null", arguments: TestBackend.available)
    func requiredRelation(_ backend: TestBackend) async throws {
        let more = """
            INSERT INTO books VALUES ('b5', 'Owls', NULL, NULL, 'EN', 99, NULL);
            INSERT INTO book_subjects VALUES ('b5', 2);
            INSERT INTO copies VALUES ('b9', 1, NULL);
            """
        try await Library.withService(backend, more: more) { service async throws in
            for (target, relation) in [
                ("books/b5?details=author", "books.author"), ("books?details=author", "books.author"),
                ("subjects/2?details=books.author", "books.author"), ("subjects?details=books.author", "books.author"),
                ("copies/b9,1?details=book", "copies.book"), ("copies?isbn=b9&details=book", "copies.book"),
            ] {
                let error = await #expect(throws: ValueMismatch.self, "\(target)") {
                    try await service.answer(service.restQuestion(target))
                }
                let described = error.map(ServiceError.init)
                #expect(described?.code == .valueMismatch)
                #expect(
                    described?.detail
                        == "\(relation) is declared as a required row, but a row has none; "
                        + "correct the row, or describe the field with one: optional")
            }
            let response = try await GraphQLStyle(service).schema.execute(
                #"{ book(id: "b5") { title author { name } } other: book(id: "b1") { author { name } } }"#,
                userContext: ())
            #expect(response.errors.map(\.code) == ["VALUE_MISMATCH"])
            #expect(
                String(buffer: response.body).contains(#""data":{"book":null,"other":{"author":{"name":"Ada"}}}"#))
        }
    }

    // MARK: Missing rows

    @Test("A path to a missing row is an error, and a list without rows is empty", arguments: TestBackend.available)
    func missing(_ backend: TestBackend) async throws {
        try await Library.withService(backend, catalogue: Library.writableCatalogue()) { service async throws in
            for (target, code, detail) in [
                ("authors/9", "unknown-author", "there is no author 9"),
                ("books/b9?details=copies", "unknown-book", "there is no book b9"),
                ("loans/b1,1,2020-01-02", "unknown-loan", "there is no loan b1, 1, 2020-01-02"),
                ("subjects/9/books?count=true", "unknown-subject", "there is no subject 9"),
                ("books/b9/subjects/1", "unknown-book", "there is no book b9"),
                (
                    "books/b1/subjects/2", "unknown-subject",
                    "there is no subject of book b1 with subjectNumber 2"
                ),
            ] {
                let error = await #expect(throws: ServiceError.self, "\(target)") {
                    try await service.answer(service.restQuestion(target))
                }
                #expect(error?.code.rawValue == code)
                #expect(error?.code.missingNoun == String(code.dropFirst(8)))
                #expect(error?.detail == detail)
            }
            #expect(try await service.restBody("books/b4/subjects/2") == #"{"subjectNumber":2,"name":"Birds"}"#)
            #expect(try await service.restBody("subjects/3/books") == "[]")
        }
    }

    @Test("A check that a row exists runs one statement. A missing row is an error", arguments: TestBackend.available)
    func requirement(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let authors = try #require(service.catalogue["authors"])
            let (cost, tags) = try await service.requireRow(authors, [.integer(2)])
            #expect(cost.statements == 1 && tags.names == ["Author:2"])
            let error = await #expect(throws: ServiceError.self) {
                try await service.requireRow(authors, [.integer(9)])
            }
            #expect(error == ServiceError(.unknown("author"), "there is no author 9"))
        }
    }
}
