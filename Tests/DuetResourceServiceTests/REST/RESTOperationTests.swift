import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import TestSupport
import Testing

@Suite("REST operations of a catalog") struct RESTOperationTests {
    /// The operations, with their names and statuses in the OpenAPI document.
    static let operations: [(operation: String, identifier: String, statuses: [String])] = [
        ("GET /authors", "listAuthors", ["200", "204", "304"]),
        ("GET /authors/{authorNumber}", "getAuthor", ["200", "204", "304"]),
        ("GET /authors/{authorNumber}/students", "listAuthorStudents", ["200", "204", "304"]),
        ("GET /authors/{authorNumber}/books", "listAuthorBooks", ["200", "204", "304"]),
        ("GET /authors/{authorNumber}/editedBooks", "listAuthorEditedBooks", ["200", "204", "304"]),
        ("GET /books", "listBooks", ["200", "204", "304"]), ("GET /books/{isbn}", "getBook", ["200", "204", "304"]),
        ("GET /books/{isbn}/copies", "listBookCopies", ["200", "204", "304"]),
        ("POST /books/{isbn}/copies", "addBookCopy", ["201"]),
        ("GET /books/{isbn}/subjects", "listBookSubjects", ["200", "204", "304"]),
        ("GET /books/{isbn}/subjects/{subjectNumber}", "getBookSubject", ["200", "204", "304"]),
        ("PUT /books/{isbn}/subjects/{subjectNumber}", "putBookSubject", ["200", "201"]),
        ("GET /copies", "listCopies", ["200", "204", "304"]),
        ("GET /copies/{isbn},{copyNumber}", "getCopy", ["200", "204", "304"]),
        ("GET /copies/{isbn},{copyNumber}/loans", "listCopyLoans", ["200", "204", "304"]),
        ("GET /loans", "listLoans", ["200", "204", "304"]), ("POST /loans", "createLoan", ["201"]),
        ("GET /loans/{isbn},{copyNumber},{lentOn}", "getLoan", ["200", "204", "304"]),
        ("PATCH /loans/{isbn},{copyNumber},{lentOn}", "updateLoan", ["200"]),
        ("DELETE /loans/{isbn},{copyNumber},{lentOn}", "deleteLoan", ["204"]),
        ("GET /subjects", "listSubjects", ["200", "204", "304"]),
        ("GET /subjects/{subjectNumber}", "getSubject", ["200", "204", "304"]),
        ("GET /subjects/{subjectNumber}/books", "listSubjectBooks", ["200", "204", "304"]),
    ]

    @Test("A catalog has an operation for each list, row, to-many relation and write")
    func list() throws {
        let catalogue = try Library.writableCatalogue()
        let printer = OpenAPIPrinter(catalogue, dates: .iso)
        let described = catalogue.operations.map(printer.describe)
        #expect(described.map { "\($0.method) \($0.path)" } == Self.operations.map(\.operation))
        #expect(described.map(\.identifier) == Self.operations.map(\.identifier))
        #expect(described.map { $0.responses.map(\.status) } == Self.operations.map(\.statuses))
    }

