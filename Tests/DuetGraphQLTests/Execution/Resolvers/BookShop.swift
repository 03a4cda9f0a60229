import DuetGraphQL

/// A small service as a user of the library would write it, with types, a context and resolvers.
struct BookShop: Sendable {
    enum Genre: String, ResolvedValueConvertible {
        case novel = "NOVEL"
        case essay = "ESSAY"
    }

    struct Author: ObjectSource {
        let id: Int
        let name: String
    }

    struct Book: ObjectSource {
        let id: Int
        let title: String
        let genre: Genre
        let authorID: Int
        var price: Double?
    }

    static let sdl = """
        type Query {
          books(first: Int! = 10, genre: Genre, ids: [ID!], filter: BookFilter): [Book!]!
          book(id: ID!): Book
          anything: [Item!]!
        }
        type Mutation { addBook(title: String!): Book! }
        type Subscription { added(count: Int!): Book! }
        enum Genre { NOVEL ESSAY }
        input BookFilter { title: String! minimumPrice: Float genres: [Genre!] }
        type Book { id: ID! title: String! genre: Genre! price: Float author: Author }
        type Author { id: ID! name: String! }
        union Item = Book | Author
        """

    let books = [
        Book(id: 1, title: "Emma", genre: .novel, authorID: 1, price: 9.5),
        Book(id: 2, title: "Persuasion", genre: .novel, authorID: 1),
        Book(id: 3, title: "Walden", genre: .essay, authorID: 2, price: 12),
        Book(id: 4, title: "Beowulf", genre: .novel, authorID: 9),
    ]
    let authors = [Author(id: 1, name: "Austen"), Author(id: 2, name: "Thoreau")]
    /// The requested keys of each batch of authors.
    let requestedAuthors = Locked<[[Int]]>([])

    @Sendable
    static func books(_ root: Void, _ context: FieldContext<BookShop>) async throws -> [Book] {
        let genre = try context.arguments.enumIfPresent("genre", as: Genre.self)
        let books = context.userContext.books.filter { genre == nil || $0.genre == genre }
        return Array(books.prefix(try context.arguments.int("first")))
    }

    static func resolvers() -> SchemaResolvers<BookShop> {
        var resolvers = SchemaResolvers(userContext: BookShop.self)
        resolvers.query { query in
            query["books"] = .async(books)
            query["book"] = .sync { _, context in
                let id = try context.arguments.string("id")
                return context.userContext.books.first { String($0.id) == id }
            }
            query["anything"] = .sync { _, context in
                .list([.object(context.userContext.books[0]), .object(context.userContext.authors[0])])
            }
        }
        resolvers.mutation { mutation in
            mutation["addBook"] = .async { _, context in
                let title = try context.arguments.string("title")
                if title.isEmpty { throw GraphQLError("The title is empty.", extensions: ["code": "BAD_TITLE"]) }
                return Book(id: 5, title: title, genre: .novel, authorID: 1)
            }
        }
        resolvers.subscription { subscription in
            subscription["added"] = .events { _, context in
                let (stream, continuation) = AsyncStream<Book>.makeStream()
                for book in context.userContext.books.prefix(try context.arguments.int("count")) {
                    continuation.yield(book)
                }
                continuation.finish()
                return stream
            }
        }
        resolvers.bind(Book.self, to: "Book") { book in
            book["id"] = .property(\.id)
            book["title"] = .property(\.title)
            book["genre"] = .property(\.genre)
            book["price"] = .property(\.price)
            book["author"] = .batch(by: \.authorID) { ids, context in
                context.userContext.requestedAuthors.withLock { $0.append(ids) }
                let found = context.userContext.authors.filter { ids.contains($0.id) }
                return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
            }
        }
        resolvers.bind(Author.self, to: "Author") { author in
            author["id"] = .property(\.id)
            author["name"] = .property(\.name)
        }
        return resolvers
    }

    static func schema(_ options: ExecutionOptions = ExecutionOptions()) throws -> ExecutableSchema<BookShop> {
        try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers(), options: options)
    }
}
