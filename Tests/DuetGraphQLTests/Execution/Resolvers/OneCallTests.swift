import DuetGraphQL
import DuetJSON
import Testing

@Suite("Executing a document in one call")
struct OneCallTests {
    @Test("A document is parsed, validated and executed with its variables and the user context")
    func executed() async throws {
        let response = try await BookShop.schema().execute(
            "query($id: ID!) { book(id: $id) { title genre price author { name } } }", variables: ["id": "1"],
            userContext: BookShop())
        #expect(
            response.text
                == #"{"data":{"book":{"title":"Emma","genre":"NOVEL","price":9.5,"author":{"name":"Austen"}}}}"#)
        #expect(response.errors.isEmpty)
    }

    @Test(
        "The response to an invalid document has errors and no data",
        arguments: [
            ("{ books { titel } }", #"Cannot query field "titel" on type "Book". Did you mean "title"?"#),
            (
                "{ books(frist: 1) { title } }",
                #"Unknown argument "frist" on field "Query.books". Did you mean "first"?"#
            ),
            ("{ books", "Syntax Error: Expected Name, found <EOF>."),
            ("{ book { title } }", #"Field "book" argument "id" of type "ID!" is required, but it was not provided."#),
        ])
    func invalid(document: String, message: String) async throws {
        let response = try await BookShop.schema().execute(document, userContext: BookShop())
        #expect(response.errors.map(\.message) == [message])
        #expect(response.kind == .requestError)
        #expect(!response.text.contains("\"data\""))
    }

    @Test("A document that is executed again is not parsed again")
    func cached() async throws {
        let schema = try BookShop.schema()
        for _ in 0..<3 { _ = try await schema.execute("{ books { id } }", userContext: BookShop()) }
        #expect(schema.operations.statistics.misses == 1)
        #expect(schema.operations.statistics.hits == 2)
        #expect(try schema.prepare("{ books { id } }").planned === schema.prepare("{ books { id } }").planned)
    }

    @Test("Releasing a schema releases its cached operations, also after their execution")
    func released() async throws {
        weak var prepared: PlannedOperation?
        weak var executed: PlannedOperation?
        do {
            let schema = try BookShop.schema()
            prepared = try schema.prepare("{ books { id } }").planned
            _ = try await schema.execute("{ book(id: 1) { id } }", userContext: BookShop())
            executed = try schema.prepare("{ book(id: 1) { id } }").planned
            #expect(schema.operations.statistics.hits == 1)
            #expect(prepared != nil && executed != nil)
        }
        #expect(prepared == nil && executed == nil)
    }

    @Test("The operation of a document is selected by its name")
    func named() async throws {
        let document = "query A { books(first: 1) { id } } query B { books(first: 2) { id } }"
        let schema = try BookShop.schema()
        let response = try await schema.execute(document, operationName: "B", userContext: BookShop())
        #expect(response.text == #"{"data":{"books":[{"id":"1"},{"id":"2"}]}}"#)
        let unnamed = try await schema.execute(document, userContext: BookShop())
        #expect(
            unnamed.errors.map(\.message)
                == ["Must provide operation name if query contains multiple operations."])
    }

    @Test("An unvalidated prepared operation omits fields that the schema does not define")
    func unvalidated() async throws {
        let schema = try BookShop.schema()
        let document = try Parser.parse("{ books(first: 1) { id titel } }")
        let operation = try PreparedOperation(unvalidated: document, schema: schema)
        #expect(
            try await operation.execute(userContext: BookShop()).text == #"{"data":{"books":[{"id":"1"}]}}"#)
    }

    @Test("The error of a mutation has the message and the code of the error that its resolver throws")
    func mutation() async throws {
        let schema = try BookShop.schema()
        let added = try await schema.execute(
            "mutation($title: String!) { addBook(title: $title) { id title } }", variables: ["title": "Mansfield Park"],
            userContext: BookShop())
        #expect(added.text == #"{"data":{"addBook":{"id":"5","title":"Mansfield Park"}}}"#)
        let refused = try await schema.execute("mutation { addBook(title: \"\") { id } }", userContext: BookShop())
        #expect(refused.errors.map(\.message) == ["The title is empty."])
        #expect(refused.errors.map(\.code) == ["BAD_TITLE"])
        #expect(!refused.hasData)
    }

    @Test("Each event of a subscription is delivered as a response")
    func subscription() async throws {
        let schema = try BookShop.schema()
        guard
            case .responses(let responses) = try await schema.subscribe(
                "subscription { added(count: 2) { title } }", userContext: BookShop())
        else { throw GraphQLError("The subscription did not start") }
        var texts: [String] = []
        for try await response in responses { texts.append(response.text) }
        #expect(
            texts == [
                #"{"data":{"added":{"title":"Emma"}}}"#, #"{"data":{"added":{"title":"Persuasion"}}}"#,
            ])
        guard
            case .failed(let response) = try await schema.subscribe("subscription { nothing }", userContext: BookShop())
        else { throw GraphQLError("An invalid subscription has started") }
        #expect(response.kind == .requestError)
    }

