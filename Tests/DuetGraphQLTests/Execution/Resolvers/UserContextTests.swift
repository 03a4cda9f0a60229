import DuetGraphQL
import Testing

@Suite("Resolvers read the user context as its Swift type")
struct UserContextTests {
    /// The user context.
    struct Library: Sendable {
        let name: String
        /// The name of the object type of works that have pages.
        let pagedType: String
    }

    struct Work: Sendable { let pages: Int }
    struct Recording: Sendable { let minutes: Int }
    struct Map: Sendable {}

    private static let library = Library(name: "City", pagedType: "Book")

    /// The description of the error for a user context that is not a `Library`.
    private static func message(_ subject: String, _ found: String) -> String {
        "\(subject) requires a user context of type Library, but the user context is of type \(found). Execute the operation with a user context of type Library, or read it as a \(found)."
    }

    // MARK: - The object type of a source

    private static let sdl = """
        type Query { items: [Item!]! }
        union Item = Book | Film | Map
        type Book { shelf: String }
        type Film { shelf: String }
        type Map { shelf: String }
        """

    private static func typeNames(
        _ items: [any Sendable], _ add: (inout SchemaResolvers<Library>) -> Void
    ) async throws -> GraphQLResponse {
        var resolvers = SchemaResolvers(userContext: Library.self)
        resolvers.query { $0["items"] = .sync { _, _ in .list(items.map { .object($0) }) } }
        for type in ["Book", "Film", "Map"] { resolvers[type, "shelf"] = .sync { _, _ in "A" } }
        add(&resolvers)
        return try await ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers).execute(
            "{ items { __typename } }", userContext: library)
    }

    @Test("A type resolver receives the object and the user context with their Swift types")
    func typeResolver() async throws {
        let response = try await Self.typeNames([Work(pages: 3), Work(pages: 0)]) { resolvers in
            resolvers.resolveType(of: "Item", from: Work.self) { work, library in
                work.pages > 0 ? library.pagedType : "Film"
            }
        }
        #expect(response.text == #"{"data":{"items":[{"__typename":"Book"},{"__typename":"Film"}]}}"#)
    }

    @Test("Type resolvers for several Swift types are combined. An object of another Swift type has the bound type")
    func severalTypeResolvers() async throws {
        let response = try await Self.typeNames([Work(pages: 3), Recording(minutes: 9), Map(), 7]) { resolvers in
            resolvers.bind(Map.self, to: "Map")
            resolvers.resolveType(of: "Item") { source, _ in source is Int ? "Film" : nil }
            resolvers.resolveType(of: "Item", from: Recording.self) { _, _ in "Film" }
            resolvers.resolveType(of: "Item", from: Work.self) { _, _ in "Film" }
            resolvers.resolveType(of: "Item", from: Work.self) { _, library in library.pagedType }
        }
        #expect(
            response.text
                == #"{"data":{"items":[{"__typename":"Book"},{"__typename":"Film"},{"__typename":"Map"},{"__typename":"Film"}]}}"#
        )
    }

    @Test("A type resolver for all Swift types replaces the type resolvers for single Swift types")
    func replacedTypeResolvers() async throws {
        let response = try await Self.typeNames([Work(pages: 3)]) { resolvers in
            resolvers.resolveType(of: "Item", from: Work.self) { _, library in library.pagedType }
            resolvers.resolveType(of: "Item") { _, operation in
                try operation.userContext(as: Library.self).name == "City" ? "Map" : nil
            }
        }
        #expect(response.text == #"{"data":{"items":[{"__typename":"Map"}]}}"#)
    }

    // MARK: - Sources that resolve their own fields

    struct Shelf: FieldSource {
        func resolve(_ context: FieldContext<any Sendable>) throws -> ResolvedValue {
            .string(try context.userContext(as: Library.self).name)
        }
    }

    private static func shelfSchema<UserContext: Sendable>(
        _ type: UserContext.Type
    ) throws -> ExecutableSchema<UserContext> {
        var resolvers = SchemaResolvers(userContext: type)
        resolvers.query { $0["shelf"] = .sync { _, _ in Shelf() } }
        resolvers.setDefaultResolver(for: "Shelf")
        return try ExecutableSchema(
            Schema(sdl: "type Query { shelf: Shelf } type Shelf { library: String }"), resolvers: resolvers)
    }

    @Test("An object that conforms to FieldSource can read the user context as its Swift type")
    func fieldSource() async throws {
        let response = try await Self.shelfSchema(Library.self).execute(
            "{ shelf { library } }", userContext: Self.library)
        #expect(response.text == #"{"data":{"shelf":{"library":"City"}}}"#)
    }

    @Test("Reading the user context as a wrong type is an internal error that names the field and both types")
    func fieldSourceOfOtherContext() async throws {
        let response = try await Self.shelfSchema(String.self).execute("{ shelf { library } }", userContext: "City")
        #expect(response.errors.map(\.message) == ["Internal error"])
        let error = try #require(response.errors.first?.underlyingError as? UserContextTypeError)
        #expect(error.description == Self.message("The resolver of Shelf.library", "String"))
        #expect(error.field == "Shelf.library")
    }

    // MARK: - Subtree resolvers

    /// A resolver that writes the name of the library.
    final class LibraryName: SubtreeResolver {
        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            let library = try operation.userContext(as: Library.self)
            return requests.map { LaterExecutionTests.written($0, "\"\(library.name)\"") }
        }
    }

    private static func nameSchema<UserContext: Sendable>(_ type: UserContext.Type) throws -> ExecutableSchema<
        UserContext
    > {
        var resolvers = SchemaResolvers(userContext: type)
        resolvers.query { $0["library"] = .subtree(LibraryName()) }
        return try ExecutableSchema(Schema(sdl: "type Query { library: String }"), resolvers: resolvers)
    }

    @Test(
        "A subtree resolver can read the user context as its Swift type",
        arguments: [
            ("{ library }", #"{"data":{"library":"City"}}"#),
            ("{ a: library b: library }", #"{"data":{"a":"City","b":"City"}}"#),
        ])
    func subtree(document: String, text: String) async throws {
        let response = try await Self.nameSchema(Library.self).execute(document, userContext: Self.library)
        #expect(response.text == text)
        // The declared type of the user context can be more general than the type of its value.
        let general = try await Self.nameSchema((any Sendable).self).execute(document, userContext: Self.library)
        #expect(general.text == text)
    }

    @Test(
        "If a subtree resolver reads the user context as a wrong type, the error of each field names the field",
        arguments: [("{ library }", 1), ("{ a: library b: library }", 2)])
    func subtreeOfOtherContext(document: String, count: Int) async throws {
        let response = try await Self.nameSchema(Int.self).execute(document, userContext: 7)
        #expect(
            response.errors.map { $0.underlyingError.map { "\($0)" } }
                == Array(repeating: Self.message("The resolver of Query.library", "Int"), count: count))
    }

    // MARK: - Casts

    class Shop: @unchecked Sendable {}
    final class Branch: Shop, @unchecked Sendable {}

    @Test("The user context can be read as a superclass, an optional or a protocol, and not as an unrelated type")
    func casts() throws {
        let schema = try Self.nameSchema(Branch.self)
        let branch = Branch()
        let operation = try FieldContext(of: "{ library }", in: schema, userContext: branch).operation
        #expect(try operation.userContext(as: Branch.self) === branch)
        #expect(try operation.userContext(as: Shop.self) === branch)
        #expect(try operation.userContext(as: Branch?.self) === branch)
        #expect(try operation.userContext(as: (any Sendable).self) is Branch)
        let error = #expect(throws: UserContextTypeError.self) { try operation.userContext(as: Library.self) }
        #expect(error?.description == Self.message("The operation", "Branch"))
        #expect(throws: UserContextTypeError.self) { try operation.userContext(as: Void.self) }
    }
}
