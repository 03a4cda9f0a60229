import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("The condition of a resource") struct ConditionTests {
    @Test(
        "REST requests are answered as if the excluded rows did not exist", arguments: TestBackend.available,
        ConditionalLibrary.all)
    func rest(_ backend: TestBackend, _ library: ConditionalLibrary) async throws {
        try await library.withServices(backend) { conditional, twin in
            let requests = try await RequestEnumeration(twin, keysOf: conditional).rest
            #expect(requests.count > 300)
            let styles = (RESTRequests(conditional), RESTRequests(twin))
            for request in requests {
                let expected = await Self.outcome(request, styles.1, twin)
                #expect(await Self.outcome(request, styles.0, conditional) == expected, "\(request)")
            }
        }
    }

    @Test(
        "GraphQL queries are answered as if the excluded rows did not exist", arguments: TestBackend.available,
        ConditionalLibrary.all)
    func graphQL(_ backend: TestBackend, _ library: ConditionalLibrary) async throws {
        try await library.withServices(backend) { conditional, twin in
            #expect(try GraphQLStyle.sdl(of: conditional.catalogue) == GraphQLStyle.sdl(of: twin.catalogue))
            let requests = try await RequestEnumeration(twin, keysOf: conditional).graphQL
            #expect(requests.count > 30)
            let styles = (try GraphQLStyle(conditional), try GraphQLStyle(twin))
            for request in requests {
                let expected = try await Self.outcome(request, styles.1)
                #expect(try await Self.outcome(request, styles.0) == expected, "\(request)")
            }
        }
    }

    /// The response to a REST request, and its cache tags.
    struct Outcome: Equatable, CustomStringConvertible {
        var bodies: [String] = []
        var totalCount: Int64?
        var rows: [String] = []
        var error: String?

        var description: String {
            "\(bodies) of \(totalCount.map { "\($0)" } ?? "-"), rows \(rows), error \(error ?? "-")"
        }
    }

    /// Returns the bodies of all pages and of the export, the number of rows, and the cache tags of rows.
    static func outcome(
        _ request: RequestEnumeration.REST, _ requests: RESTRequests, _ service: ResourceService
    ) async -> Outcome {
        var outcome = Outcome()
        do {
            var target: String? = request.target
            while let current = target {
                let question = try requests.question(current, request.format)
                let answer = try await service.answer(question, request.format, namesEntities: true)
                outcome.bodies.append(String(buffer: answer.body))
                outcome.totalCount = answer.totalCount
                outcome.rows += answer.tags.names.filter { $0.contains(":") }
                target = answer.next.map { "\(request.target)\(request.target.contains("?") ? "&" : "?")after=\($0)" }
            }
            if request.isExport {
                let question = try requests.question(request.target, request.format)
                var export = ByteBuffer()
                for try await piece in try await service.stream(try service.plan(question), request.format) {
                    export.writeImmutableBuffer(piece)
                }
                outcome.bodies.append(String(buffer: export))
            }
        } catch {
            outcome.error = "\(error)"
        }
        return outcome
    }

    static func outcome(_ document: String, _ style: GraphQLStyle) async throws -> [String] {
        let operation = try style.schema.operations.operation(in: document, named: nil)
        let executed = try await style.execute(
            PreparedOperation(operation), variables: [:], namesEntities: true, deadline: .after(.seconds(600)))
        return [String(buffer: executed.response.body)] + executed.tags.names.filter { $0.contains(":") }
    }

    @Test("A row that the condition excludes cannot be the parent of a new row", arguments: TestBackend.available)
    func requiredRow(_ backend: TestBackend) async throws {
        try await ConditionalLibrary.all[0].withServices(backend) { conditional, twin in
            let authors = try #require(conditional.catalogue["authors"])
            for number: Int64 in 1...5 {
                let outcomes = await [conditional, twin].asyncMap { service in
                    do {
                        return "\(try await service.requireRow(authors, [.integer(number)]).1.names)"
                    } catch {
                        return "\(error)"
                    }
                }
                #expect(outcomes[0] == outcomes[1])
            }
        }
    }

    @Test("A row that the condition excludes cannot be changed", arguments: TestBackend.available)
    func write(_ backend: TestBackend) async throws {
        let described = try Library.writableCatalogue()
        let catalogue = try Catalogue(
            described.resources.map { resource in
                var resource = resource
                if resource.name == "loans" { resource.condition = .isNull("returnedOn", true) }
                return resource
            }, writes: described.writes, description: described.description)
        try await Library.withService(backend, catalogue: catalogue) { service in
            try await Library.expectUnchanged(service) {
                await #expect(throws: ServiceError.self) {
                    _ = try await service.restWrite("DELETE", "loans/b1,1,2020-01-01")
                }
            }
            _ = try await service.restWrite("DELETE", "loans/b1,1,2021-01-01")
            #expect(try await service.rows("SELECT isbn FROM loans WHERE isbn = 'b1' AND copy_no = 1").count == 1)
        }
    }

    @Test("A change cannot add a row outside the condition, or move a row out of it", arguments: TestBackend.available)
    func changes(_ backend: TestBackend) async throws {
        let library = ConditionalLibrary("", ["loans": .isNull("returnedOn", true)], removal: "")
        try await Library.withService(backend, catalogue: try library.catalogue()) { service async throws in
            let key: [SQLValue] = ["b1", 1, .date(try #require(CalendarDate(iso: "2021-01-01")))]
            let day = try #require(CalendarDate(iso: "2024-01-01"))
            let row: RowValues = ["isbn": "b3", "copyNumber": 1, "lentOn": .date(day), "reader": "Ann"]
            try await Library.expectUnchanged(service) {
                for change in [
                    Change.insert(row.merging(["returnedOn": .date(day)]), into: "loans"),
                    .update("loans", key: key, set: ["returnedOn": .date(day)]),
                    .upsert(row.merging(["returnedOn": .date(day)]), into: "loans"),
                ] {
                    let error = await #expect(throws: ServiceError.self) { try await service.write(change) }
                    #expect(error?.code == .conflict)
                }
            }
            _ = try await service.write(.insert(row, into: "loans"))
            _ = try await service.write(.update("loans", key: key, set: ["reader": "Bob"]))
            #expect(try await service.rows("SELECT COUNT(*) FROM loans WHERE reader IN ('Ann', 'Bob')") == [["2"]])
        }
    }

    @Test("A nested conjunction without conditions is not a condition")
    func empty() async throws {
        let library = ConditionalLibrary("", ["books": .all([.all([])])], removal: "")
        try await Library.withService(.sqlite, catalogue: try library.catalogue()) { service async throws in
            #expect(
                try await service.restBody("books?fields=isbn&first=1&count=true").hasPrefix(#"[{"isbn":"b1"}] of 4"#))
        }
    }

    @Test("The conditions of two resources that refer to each other add the cache tags of both types")
    func dependencies() async throws {
        let library = try #require(ConditionalLibrary.all.last)
        try await library.withServices(.sqlite) { service, _ in
            for (target, types) in [
                ("authors/1", ["Author", "Author:1", "Book"]),
                ("subjects", ["Subject", "Subject:1", "Subject:2", "Subject:3"]),
                ("loans/b1,1,2020-01-01?details=copy", ["Book", "Copy", "Copy:b1/1"]),
            ] {
                let answer = try await service.answer(try service.restQuestion(target), namesEntities: true)
                #expect(answer.tags.names == types, "\(target)")
            }
        }
    }

    @Test("A relation to a resource with a condition is optional")
    func optional() throws {
        let catalogue = try ConditionalLibrary.all[0].catalogue()
        let books = try #require(catalogue["books"])
        #expect(books.relation("author")?.size == .one(isOptional: true))
        #expect(books.field("authorName")?.isNullable == true)
        #expect(catalogue["copies"]?.relation("book")?.size == .one(isOptional: false))
    }

    @Test("A condition that is not possible is an error that names the resource")
    func errors() throws {
        func error(_ conditions: [String: Filter]) -> String {
            let library = ConditionalLibrary("", conditions, removal: "")
            do {
                _ = try library.catalogue()
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error(["books": .compare("authorName", .equal, [.text("Ada")])])
                == "books: the condition cannot compare authorName, which is a column of another table; use the relation"
        )
        #expect(error(["books": .isNull("size", true)]) == "books has no field size")
        #expect(error(["books": .not(.related("parts", exists: true, .everything))]) == "books has no relation parts")
    }

    @Test("Two resources of an intermediate table need the same condition, because a relation names only the table")
    func sharedTable() throws {
        var resources = try ConditionalLibrary("", [:], removal: "").catalogue().resources
        var copy = try #require(resources.last)
        (copy.name, copy.singular, copy.type, copy.table) = ("others", "other", "Other", "BOOK_SUBJECTS")
        copy.condition = .compare("isbn", .equal, [.text("b1")])
        resources.append(copy)
        let error = #expect(throws: CatalogueError.self) { try Catalogue(resources, description: "") }
        #expect(
            error?.description
                == "the relation leads through the table book_subjects, but classifications and others have different conditions for its rows; use the same condition"
        )
    }
}

extension Array {
    /// Maps the elements one after the other.
    fileprivate func asyncMap<Value>(_ transform: (Element) async -> Value) async -> [Value] {
        var values: [Value] = []
        for element in self { values.append(await transform(element)) }
        return values
    }
}
