import DuetGraphQL
import Testing

@Suite("Errors in resolvers")
struct ResolverMistakeTests {
    static let sdl = """
        type Query { number: Int kind: Kind title: String! item: Item items: [Item!] }
        enum Kind { A B }
        interface Item { name: String }
        type Book implements Item { name: String }
        """

    static func response(
        _ query: String, options: ExecutionOptions = ExecutionOptions(),
        _ fields: @Sendable (inout ObjectResolvers<Void, Void>) -> Void
    ) async throws -> GraphQLResponse {
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["number"] = .sync { _, _ in "one" }
            query["kind"] = .sync { _, _ in "C" }
            query["title"] = .sync { _, _ in String?.none }
            query["item"] = .sync { _, _ in ResolvedValue.object(7) }
            query["items"] = .sync { _, _ in [Int]() }
            fields(&query)
        }
        resolvers.bind(String.self, to: "Book") { $0["name"] = .batch { names, _ in names.dropLast() } }
        return try await ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers, options: options).execute(query)
    }

    @Test(
        "If a value does not match the type of its field, the underlying error names the field",
        arguments: [
            ("number", "Query.number: Int cannot represent non-integer value: \"one\""),
            ("kind", "Query.kind: Enum \"Kind\" cannot represent value: \"C\""),
            ("title", "Query.title: Cannot return null for non-nullable field Query.title."),
            (
                "item { name }",
                "Query.item: Abstract type \"Item\" must resolve to an Object type at runtime for field \"Query.item\". Bind the Swift type of the source to an object type with \"bind\", or return the name of the object type from \"resolveType\". The source is a Int."
            ),
        ])
    func completion(_ field: String, _ expected: String) async throws {
        let response = try await Self.response("{ \(field) }") { _ in }
        let error = try #require(response.errors.first?.underlyingError as? CompletionError)
        #expect(error.description == expected)
        #expect(response.errors.map(\.message) == [error.message])
    }

    @Test("ExecutionOptions.message can hide the values in errors of resolvers from clients")
    func message() async throws {
        var options = ExecutionOptions()
        options.message = { error in "Error of \((error as? CompletionError)?.field ?? "?")" }
        let response = try await Self.response("{ number kind }", options: options) { _ in }
        #expect(response.errors.map(\.message) == ["Error of Query.number", "Error of Query.kind"])
    }

    @Test("A batch result of a wrong length and an object of a wrong Swift type are errors that name the field")
    func located() async throws {
        let counted = try await Self.response("{ items { name } }") { query in
            query["items"] = .sync { _, _ in ResolvedValue.objects(["a", "b"]) }
        }
        #expect(
            counted.errors.first?.underlyingError.map { "\($0)" }
                == "The resolver of Book.name returned 1 values for 2 objects. It must return one for each object, in the same order."
        )
        let cast = try await Self.response("{ items { name } }") { query in
            query["items"] = .sync { _, _ in ResolvedValue.objects([Named(name: "x")]) }
        }
        #expect(
            cast.errors.first?.underlyingError.map { "\($0)" }?.hasPrefix("Query.items: Abstract type") == true)
        #expect(counted.errors.map(\.message) == ["Internal error", "Internal error"])
    }

    private struct Named: Sendable { let name: String }

    @Test("If an object has another Swift type than its resolver requires, the error has both types and the remedy")
    func sourceType() async throws {
        var resolvers = SchemaResolvers()
        resolvers.query { $0["book"] = .sync { _, _ in .object(Named(name: "Emma")) } }
        resolvers.bind(String.self, to: "Book") { $0["name"] = .sync { name, _ in name } }
        resolvers.setDefaultResolver(for: "Book")
        let schema = try ExecutableSchema(
            Schema(sdl: "type Query { book: Book } type Book { name: String title: String }"), resolvers: resolvers)
        let response = try await schema.execute("{ book { name title } }")
        #expect(
            response.errors.map { $0.underlyingError.map { "\($0)" } } == [
                #"The resolver of Book.name requires a source of type String, but the source is of type Named. Return sources of type String for all objects of "Book", or set a resolver of the field for sources of type Named."#,
                #"The resolver of Book.title requires a source of type FieldSource, but the source is of type Named. Return an ObjectValue, conform Named to FieldSource, or set a resolver of the field."#,
            ])
        #expect(response.errors.map(\.message) == ["Internal error", "Internal error"])
    }

    // MARK: - Names

    static func messages(_ resolvers: (inout SchemaResolvers<Void>) -> Void) -> [String] {
        var all = SchemaResolvers()
        resolvers(&all)
        do {
            _ = try ExecutableSchema(
                Schema(sdl: "type Query { books: [Book!]! } type Book { title: String kind: Kind } enum Kind { A }"),
                resolvers: all)
            return []
        } catch {
            return error.map(\.message)
        }
    }

    @Test("A misspelled type or field is one error that suggests the right name")
    func suggestions() {
        #expect(
            Self.messages { resolvers in
                resolvers.query { $0["bookz"] = .sync { _, _ in 1 } }
                resolvers.query { $0["books"] = .sync { _, _ in 1 } }
                resolvers.bind(Int.self, to: "Bok") { book in
                    book["title"] = .sync { _, _ in 1 }
                    book["kind"] = .sync { _, _ in 1 }
                }
            } == [
                "There are resolvers for \"Bok\", which is not a type with fields. Did you mean \"Book\"?",
                "There is a resolver for \"Query.bookz\", which is not a field. Did you mean \"books\"?",
            ])
        enum Kind: String, CaseIterable { case a = "A" }
        #expect(
            Self.messages { resolvers in
                resolvers.query { $0["books"] = .sync { _, _ in 1 } }
                resolvers.setDefaultResolver(for: "Book")
                resolvers.bind(Kind.self, toEnum: "Kinds")
            } == ["A Swift enumeration is bound to \"Kinds\", which is not an enum. Did you mean \"Kind\"?"])
    }

    @Test("Each call with a wrong type name is an error that states the purpose of the call")
    func misspelledTypes() {
        #expect(
            Self.messages { resolvers in
                resolvers.query { $0["books"] = .sync { _, _ in 1 } }
                resolvers.setDefaultResolver(for: "Book", "Bok")
                resolvers.isTypeOf("Boook") { _ in true }
                resolvers.bind(Int.self, to: "Bok")
                resolvers.resolveType(of: "Book") { _, _ in "Book" }
            } == [
                "There is a type resolver for \"Book\", which is not an interface or a union.",
                "A Swift type is bound to \"Bok\", which is not an object type. Did you mean \"Book\"?",
                "There is a type test for \"Boook\", which is not an object type. Did you mean \"Book\"?",
                "There is a default resolver for \"Bok\", which is not an object type. Did you mean \"Book\"?",
            ])
    }

    @Test("A coercion for a name that is not a custom scalar is an error")
    func scalars() {
        for (name, ending) in [("Dat", #" Did you mean "Date"?"#), ("Query", ""), ("Int", "")] {
            let errors = #expect(throws: GraphQLErrors.self) {
                try Schema(sdl: "type Query { day: Date } scalar Date", scalars: [name: .unchanged])
            }
            #expect(
                errors?.map(\.message) == [
                    "A coercion is provided for \"\(name)\", which is not a custom scalar of the schema.\(ending)"
                ])
        }
    }

    @Test("Variables can be Swift values")
    func variables() throws {
        enum Kind: String, ValueConvertible { case new = "NEW" }
        enum Genre: String { case essay = "ESSAY" }
        let (id, ratio, none, kinds) = (7, 0.5, String?.none, [Kind.new])
        let variables: ObjectValue = [
            "id": Value(id), "ratio": Value(ratio), "none": Value(none), "kinds": Value(kinds),
            "range": Value(["to": 3, "from": id]), "flag": Value(true),
            "genre": Value(Genre.essay),
        ]
        #expect(
            variables == [
                "id": 7, "ratio": 0.5, "none": nil, "kinds": ["NEW"], "range": ["from": 7, "to": 3], "flag": true,
                "genre": "ESSAY",
            ])
        let dictionary: [String: Value] = ["b": Value(id), "a": nil]
        #expect(ObjectValue(dictionary) == ["a": nil, "b": 7])
    }
}
