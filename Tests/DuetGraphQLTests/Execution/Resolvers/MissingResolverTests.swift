import DuetGraphQL
import Testing

@Suite("A schema with invalid resolvers is rejected when it becomes executable")
struct MissingResolverTests {
    private static func messages(
        _ sdl: String, _ resolvers: (inout SchemaResolvers<Void>) -> Void = { _ in }
    ) -> [String] {
        var all = SchemaResolvers()
        resolvers(&all)
        do {
            _ = try ExecutableSchema(Schema(sdl: sdl), resolvers: all)
            return []
        } catch {
            return error.map(\.message)
        }
    }

    private static let sdl = """
        type Query { book: Book shop: Book }
        type Book { title: String author: Author }
        type Author { name: String }
        """

    @Test("The error names all fields without a resolver, and the remedy")
    func missing() {
        #expect(
            Self.messages(Self.sdl) { resolvers in
                resolvers.query { $0["book"] = .sync { _, _ in ResolvedValue.null } }
                resolvers["Book", "author"] = .sync { _, _ in ResolvedValue.null }
            } == [
                #"The field "shop" of "Query" has no resolver. Add one, as in resolvers.query { $0["shop"] = … }, or read fields by name from an ObjectValue or a FieldSource with resolvers.setDefaultResolver(for: "Query")."#,
                #"The field "title" of "Book" has no resolver. Add one, as in resolvers.bind(Book.self, to: "Book") { $0["title"] = .property(\.title) }, or read fields by name from an ObjectValue or a FieldSource with resolvers.setDefaultResolver(for: "Book")."#,
                #"The field "name" of "Author" has no resolver. Add one, as in resolvers.bind(Author.self, to: "Author") { $0["name"] = .property(\.name) }, or read fields by name from an ObjectValue or a FieldSource with resolvers.setDefaultResolver(for: "Author")."#,
            ])
    }

    @Test("If one Swift type is bound to the object type, the error suggests a resolver for this Swift type")
    func missingOfBoundType() {
        func messages(_ bind: (inout SchemaResolvers<Void>) -> Void) -> [String] {
            Self.messages(Self.sdl) { resolvers in
                resolvers.setDefaultResolver(for: "Query", "Author")
                bind(&resolvers)
            }
        }
        #expect(
            messages { $0.bind(BookShop.Book.self, to: "Book") } == [
                #"The fields "title", "author" of "Book" have no resolver. Add one, as in resolvers.bind(Book.self, to: "Book") { $0["title"] = .property(\.title) }, or conform Book to FieldSource."#
            ])
        #expect(
            messages { resolvers in
                resolvers.bind(Int.self, to: "Book")
                resolvers.bind(Int64.self, to: "Book") { $0["author"] = .sync { _, _ in ResolvedValue.null } }
            } == [
                #"The field "title" of "Book" has no resolver. Add one, as in resolvers["Book", "title"] = …, or read fields by name from an ObjectValue or a FieldSource with resolvers.setDefaultResolver(for: "Book")."#
            ])
    }

    @Test("A default resolver can serve one type or all remaining types")
    func optedOut() {
        #expect(
            Self.messages(Self.sdl) { $0.setDefaultResolver(for: "Query", "Book", "Author") } == [])
        #expect(Self.messages(Self.sdl) { $0.defaultResolver = .byName } == [])
        #expect(Self.messages(Self.sdl) { $0.setDefaultResolver(for: "Query", "Book") }.count == 1)
    }

    @Test("A field below a subtree resolver needs no resolver, unless another field returns its parent type")
    func belowSubtree() {
        let subtree = LaterExecutionTests.Subtree { _ in .null() }
        #expect(
            Self.messages(Self.sdl) { resolvers in
                for field in ["book", "shop"] { resolvers["Query", field] = .subtree(subtree) }
            } == [])
        #expect(
            Self.messages(Self.sdl) { resolvers in
                resolvers["Query", "book"] = .subtree(subtree)
                resolvers["Query", "shop"] = .sync { _, _ in ResolvedValue.null }
            }.count == 1)
    }

    @Test("A field of an object type without a resolver uses the resolver of the interface field")
    func inherited() {
        let sdl = """
            type Query { named: Named }
            interface Named { name: String }
            type A implements Named { name: String }
            """
        #expect(
            Self.messages(sdl) { resolvers in
                resolvers["Query", "named"] = .sync { _, _ in ResolvedValue.null }
                resolvers["Named", "name"] = .sync { _, _ in "n" }
                resolvers.bind(Int.self, to: "A")
            } == [])
    }

    @Test("If a Swift type is bound to two object types of a union, a function must return the object type")
    func ambiguous() {
        let sdl = "type Query { any: Any } union Any = A | B type A { a: Int } type B { b: Int }"
        func messages(_ more: (inout SchemaResolvers<Void>) -> Void) -> [String] {
            Self.messages(sdl) { resolvers in
                resolvers["Query", "any"] = .sync { _, _ in ResolvedValue.null }
                resolvers["A", "a"] = .sync { _, _ in 1 }
                resolvers["B", "b"] = .sync { _, _ in 1 }
                resolvers.bind(Int.self, to: "A")
                resolvers.bind(Int.self, to: "B")
                more(&resolvers)
            }
        }
        #expect(
            messages { _ in } == [
                #"The Swift type Int is bound to "A" and "B", which are both possible types of "Any", so the object type of a source cannot be determined. Return its name from resolvers.resolveType(of: "Any", from: Int.self)."#
            ])
        #expect(messages { $0.resolveType(of: "Any", from: Int.self) { number, _ in number > 0 ? "A" : "B" } } == [])
        let tests = messages { resolvers in
            resolvers.isTypeOf("A") { $0 as? Int == 1 }
            resolvers.isTypeOf("B") { $0 as? Int == 2 }
        }
        #expect(tests == [])
        // An ObjectValue can contain the name of its type.
        let ofObjectValues = Self.messages(sdl) { resolvers in
            resolvers["Query", "any"] = .sync { _, _ in ResolvedValue.null }
            for (type, field) in [("A", "a"), ("B", "b")] {
                resolvers[type, field] = .sync { _, _ in 1 }
                resolvers.bind(ObjectValue.self, to: type)
            }
        }
        #expect(ofObjectValues == [])
    }

    @Test("Each object type of a union needs a bound Swift type, or a function that determines the object type")
    func unbound() {
        let sdl = "type Query { any: Any } union Any = A | B type A { a: Int } type B { b: Int }"
        typealias Addition = (inout SchemaResolvers<Void>) -> Void
        func resolvers(_ more: @escaping Addition) -> Addition {
            { resolvers in
                resolvers["Query", "any"] = .sync { _, _ in ResolvedValue.null }
                resolvers["A", "a"] = .sync { _, _ in 1 }
                resolvers["B", "b"] = .sync { _, _ in 1 }
                more(&resolvers)
            }
        }
        #expect(
            Self.messages(sdl, resolvers { $0.bind(Int.self, to: "A") }) == [
                #"No Swift type is bound to "B", so the object type of a source for "Any" cannot be determined. Bind a Swift type, as in resolvers.bind(B.self, to: "B"), or return the name of the object type from resolvers.resolveType(of: "Any")."#
            ])
        #expect(
            Self.messages(
                sdl,
                resolvers {
                    $0.bind(Int.self, to: "A")
                    $0.isTypeOf("B") { $0 is String }
                }) == [])
        #expect(Self.messages(sdl, resolvers { $0.resolveType(of: "Any") { _, _ in "A" } }) == [])
    }

    @Test("A subscription field needs a resolver that returns events. Other fields cannot have such a resolver")
    func events() {
        #expect(
            Self.messages("type Query { a: Int }") { resolvers in
                resolvers.query { $0["a"] = .events { _, _ in AsyncStream<Int> { nil } } }
            } == [#"The resolver of "Query.a" returns events, but the field is not a field of the subscription type."#])
        #expect(
            Self.messages("type Query { a: Int } type Subscription { a: Int }") { resolvers in
                resolvers.query { $0["a"] = .sync { _, _ in 1 } }
                resolvers.subscription { $0["a"] = .sync { _, _ in 1 } }
            } == [
                #"The field "a" of the subscription type "Subscription" needs a resolver that returns events, as in resolvers.subscription { $0["a"] = .events { … } }."#
            ])
    }

    /// A way to set a resolver for more than one field.
    enum SharedResolver: CaseIterable {
        case ofType, ofAllTypes, ofInterface, ofSwiftType
    }

    @Test(
        "A default resolver and a resolver of an interface are not resolvers for subscription fields",
        arguments: SharedResolver.allCases)
    func defaultEvents(shared: SharedResolver) {
        let sdl = "type Query { a: Int } interface Feed { a: Int } type Subscription implements Feed { a: Int }"
        let messages = Self.messages(sdl) { resolvers in
            resolvers.query { $0["a"] = .sync { _, _ in 1 } }
            switch shared {
            case .ofType: resolvers.setDefaultResolver(for: "Subscription")
            case .ofAllTypes: resolvers.defaultResolver = .byName
            case .ofInterface: resolvers["Feed", "a"] = .sync { _, _ in 1 }
            case .ofSwiftType: resolvers.bind(ObjectValue.self, to: "Subscription")
            }
        }
        #expect(
            messages == [
                #"The field "a" of the subscription type "Subscription" needs a resolver that returns events, as in resolvers.subscription { $0["a"] = .events { … } }."#
            ])
    }

    @Test("The error for subscription fields without a resolver suggests a resolver that returns events")
    func missingEvents() {
        let messages = Self.messages("type Query { a: Int } type Subscription { a: Int b: Int }") { resolvers in
            resolvers.query { $0["a"] = .sync { _, _ in 1 } }
        }
        #expect(
            messages == [
                #"The fields "a", "b" of "Subscription" have no resolver. Add one that returns events, as in resolvers.subscription { $0["a"] = .events { … } }."#
            ])
    }

    @Test("Two Swift types that are bound to one object type cannot both have a resolver for the same field")
    func conflict() {
        let messages = Self.messages("type Query { a: A } type A { n: Int }") { resolvers in
            resolvers.query { $0["a"] = .sync { _, _ in .object(1) } }
            resolvers.bind(Int.self, to: "A") { $0["n"] = .sync { number, _ in number } }
            resolvers.bind(Int64.self, to: "A") { $0["n"] = .sync { number, _ in number } }
        }
        #expect(messages.count == 1)
        #expect(
            messages.first?.hasPrefix(#"The field "n" of "A" has resolvers for Int64 and for another"#) == true)
    }

    enum Size: String, CaseIterable, ResolvedValueConvertible {
        case small = "SMALL"
        case large = "Large"
    }

    @Test("A Swift enumeration that is bound to an enum must have the names of the enum's values")
    func enums() {
        func messages(_ values: String) -> [String] {
            Self.messages("type Query { size: Size } enum Size { \(values) }") { resolvers in
                resolvers.query { $0["size"] = .sync { _, _ in Size.small } }
                resolvers.bind(Size.self, toEnum: "Size")
            }
        }
        #expect(messages("SMALL Large") == [])
        #expect(
            messages("SMALL LARGE") == [
                #"The Swift enumeration that is bound to "Size" has different names: the enum has no value Large, the Swift enumeration has no case for LARGE. The raw value of each case must be the name of an enum value."#
            ])
    }

    @Test("Resolvers for an operation type that the schema does not have are rejected")
    func noRootType() {
        #expect(
            Self.messages("type Query { a: Int }") { resolvers in
                resolvers.query { $0["a"] = .sync { _, _ in 1 } }
                resolvers.mutation { $0["a"] = .sync { _, _ in 1 } }
            } == ["There are resolvers of mutation fields, but the schema has no mutation type."])
    }

    @Test("If the default resolver cannot read the Swift type of an object, each field of the object is an error")
    func unreadableSource() async throws {
        var resolvers = SchemaResolvers()
        resolvers.defaultResolver = .byName
        resolvers["Query", "book"] = .sync { _, _ in .object(1) }
        let schema = try ExecutableSchema(Schema(sdl: Self.sdl), resolvers: resolvers)
        let response = try await schema.execute("{ book { title } }")
        #expect(response.text.contains(#""path":["book","title"]"#))
        #expect(response.errors.first?.underlyingError is SourceTypeError)
        let named = try await schema.execute("{ shop { title } }", rootValue: ["shop": ["title": "T"]] as ObjectValue)
        #expect(named.text == #"{"data":{"shop":{"title":"T"}}}"#)
    }
}
