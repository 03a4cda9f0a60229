import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Named parameters in conditions") struct ParameterTests {
    /// Calls a closure with a service of the library whose books have a condition.
    private static func withBooks(
        _ backend: TestBackend, _ condition: Filter, observer: DatabaseObserver? = nil,
        _ body: (ResourceService) async throws -> Void
    ) async throws {
        let catalogue = try ConditionalLibrary("", ["books": condition], removal: "").catalogue()
        try await Library.withService(backend, catalogue: catalogue, observer: observer, body)
    }

    /// Returns the service with values of parameters.
    private static func set(_ parameters: [String: JSONValue], _ service: ResourceService) -> ResourceService {
        var service = service
        service.parameters = parameters
        return service
    }

    private static let numbers = "books?fields=isbn"

    @Test("One plan serves all values of a parameter", arguments: TestBackend.available)
    func onePlan(_ backend: TestBackend) async throws {
        let condition = Filter.compare("language", .equal, [.parameter("language")])
        try await Self.withBooks(backend, condition) { service in
            let plan = try service.plan(
                try service.restQuestion("authors/1?fields=name&details=books&books.fields=isbn"))
            let pages = try service.plan(
                try service.restQuestion("subjects?fields=name&details=books&books.count=true&books.fields=isbn"))
            for (language, author, count) in [
                ("EN", #"[{"isbn":"b2"},{"isbn":"b4"},{"isbn":"b1"}]"#, 3), ("FR", "[]", 1),
            ] {
                let service = Self.set(["language": .string(language)], service)
                #expect(
                    String(buffer: try await service.answer(plan).body) == #"{"name":"Ada","books":\#(author)}"#)
                let text = String(buffer: try await service.answer(pages).body)
                #expect(text.contains(#""name":"Animals""#) && text.contains(#""totalCount":\#(count)"#), "\(text)")
            }
        }
    }

    @Test(
        "A prepared GraphQL operation has the values of parameters of each request", arguments: TestBackend.available)
    func operation(_ backend: TestBackend) async throws {
        let condition = Filter.compare("language", .equal, [.parameter("language")])
        try await Self.withBooks(backend, condition) { service async throws in
            let style = try GraphQLStyle(Self.set(["language": "FR"], service))
            let operation = try style.schema.prepare("{ author(id: 1) { name books { totalCount nodes { isbn } } } }")
            for (parameters, count, isbns) in [
                (["language": "EN"], 3, #"{"isbn":"b2"},{"isbn":"b4"},{"isbn":"b1"}"#), (nil, 0, ""),
            ] as [([String: JSONValue]?, Int, String)] {
                let execution = try await style.execute(
                    operation, variables: [:], namesEntities: false, deadline: .never, parameters: parameters)
                #expect(
                    String(buffer: execution.response.body)
                        == #"{"data":{"author":{"name":"Ada","books":{"totalCount":\#(count),"nodes":[\#(isbns)]}}}}"#)
                #expect(execution.response.cachePolicy?.scope == .private)
            }
        }
    }

    /// A condition, the values of its parameters, and the numbers of the visible books.
    struct Example: Sendable, CustomTestStringConvertible {
        let condition: Filter
        var value: JSONValue
        let visible: [String]

        var testDescription: String { "\(condition) \(value)" }
    }

    static let examples: [Example] = [
        Example(
            condition: .compare("isbn", .in, [.parameter("a.b")]), value: ["b1", "b3", "none"],
            visible: ["b1", "b3"]),
        Example(condition: .compare("isbn", .in, [.parameter("a.b")]), value: [], visible: []),
        Example(
            condition: .not(.compare("isbn", .in, [.parameter("a.b")])), value: ["b1", "b3"], visible: ["b2", "b4"]),
        Example(condition: .compare("title", .like, [.parameter("a.b")]), value: "*e*", visible: ["b1", "b2", "b3"]),
        Example(condition: .compare("title", .like, [.parameter("a.b")]), value: "Apes", visible: ["b2"]),
        Example(condition: .compare("title", .like, [.parameter("a.b")]), value: "a*", visible: []),
        Example(condition: .compare("published", .greater, [.parameter("a.b")]), value: 1999, visible: ["b3"]),
        Example(condition: .compare("published", .notEqual, [.parameter("a.b")]), value: 1999, visible: ["b3"]),
        Example(condition: .compare("price", .lessOrEqual, [.parameter("a.b")]), value: 10.5, visible: ["b1", "b3"]),
        Example(
            condition: .related("author", exists: true, .compare("authorNumber", .equal, [.parameter("a.b")])),
            value: 2, visible: ["b3"]),
        Example(
            condition: .related("author", exists: true, .compare("born", .less, [.parameter("a.b")])),
            value: "1900-01-01", visible: ["b1", "b2", "b4"]),
        // The text is an argument of the statement and never a part of it.
        Example(condition: .compare("title", .equal, [.parameter("a.b")]), value: "x' OR 1=1 --", visible: []),
        Example(
            condition: .any([
                .compare("title", .equal, [.parameter("a.b")]), .compare("isbn", .equal, [.parameter("a.b")]),
            ]),
            value: "b4", visible: ["b4"]),
    ]

    @Test("Each comparison can have a parameter", arguments: TestBackend.available, examples)
    func comparisons(_ backend: TestBackend, _ example: Example) async throws {
        try await Self.withBooks(backend, example.condition) { service async throws in
            let service = Self.set(["a.b": example.value], service)
            let expected = example.visible.map { #"{"isbn":"\#($0)"}"# }.joined(separator: ",")
            #expect(try await service.restBody(Self.numbers) == "[\(expected)]")
        }
    }

    @Test(
        "A list with many values is bound once, even if the statement reads many parent rows",
        arguments: TestBackend.available)
    func longList(_ backend: TestBackend) async throws {
        let condition = Filter.compare("isbn", .in, [.parameter("books")])
        try await Library.withService(
            backend, catalogue: ConditionalLibrary("", ["books": condition], removal: "").catalogue(),
            more: Library.moreRows
        ) { service in
            let books = (1...999).map { JSONValue.string("n\($0 + 1000)") } + ["b1"]
            let body = try await Self.set(["books": .array(books)], service)
                .restBody("authors?fields=name&details=books&books.fields=isbn&books.first=2&first=200")
            #expect(body.contains(#"{"isbn":"b1"}"#) && body.contains(#"{"isbn":"n1150"}"#) && !body.contains("b3"))
        }
    }

    @Test("The condition of a question for one row is part of the statement", arguments: TestBackend.available)
    func item(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service in
            let condition = Filter.compare("title", .equal, [.parameter("title")])
            let form = Question.Form.item(Selection([.field(name: "isbn", "isbn")]))
            let plan = try service.plan(
                Question(.item(resource: "books", key: [.text("b1")], condition: condition), form))
            let matching = Self.set(["title": "Zebras"], service)
            #expect(String(buffer: try await matching.answer(plan).body) == #"{"isbn":"b1"}"#)
            let error = await #expect(throws: ServiceError.self) {
                try await Self.set(["title": "Apes"], service).answer(plan)
            }
            #expect(error?.detail == "there is no book b1")
        }
    }

    @Test("A parameter without a valid value is an error, and no row is read", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        for (operand, comparison, value, reason) in [
            ("published", Comparison.equal, nil, ParameterError.Reason.missing),
            ("published", .equal, JSONValue.null, .missing),
            (
                "published", .equal, "1999 OR 1=1",
                .mismatch(expected: "a whole number from -2147483648 to 2147483647")
            ),
            (
                "published", .equal, [1999],
                .mismatch(expected: "a whole number from -2147483648 to 2147483647")
            ),
            ("title", .like, 1, .mismatch(expected: "a text")),
            ("isbn", .in, "b1", .mismatch(expected: "a list of at most 1000 values")),
            (
                "isbn", .in, .array(Array(repeating: "b1", count: 1001)),
                .mismatch(expected: "a list of at most 1000 values")
            ),
            ("isbn", .in, ["b1", .null], .mismatch(expected: "up to 13 letters and digits")),
        ] as [(String, Comparison, JSONValue?, ParameterError.Reason)] {
            let recorder = StatementRecorder()
            let condition = Filter.not(.compare(operand, comparison, [.parameter("user")]))
            try await Self.withBooks(backend, condition, observer: recorder.observer) { service in
                recorder.take()
                let service = Self.set(value.map { ["user": $0] } ?? [:], service)
                for target in [Self.numbers, "books/b1", "authors?details=books", "books/b1/copies"] {
                    let error = await #expect(throws: ParameterError.self) { try await service.restBody(target) }
                    #expect(error?.parameter == "user")
                    #expect(error?.reason == reason)
                }
                #expect(recorder.take().filter { $0.hasPrefix("SELECT") } == [])
            }
        }
    }

    @Test("The answer of a plan with a parameter is private, and a shared cache does not store it")
    func cachePolicy() async throws {
        try await Self.withBooks(.sqlite, .compare("language", .equal, [.parameter("language")])) { service in
            for (target, isPrivate) in [
                ("books", true), ("books/b1", true), ("authors?details=books", true), ("books/b1/copies", true),
                ("authors", false),
            ] {
                let plan = try service.plan(try service.restQuestion(target))
                #expect(plan.cachePolicy.scope == (isPrivate ? .private : .public), "\(target)")
            }
        }
    }

    @Test("Operands that are not known values or one parameter are an error, and none of them is ignored")
    func operands() async throws {
        try await Library.withService(.sqlite) { service in
            for operands: [Operand] in [[.parameter("a"), .text("b1")], [.text("b1"), .parameter("a")]] {
                let window = Window(filter: .not(.compare("isbn", .in, operands)))
                let question = Question(.list(resource: "books", window), .list(.array(Selection())))
                #expect(throws: CatalogueError.self) { try service.plan(question) }
            }
        }
    }

    @Test("Parameters whose names differ only in special characters are different parameters")
    func names() async throws {
        let condition = Filter.all([
            .compare("isbn", .equal, [.parameter("a.b")]), .not(.compare("isbn", .equal, [.parameter("a_b")])),
            .not(.compare("isbn", .equal, [.parameter("ab")])), .not(.compare("isbn", .equal, [.parameter("ä.b")])),
        ])
        try await Self.withBooks(.sqlite, condition) { service async throws in
            let service = Self.set(["a.b": "b1", "a_b": "b2", "ab": "b3", "ä.b": "b4"], service)
            #expect(try await service.restBody(Self.numbers) == #"[{"isbn":"b1"}]"#)
        }
    }

    @Test("Only the condition of a resource can have a parameter, and a parameter is the only operand of a comparison")
    func places() throws {
        func error(_ change: (inout Resource) -> Void) -> String? {
            #expect(throws: CatalogueError.self) {
                var resources = try Library.catalogue().resources
                if let index = resources.firstIndex(where: { $0.name == "books" }) { change(&resources[index]) }
                _ = try Catalogue(resources, description: "")
            }?.description
        }
        let parameter = Filter.compare("title", .equal, [.parameter("user")])
        #expect(
            error {
                $0.filters = [NamedFilter("own", .flag(whenTrue: parameter, whenFalse: .everything), description: "")]
            } == "books: a named filter that compares title cannot have parameters")
        #expect(
            error { $0.condition = .compare("title", .in, [.parameter("user"), .text("a")]) }
                == "books: the comparison of title by in needs one operand")
        #expect(
            error { $0.condition = .compare("published", .like, [.parameter("user")]) }
                == "books: published cannot be compared by like, because of its type")
    }
}
