import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Limits of responses") struct LimitTests {
    private static func limited(_ service: ResourceService, to size: Int) -> ResourceService {
        ResourceService(
            service.catalogue, database: service.database, encoding: service.encoding, maximumAnswerSize: size)
    }

    @Test(
        "A response of the maximum size is complete, and a larger response is an error",
        arguments: TestBackend.available)
    func sizes(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for target in [
                "authors", "books?details=copies", "authors/1", "authors/1?details=books.copies",
                "subjects?details=books&books.page=true", "copies/b1,1/loans",
            ] {
                let question = try service.restQuestion(target)
                let whole = try await service.answer(question).body
                let exact = try await Self.limited(service, to: whole.readableBytes).answer(question)
                #expect(exact.body == whole, "\(target)")
                let error = await #expect(throws: ServiceError.self, "\(target)") {
                    try await Self.limited(service, to: whole.readableBytes - 1).answer(question)
                }
                #expect(error?.code == .answerTooLarge)
                #expect(error?.detail.hasSuffix("request fewer rows or fields") == true)
            }
        }
    }

    @Test("The maximum size applies to all fields of a GraphQL operation together", arguments: TestBackend.available)
    func total(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let field = "authors { nodes { name born } }"
            let whole = try await GraphQLStyle(service).schema.execute("{ \(field) }", userContext: ())
            let limited = try GraphQLStyle(Self.limited(service, to: whole.body.readableBytes))
            let one = try await limited.schema.execute("{ \(field) }", userContext: ())
            #expect(one.errors.isEmpty && one.body == whole.body)
            let two = try await limited.schema.execute("{ \(field) again: \(field) }", userContext: ())
            #expect(two.errors.first?.code == "ANSWER_TOO_LARGE")
        }
    }

    @Test("A request after its deadline runs no statement and changes no row", arguments: TestBackend.available)
    func passedDeadline(_ backend: TestBackend) async throws {
        let recorder = StatementRecorder()
        let catalogue = try Library.writableCatalogue()
        try await Library.withService(backend, catalogue: catalogue, observer: recorder.observer) {
            service async throws in
            let late = ResourceService(
                catalogue, database: service.database, encoding: service.encoding, requestTimeout: .zero)
            let key: [SQLValue] = [.text("b2"), .integer(1), .date(try #require(CalendarDate(iso: "2022-05-05")))]
            recorder.take()
            for request in [
                { _ = try await late.answer(late.restQuestion("authors")) },
                { _ = try await late.write(.delete(from: "loans", key: key)) },
                { _ = try await late.requireRow(try #require(catalogue["authors"]), [.integer(1)]) },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: DatabaseError.self) { try await request() }
                #expect(error?.code == .timeout)
                #expect(error.map(ServiceError.init)?.code == .queryTimeout)
            }
            let response = try await GraphQLStyle(late).schema.execute(
                "{ authors { nodes { name } } }", userContext: ())
            #expect(response.errors.first?.code == "QUERY_TIMEOUT")
            #expect(recorder.take().isEmpty)
            #expect(try await service.restBody("loans/b2,1,2022-05-05?fields=reader") == #"{"reader":"Eve"}"#)
        }
    }

    @Test("A short read that exceeds its budget on the calling thread runs again in the pool, and has the same cost")
    func directReadBudget() async throws {
        let recorder = StatementRecorder()
        try await Library.withService(.sqlite, more: Library.moreRows, observer: recorder.observer) {
            service async throws in
            let question = try service.restQuestion("authors/1?details=students&students.first=250")
            let direct = try await service.answer(question)
            #expect(direct.cost.statements == 2)
            #expect(recorder.take().count == 2)
            var bounded = service
            bounded.directReadBudget = ReadBudget(steps: 0, time: .seconds(600))
            // With a limit of examined rows, SQLite counts the steps of each execution from 0, and these are too few.
            bounded.maximumScan = nil
            let repeated = try await bounded.answer(question)
            #expect(repeated.body == direct.body)
            #expect(repeated.cost.statements == 2)
            #expect(recorder.take().count > 2)
        }
    }

    @Test(
        "A request that waits for a connection longer than the request timeout is an error",
        arguments: TestBackend.available)
    func waiting(_ backend: TestBackend) async throws {
        try await TestDatabase.with(
            backend, schema: false, configuration: DatabaseConfiguration(poolSize: 1)
        ) { database async throws in
            try await database.write { try $0.executeScript(Library.script) }
            let service = ResourceService(
                try Library.catalogue(), database: database, encoding: ValueEncoding(dates: .iso),
                requestTimeout: .milliseconds(20))
            try await database.holdingConnection { release async throws in
                // The connection is not released before the error.
                let error = await #expect(throws: DatabaseError.self) { try await service.restBody("authors") }
                #expect(error.map(ServiceError.init)?.code == .queryTimeout)
                release()
            }
        }
    }

    @Test(
        "A missing table is an error of its resource, and other resources remain readable",
        arguments: TestBackend.available)
    func missingTable(_ backend: TestBackend) async throws {
        try await Library.withService(backend, more: "DROP TABLE copies") { service async throws in
            for (target, resource) in [
                ("copies", "copies"), ("copies/b1,1", "copies"), ("books?details=copies", "copies"),
                (#"books?filter={"copies":{"some":{"shelf":{"eq":"A"}}}}"#, "books"),
            ] {
                do {
                    _ = try await service.restBody(target)
                    Issue.record("\(target) is answered")
                } catch {
                    let described = ServiceError(describing: error)
                    #expect(described.code == .databaseUnavailable, "\(target)")
                    #expect(
                        described.detail.hasPrefix("\(resource) or one of its relations cannot be read"),
                        "\(described.detail)")
                }
            }
            #expect(try await service.restBody("books/b1?fields=title") == #"{"title":"Zebras"}"#)
            let response = try await GraphQLStyle(service).schema.execute(
                #"{ book(id: "b1") { title } books { nodes { copies { shelf } } } }"#, userContext: ())
            #expect(response.errors.map(\.code) == ["DATABASE_UNAVAILABLE"])
            #expect(response.errors.first?.path == [.key("books")])
            #expect(String(buffer: response.body).contains(#""data":{"book":{"title":"Zebras"},"books":null}"#))
        }
    }
}
