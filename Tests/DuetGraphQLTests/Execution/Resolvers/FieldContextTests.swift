import DuetGraphQL
import Testing

@Suite("The context and the arguments of a resolver")
struct FieldContextTests {
    private static func context(
        _ document: String, at path: [String] = [], variables: ObjectValue = [:]
    ) throws -> FieldContext<BookShop> {
        try FieldContext(of: document, at: path, in: BookShop.schema(), variables: variables, userContext: BookShop())
    }

    @Test("A unit test can create the context of a field and call the field's resolver")
    func unitTest() async throws {
        let context = try Self.context("{ books(genre: ESSAY) { title } }")
        #expect(try await BookShop.books((), context).map(\.title) == ["Walden"])
        #expect(context.field.name == "books")
        #expect(context.field.selection?.fields.map(\.responseName) == ["title"])
    }

    @Test("The context of a nested field is found by response names")
    func path() throws {
        let context = try Self.context("{ a: books { b: author { name } title } }", at: ["a", "b"])
        #expect(context.field.parentType.name == "Book")
        let errors = #expect(throws: GraphQLErrors.self) {
            try Self.context("{ books { title } }", at: ["books", "id"])
        }
        #expect(errors?.map(\.message) == [#"The operation does not select "id" from Book; it selects title."#])
    }

    @Test("An argument is converted to the type of the function that reads it")
    func scalars() throws {
        let arguments = try Self.context(
            "query($filter: BookFilter) { books(genre: NOVEL, ids: [1, \"2\"], filter: $filter) { id } }",
            variables: ["filter": ["title": "E", "genres": ["ESSAY"]]]
        ).arguments
        #expect(try arguments.int("first") == 10)
        #expect(try arguments.double("first") == 10)
        #expect(try arguments.enum("genre", as: BookShop.Genre.self) == .novel)
        #expect(try arguments.string("genre") == "NOVEL")
        #expect(try arguments.decode("ids", as: [String].self) == ["1", "2"])
        #expect(try arguments.contains("filter"))
    }

    struct Filter: Decodable, Equatable {
        let title: String
        let minimumPrice: Double?
        let genres: [String]?
    }

    struct Arguments: Decodable {
        let first: Int
        let genre: String?
        let filter: Filter?
    }

    @Test("Arguments are decoded as Codable values, individually or together")
    func decoded() throws {
        let context = try Self.context("{ books(first: 3, filter: { title: \"E\", minimumPrice: 2 }) { id } }")
        let filter = Filter(title: "E", minimumPrice: 2, genres: nil)
        #expect(try context.arguments.decode("filter", as: Filter.self) == filter)
        let all = try context.arguments.decode(Arguments.self)
        #expect(all.first == 3)
        #expect(all.genre == nil)
        #expect(all.filter == filter)
        #expect(try context.arguments.decodeIfPresent("ids", as: [String].self) == nil)
    }

    @Test("The functions with IfPresent return nil for an argument that is absent or null")
    func absent() throws {
        for document in ["{ books { id } }", "{ books(genre: null) { id } }"] {
            let arguments = try Self.context(document).arguments
            #expect(try arguments.stringIfPresent("genre") == nil)
            #expect(try arguments.enumIfPresent("genre", as: BookShop.Genre.self) == nil)
            let error = #expect(throws: ArgumentError.self) { try arguments.string("genre") }
            #expect(
                error?.description
                    == "Query.books(genre:) has no value; read it with a function whose name contains IfPresent")
        }
    }

    @Test("Reading an argument that the schema does not define is an error, even with the functions with IfPresent")
    func undefined() throws {
        let arguments = try Self.context("{ book(id: 1) { id } }").arguments
        for read in [{ try arguments.intIfPresent("frist") as Any? }, { try arguments.int("frist") as Any? }] {
            let error = #expect(throws: ArgumentError.self) { try read() }
            #expect(error?.description == "Query.book(frist:) is not defined; the field's arguments are id")
        }
        let error = #expect(throws: ArgumentError.self) { try arguments.bool("id") }
        #expect(error?.description == #"Query.book(id:) has the value "1", which is not a value of type Bool"#)
    }

    @Test("An ID can be read as an integer. If it is not an integer, the client receives an error")
    func integerID() async throws {
        #expect(try Self.context("{ book(id: 1) { id } }").arguments.int("id") == 1)
        #expect(try Self.context("{ book(id: \"17\") { id } }").arguments.intIfPresent("id") == 17)
        var resolvers = BookShop.resolvers()
        resolvers.query { query in
            query["book"] = .sync { _, context in
                let id = try context.arguments.int("id")
                return context.userContext.books.first { $0.id == id }
            }
        }
        let schema = try ExecutableSchema(Schema(sdl: BookShop.sdl), resolvers: resolvers)
        let response = try await schema.execute("{ book(id: \"x\") { id } }", userContext: BookShop())
        #expect(
            response.text
                == #"{"errors":[{"message":"The argument \"id\" of \"Query.book\" must be an integer.","locations":[{"line":1,"column":3}],"path":["book"]}],"data":{"book":null}}"#
        )
        // The client has the complete message, so there is nothing to log.
        #expect(response.errors.map { $0.underlyingError == nil } == [true])
        var options = ExecutionOptions()
        options.message = { _ in "Try again later." }
        let silent = try ExecutableSchema(Schema(sdl: BookShop.sdl), resolvers: resolvers, options: options)
        let hidden = try await silent.execute("{ book(id: \"x\") { id } }", userContext: BookShop())
        #expect(hidden.errors.map(\.message) == ["Try again later."])
        #expect(hidden.errors.first?.underlyingError is ArgumentError)
    }

    @Test("IDs in lists and in decoded arguments can be integers")
    func integerIDs() throws {
        struct All: Decodable { let ids: [Int] }
        let arguments = try Self.context("{ books(ids: [1, \"17\"]) { id } }").arguments
        #expect(try arguments.decode("ids", as: [Int].self) == [1, 17])
        #expect(try arguments.decodeIfPresent("ids", as: [UInt8].self) == [1, 17])
        #expect(try arguments.decode("ids", as: [String].self) == ["1", "17"])
        #expect(try arguments.decode(All.self).ids == [1, 17])
    }

    @Test(
        "Reading an ID as an integer is an error unless the ID is the shortest form of an integer",
        arguments: ["x", "+7", "007", " 7", "7.0", ""])
    func malformedIntegerID(id: String) throws {
        struct All: Decodable { let ids: [Int] }
        let single = try Self.context("{ book(id: \"\(id)\") { id } }").arguments
        let error = #expect(throws: ArgumentError.self) { try single.int("id") }
        #expect(error?.clientMessage == #"The argument "id" of "Query.book" must be an integer."#)
        let list = try Self.context("{ books(ids: [1, \"\(id)\"]) { id } }").arguments
        for read in [{ _ = try list.decode("ids", as: [Int].self) }, { _ = try list.decode(All.self) }] {
            let error = #expect(throws: ArgumentError.self) { try read() }
            #expect(error?.clientMessage == #"The argument "ids[1]" of "Query.books" must be an integer."#)
            #expect(error?.description.hasPrefix("Query.books(ids:) cannot be decoded as ") == true)
            #expect(error?.description.hasSuffix(", at [1]: The string is not a valid Int.") == true)
        }
    }

    @Test("A string or enum value that cannot be decoded as the Swift type is an internal error")
    func noID() throws {
        struct Filter: Decodable { let title: Int }
        enum Part: String, Decodable { case novel = "NOVEL" }
        struct Genres: Decodable { let genres: [Part] }
        let arguments = try Self.context("{ books(filter: { title: \"17\", genres: [NOVEL, ESSAY] }) { id } }")
            .arguments
        let string = #expect(throws: ArgumentError.self) { try arguments.decode("filter", as: Filter.self) }
        #expect(
            string?.description
                == "Query.books(filter:) cannot be decoded as Filter, at .title: Expected a number, found a string.")
        #expect(string?.clientMessage == nil)
        let genre = #expect(throws: ArgumentError.self) { try arguments.decode("filter", as: Genres.self) }
        #expect(
            genre?.description.hasPrefix("Query.books(filter:) cannot be decoded as Genres, at .genres[1]: ") == true)
        #expect(genre?.clientMessage == nil)
    }

    @Test("If an argument lacks a member of the Swift type, the internal error names the argument")
    func undecodable() throws {
        struct Wrong: Decodable { let titel: String }
        struct All: Decodable { let filter: Wrong }
        let arguments = try Self.context("{ books(filter: { title: \"E\" }) { id } }").arguments
        let error = #expect(throws: ArgumentError.self) { try arguments.decode("filter", as: Wrong.self) }
        #expect(
            error?.description
                == #"Query.books(filter:) cannot be decoded as Wrong: The object has no member "titel"."#)
        #expect(error?.clientMessage == nil)
        let all = #expect(throws: ArgumentError.self) { try arguments.decode(All.self) }
        #expect(
            all?.description == #"Query.books(filter:) cannot be decoded as All: The object has no member "titel"."#)
    }

    @Test(
        "FieldContext requires a path if an operation has several root fields. The path can pass through unions"
    )
    func paths() throws {
        let document = "{ book(id: 1) { id } anything { ... on Author { name } } }"
        let errors = #expect(throws: GraphQLErrors.self) { try Self.context(document) }
        #expect(
            errors?.map(\.message) == [
                #"The operation has several root fields: book, anything. Pass a path, as in at: ["book"]."#
            ])
        #expect(try Self.context(document, at: ["anything", "name"]).field.parentType.name == "Author")
    }

    @Test("A batch by key loads each key once. The field is null for a key without a value")
    func batchByKey() async throws {
        let shop = BookShop()
        let response = try await BookShop.schema().execute("{ books { id author { name } } }", userContext: shop)
        #expect(
            response.text
                == #"{"data":{"books":[{"id":"1","author":{"name":"Austen"}},{"id":"2","author":{"name":"Austen"}},{"id":"3","author":{"name":"Thoreau"}},{"id":"4","author":null}]}}"#
        )
        #expect(shop.requestedAuthors.withLock { $0 } == [[1, 2, 9]])
    }

    @Test("A Swift value in a union has the object type to which its Swift type is bound")
    func bound() async throws {
        let response = try await BookShop.schema().execute(
            "{ anything { __typename ... on Book { title } ... on Author { name } } }", userContext: BookShop())
        #expect(
            response.text
                == #"{"data":{"anything":[{"__typename":"Book","title":"Emma"},{"__typename":"Author","name":"Austen"}]}}"#
        )
    }

    @Test(
        "A resolver can return any Swift scalar, optional, list or enumeration",
        arguments: [
            ("int", "1"), ("int64", "2"), ("int32", "3"), ("double", "1.5"), ("float", "0.1"), ("bool", "true"),
            ("string", #""s""#), ("none", "null"), ("some", "4"), ("list", "[1,null,3]"), ("lists", "[[1],[]]"),
            ("genre", #""ESSAY""#), ("value", #""v""#),
        ])
    func converted(field: String, json: String) async throws {
        let sdl = """
            type Query {
              int: Int int64: Int int32: Int double: Float float: Float bool: Boolean string: String none: Int some: Int
              list: [Int] lists: [[Int!]!] genre: Genre value: String
            }
            enum Genre { NOVEL ESSAY }
            """
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["int"] = .sync { _, _ in 1 }
            query["int64"] = .sync { _, _ in Int64(2) }
            query["int32"] = .sync { _, _ in Int32(3) }
            query["double"] = .async { _, _ in 1.5 }
            query["float"] = .sync { _, _ in Float(0.1) }
            query["bool"] = .sync { _, _ in true }
            query["string"] = .sync { _, _ in "s" }
            query["none"] = .sync { _, _ in Int?.none }
            query["some"] = .sync { _, _ in Int?.some(4) }
            query["list"] = .async { _, _ in [1, nil, 3] }
            query["lists"] = .batch { sources, _ in sources.map { _ in [[1], []] } }
            query["genre"] = .sync { _, _ in BookShop.Genre.essay }
            query["value"] = .sync { _, _ in Value.string("v") }
        }
        let response = try await ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers).execute("{ \(field) }")
        #expect(response.text == "{\"data\":{\"\(field)\":\(json)}}")
    }
}