    @Test("The preconditions, the body and the errors of an operation depend on its method")
    func parts() throws {
        let catalogue = try Library.writableCatalogue()
        let printer = OpenAPIPrinter(catalogue, dates: .iso)
        for operation in catalogue.operations {
            let described = printer.describe(operation)
            let name = described.identifier
            let conditions = described.parameters.filter { $0.value["in"] == "header" }.map(\.component)
            let expected =
                switch operation.method {
                case "GET": ["IfNoneMatch", "LastEventID", "PreferPatch"]
                case "PUT": ["IfMatch", "IfNoneMatch"]
                case "POST": operation.relation == nil ? [] : ["IfMatch"]
                default: ["IfMatch"]
                }
            #expect(conditions == expected, "\(name)")
            #expect((described.body != nil) == ["POST", "PATCH", "PUT"].contains(operation.method), "\(name)")
            #expect(described.problems.contains(.invalidCursor) == operation.isList, "\(name)")
            #expect(described.problems.contains(.validationFailed) == (described.body != nil), "\(name)")
            #expect(described.problems.contains(.outcomeUnknown) == (operation.method != "GET"), "\(name)")
            let missing = described.problems.compactMap(\.missingNoun)
            #expect(missing.first == (operation.path.contains("{") ? operation.resource.singular : nil), "\(name)")
            #expect(
                described.tag == operation.resource.name.prefix(1).uppercased() + operation.resource.name.dropFirst())
        }
        #expect(Set(catalogue.nounsOfItems) == ["author", "book", "copy", "loan", "subject"])
    }

    @Test("If-Match accepts the entity tag of a row, and of a list of related rows if the relation has a write")
    func guards() throws {
        let guarded = try Library.writableCatalogue().operations.filter { $0.method == "GET" && $0.guardsWrites }
        #expect(
            guarded.map(\.path) == [
                "/authors/{authorNumber}", "/books/{isbn}", "/books/{isbn}/copies", "/books/{isbn}/subjects",
                "/books/{isbn}/subjects/{subjectNumber}", "/copies/{isbn},{copyNumber}",
                "/loans/{isbn},{copyNumber},{lentOn}", "/subjects/{subjectNumber}",
            ])
    }

    static let parameters: [(path: String, names: [String])] = [
        (
            "/authors",
            [
                "fields", "details", "first", "after", "sort", "count", "filter", "group", "aggregate", "having",
                "timeZone", "called", "authorNumber", "name", "born",
            ]
        ),
        ("/authors/{authorNumber}", ["fields", "details"]),
        (
            "/copies/{isbn},{copyNumber}/loans",
            [
                "fields", "details", "first", "after", "sort", "count", "filter", "group", "aggregate", "having",
                "timeZone", "open", "isbn", "copyNumber", "lentOn", "reader", "returnedOn",
            ]
        ),
        (
            "/subjects",
            [
                "fields", "details", "first", "after", "sort", "count", "filter", "group", "aggregate", "having",
                "timeZone", "subjectNumber", "name",
            ]
        ),
    ]

    @Test(
        "A list has parameters for pages and filters. A single row has only `fields` and `details`",
        arguments: parameters)
    func parameter(_ row: (path: String, names: [String])) throws {
        let operation = try #require(Library.catalogue().operations.first { $0.path == row.path })
        #expect(operation.parameters == row.names)
    }

    @Test("An integer in a path counts as an integer parameter only if it is an entire segment")
    func integers() throws {
        let catalogue = try Library.writableCatalogue()
        func integers(_ path: String) -> Set<String>? {
            catalogue.operations.first { $0.path == path }?.integerParameters
        }
        #expect(integers("/authors/{authorNumber}") == ["authorNumber"])
        #expect(integers("/books/{isbn}/subjects/{subjectNumber}") == ["subjectNumber"])
        #expect(integers("/copies/{isbn},{copyNumber}") == [])
        #expect(integers("/authors") == [])
    }

    @Test("The example requests of a catalog are valid and use the example values of the catalog")
    func examples() async throws {
        try await Library.withService(.sqlite) { service async throws in
            let examples = ExampleRequests(service.catalogue)
            #expect(examples.targets.related == "/authors/1?details=mentor&details=students")
            #expect(examples.targets.sorted == "/authors?first=5&sort=-born")
            #expect(examples.document == "{ authors(first: 2) { nodes { authorNumber name born } } }")
            #expect(examples.range?.field == "born" && examples.comparison?.field == "authorNumber")
            for target in [examples.targets.related, examples.targets.sorted, examples.targets.list] {
                #expect(throws: Never.self) { try service.restQuestion(String(target.dropFirst())) }
            }
            let response = try await GraphQLStyle(service).schema.execute(examples.document, userContext: ())
            #expect(response.errors.isEmpty)
        }
    }
}
