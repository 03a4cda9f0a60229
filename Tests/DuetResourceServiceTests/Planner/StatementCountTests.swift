import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("The number of statements") struct StatementCountTests {
    static let queries: [(query: String, count: Int)] = [
        ("authors(first: $n) { nodes { name } }", 1), ("authors(first: $n) { totalCount }", 1),
        ("authors(first: $n) { totalCount nodes { name } }", 2),
        ("authors(first: $n) { edges { cursor node { name } } nodes { born } pageInfo { endCursor } }", 1),
        ("authors(first: $n, orderBy: {field: AUTHOR_NUMBER, direction: DESCENDING}) { nodes { mentor { name } } }", 2),
        (
            "authors(first: $n, orderBy: {field: AUTHOR_NUMBER, direction: DESCENDING}) { nodes { mentor { mentor { mentor { name } } } } }",
            4
        ),
        ("authors(first: $n) { nodes { students { name } few: students(first: 1) { name } } }", 3),
        ("authors(first: $n) { nodes { books(first: 2) { nodes { title } } } }", 2),
        ("authors(first: $n) { nodes { books(first: 2) { totalCount nodes { title } } } }", 3),
        ("authors(first: $n) { nodes { books { nodes { copies { loans { reader } } } } } }", 4),
        ("books(first: $n) { nodes { authorName subjects { name books(first: 1) { nodes { isbn } } } } }", 3),
        ("books(first: $n) { nodes { author { name } editor { name } subjects { name } copies { shelf } } }", 5),
        ("subjects { books(first: $n) { totalCount nodes { author { name } } } }", 4),
        (#"subject(id: 2) { books(first: $n) { nodes { title copies { shelf } } } }"#, 3),
    ]

    @Test(
        "An operation runs the same number of statements for 1, 3 and 250 rows",
        arguments: TestBackend.available)
    func counts(_ backend: TestBackend) async throws {
        let recorder = StatementRecorder()
        try await Library.withService(backend, more: Library.moreRows, observer: recorder.observer) { service in
            let style = try GraphQLStyle(service)
            for (query, count) in Self.queries {
                let operation = try style.schema.prepare("query Q($n: Int!) { \(query) }")
                var sizes: [Int] = []
                for first in [1, 3, 250] {
                    recorder.take()
                    let execution = try await style.execute(
                        operation, variables: ["n": .int(Int64(first))], namesEntities: false, deadline: .never)
                    #expect(execution.response.errors.isEmpty)
                    let statements = recorder.take()
                    #expect(statements.count == count, "\(query) of \(first): \(statements)")
                    #expect(execution.cost.statements == count)
                    sizes.append(execution.response.body.readableBytes)
                }
                // The responses have different numbers of rows.
                #expect(query.contains("{ totalCount }") || sizes[2] > sizes[0], "\(query)")
            }
        }
    }

    @Test("An operation reads all its rows in one transaction", arguments: TestBackend.available)
    func snapshots(_ backend: TestBackend) async throws {
        let recorder = StatementRecorder()
        try await Library.withService(backend, observer: recorder.observer) { service in
            let style = try GraphQLStyle(service)
            for (query, statements) in [
                ("{ authors { nodes { name } } }", 1),
                ("{ authors { nodes { name } } books { nodes { title } } subjects { name } }", 3),
                ("{ authors { nodes { name } } author(id: 1) { name } none: author(id: 9) { name } }", 3),
            ] {
                let operation = try style.schema.prepare(query)
                recorder.take()
                let execution = try await style.execute(
                    operation, variables: [:], namesEntities: false, deadline: .never)
                #expect(execution.response.errors.isEmpty)
                #expect(recorder.acquisitions == 1, "\(query)")
                #expect(recorder.take().count == statements, "\(query)")
            }
        }
    }

    @Test("SQLite reads a row by its key without a wait, even if all connections are in use")
    func directReads() async throws {
        try await TestDatabase.with(
            .sqlite, schema: false, configuration: DatabaseConfiguration(poolSize: 1)
        ) { database async throws in
            try await database.write { try $0.executeScript(Library.script) }
            var service = ResourceService(
                try Library.catalogue(), database: database, encoding: ValueEncoding(dates: .iso))
            service.directReadBudget?.time = .seconds(600)
            let direct = service
            try await database.holdingConnection { release async throws in
                // The only connection is released after these requests, so the requests cannot wait for it.
                #expect(try await direct.restBody("authors/1?fields=name") == #"{"name":"Ada"}"#)
                #expect(
                    try await direct.restBody("books/b1?fields=isbn&details=author&author.fields=name")
                        == #"{"isbn":"b1","author":{"name":"Ada"}}"#)
                let response = try await GraphQLStyle(direct).schema.execute(
                    "{ a: author(id: 1) { name } b: author(id: 2) { name } }", userContext: ())
                #expect(String(buffer: response.body) == #"{"data":{"a":{"name":"Ada"},"b":{"name":"Ben"}}}"#)
                // Without a budget for reads on the calling thread, the request must wait for the connection.
                var pooled = ResourceService(
                    direct.catalogue, database: database, encoding: direct.encoding, requestTimeout: .milliseconds(20))
                pooled.directReadBudget = nil
                let waiting = pooled
                let error = await #expect(throws: DatabaseError.self) {
                    try await waiting.restBody("authors/1?fields=name")
                }
                #expect(error?.code == .timeout)
                release()
            }
        }
    }

    @Test(
        "A statement for pages of related rows of several parent rows has UNION ALL only on MariaDB",
        arguments: TestBackend.available)
    func pages(_ backend: TestBackend) async throws {
        let recorder = StatementRecorder()
        try await Library.withService(backend, observer: recorder.observer) { service in
            recorder.take()
            _ = try await service.restBody("authors?first=3&details=books&books.first=1")
            let statements = recorder.take()
            try #require(statements.count == 2)
            let unions = statements[1].ranges(of: "UNION ALL").count
            #expect(backend == .mariaDB ? unions >= 2 : unions == 0, "\(statements[1])")
            #expect(statements[1].contains("LIMIT"))
            // The rows of a relation with few rows are read without a limit, so that UNION ALL is not necessary.
            _ = try await service.restBody("authors?first=3&details=students")
            #expect(recorder.take().allSatisfy { !$0.contains("UNION") })
        }
    }
}