    @Test("A subscription that is executed as a query is a request error")
    func executedSubscription() async throws {
        let schema = try BookShop.schema()
        let response = try await schema.execute("subscription { added(count: 2) { id } }", userContext: BookShop())
        #expect(response.kind == .requestError)
        #expect(response.errors.first?.message.hasPrefix("The operation is a subscription") == true)
        guard case .failed(let query) = try await schema.subscribe("{ books { id } }", userContext: BookShop()) else {
            throw GraphQLError("A query has started as a subscription")
        }
        #expect(
            query.errors.map(\.message) == [
                #"The operation is a query, which has one response. Execute it with "execute"."#
            ])
    }

    @Test("SchemaDirective.incrementalDelivery adds the directives @defer and @stream to a schema")
    func incremental() async throws {
        let schema = try ExecutableSchema(
            Schema(sdl: BookShop.sdl, directives: SchemaDirective.incrementalDelivery), resolvers: BookShop.resolvers())
        guard
            case .incremental(let initial, let subsequent) = try await schema.executeIncrementally(
                "{ book(id: 1) { title ... @defer { author { name } } } }", userContext: BookShop())
        else { throw GraphQLError("Nothing was deferred") }
        #expect(initial.text.hasPrefix(#"{"data":{"book":{"title":"Emma"}},"pending""#))
        var count = 0
        for try await _ in subsequent { count += 1 }
        #expect(count == 1)
        let streamed = try await schema.execute("{ books @stream(initialCount: 1) { id } }", userContext: BookShop())
        #expect(streamed.errors.isEmpty)
    }

    @Test("The plan of an operation is available without a user context")
    func plan() throws {
        let operation = try BookShop.schema().prepare("{ books { id } }")
        #expect(try operation.planDescription().hasPrefix("books"))
    }

    @Test("An array can be the value of a custom scalar")
    func scalarList() async throws {
        var resolvers = SchemaResolvers()
        resolvers.query { $0["any"] = .sync { _, _ in [1, nil, 3] } }
        let schema = try ExecutableSchema(Schema(sdl: "scalar Any type Query { any: Any }"), resolvers: resolvers)
        #expect(try await schema.execute("{ any }").text == #"{"data":{"any":[1,null,3]}}"#)
    }

    @Test("Canceling the task ends an operation with many small lists")
    func cancelled() async throws {
        struct Node: ObjectSource {}
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["nodes"] = .sync { _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return Array(repeating: Node(), count: 10)
            }
        }
        resolvers.bind(Node.self, to: "Node") { node in
            node["nodes"] = .sync { _, _ in Array(repeating: Node(), count: 10) }
        }
        let schema = try ExecutableSchema(
            Schema(sdl: "type Query { nodes: [Node!]! } type Node { nodes: [Node!]! }"), resolvers: resolvers)
        let document =
            String(repeating: "{ nodes ", count: 12) + "{ __typename }" + String(repeating: " }", count: 12)
        // Without the cancellation, the operation would complete 10^12 objects.
        let task = Task { try await schema.execute(document) }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Asynchronous resolvers run even if the maximum number of concurrent resolvers is 0")
    func noConcurrency() async throws {
        var options = ExecutionOptions()
        options.maximumConcurrentResolvers = 0
        let response = try await BookShop.schema(options).execute(
            "{ a: books(first: 1) { id } b: books(first: 1) { id } }", userContext: BookShop())
        #expect(response.text == #"{"data":{"a":[{"id":"1"}],"b":[{"id":"1"}]}}"#)
    }

    // MARK: - Content of responses

    struct Books: Decodable, Equatable {
        struct Book: Decodable, Equatable {
            let id: String
            let price: Double?
        }
        let books: [Book]
    }

    @Test("A response is available as text, bytes, a JSON value or a decoded type")
    func content() async throws {
        let response = try await BookShop.schema().execute("{ books(first: 2) { id price } }", userContext: BookShop())
        let text = #"{"data":{"books":[{"id":"1","price":9.5},{"id":"2","price":null}]}}"#
        #expect(response.text == text)
        #expect(response.bytes == Array(text.utf8))
        #expect(try response.json() == JSONValue(parsing: text.utf8))
        #expect(
            try response.decode(Books.self) == Books(books: [.init(id: "1", price: 9.5), .init(id: "2", price: nil)]))
    }

    @Test("Decoding a response with errors throws the errors, unless partial data is permitted")
    func decodingErrors() async throws {
        struct Partial: Decodable { let book: Books.Book? }
        var resolvers = BookShop.resolvers()
        resolvers["Book", "price"] = .sync { _, _ -> Double? in throw GraphQLError("No price") }
        let schema = try ExecutableSchema(Schema(sdl: BookShop.sdl), resolvers: resolvers)
        let response = try await schema.execute("{ book(id: 1) { id price } }", userContext: BookShop())
        let errors = #expect(throws: GraphQLErrors.self) { try response.decode(Partial.self) }
        #expect(errors?.map(\.message) == ["No price"])
        #expect(try response.decode(Partial.self, allowsErrors: true).book == Books.Book(id: "1", price: nil))
        let invalid = try await schema.execute("{", userContext: BookShop())
        #expect(throws: GraphQLErrors.self) { try invalid.decode(Partial.self, allowsErrors: true) }
    }
}
