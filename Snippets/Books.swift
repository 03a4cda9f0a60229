// Your own schema: types, resolvers, a query, a mutation and an error of the mutation.
import DuetGraphQL

// The types of the service. A type conforms to `ObjectSource` if its values are objects of the schema.
struct Book: ObjectSource {
    let id: Int
    let title: String
    let genre: Genre
    let authorID: Int
}

struct Author: ObjectSource {
    let id: Int
    let name: String
}

enum Genre: String, CaseIterable, ResolvedValueConvertible {
    case novel = "NOVEL"
    case essay = "ESSAY"
}

// The user context. All resolvers of a request can use it, for example to access a database.
struct Library: Sendable {
    func books() async throws -> [Book] {
        [
            Book(id: 1, title: "Emma", genre: .novel, authorID: 1),
            Book(id: 2, title: "Walden", genre: .essay, authorID: 2),
        ]
    }

    func author(_ id: Int) async throws -> Author? {
        [Author(id: 1, name: "Austen"), Author(id: 2, name: "Thoreau")].first { $0.id == id }
    }

    func add(_ title: String) async throws -> Book { Book(id: 3, title: title, genre: .novel, authorID: 1) }
}

let sdl = """
    type Query {
      books(first: Int! = 10, genre: Genre): [Book!]!
    }
    type Mutation {
      addBook(title: String!): Book!
    }
    enum Genre { NOVEL ESSAY }
    type Book { id: ID! title: String! genre: Genre! author: Author }
    type Author { id: ID! name: String! }
    """

// Each field of the schema has a resolver.
var resolvers = SchemaResolvers(userContext: Library.self)
resolvers.query { query in
    query["books"] = .async { _, context in
        let genre = try context.arguments.enumIfPresent("genre", as: Genre.self)
        let books = try await context.userContext.books().filter { genre == nil || $0.genre == genre }
        let first = try context.arguments.int("first")
        guard (0...100).contains(first) else { throw GraphQLError("The argument \"first\" must be from 0 to 100.") }
        return Array(books.prefix(first))
    }
}
resolvers.mutation { mutation in
    mutation["addBook"] = .async { _, context in
        let title = try context.arguments.string("title")
        guard !title.isEmpty else { throw GraphQLError("The title is empty.") }
        return try await context.userContext.add(title)
    }
}
resolvers.bind(Book.self, to: "Book") { book in
    book["id"] = .property(\.id)
    book["title"] = .property(\.title)
    book["genre"] = .property(\.genre)
    book["author"] = .async { book, context in try await context.userContext.author(book.authorID) }
}
resolvers.bind(Author.self, to: "Author") { author in
    author["id"] = .property(\.id)
    author["name"] = .property(\.name)
}
resolvers.bind(Genre.self, toEnum: "Genre")

let schema = try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
let library = Library()

let response = try await schema.execute(
    "query($genre: Genre) { books(genre: $genre) { title author { name } } }", variables: ["genre": "ESSAY"],
    userContext: library)
print(response.text)
// Prints: {"data":{"books":[{"title":"Walden","author":{"name":"Thoreau"}}]}}

// Decodes the response into a Swift type.
struct Answer: Decodable {
    struct Book: Decodable { let title: String }
    let books: [Book]
}
print(try response.decode(Answer.self).books.map(\.title))
// Prints: ["Walden"]

let refused = try await schema.execute("mutation { addBook(title: \"\") { id } }", userContext: library)
print(refused.text)
// Prints: {"errors":[{"message":"The title is empty.","locations":[{"line":1,"column":12}],"path":["addBook"]}],"data":null}

let tooMany = try await schema.execute("{ books(first: -1) { title } }", userContext: library)
print(tooMany.errors[0].message)
// Prints: The argument "first" must be from 0 to 100.

let invalid = try await schema.execute("{ books { titel } }", userContext: library)
print(invalid.errors[0].message)
// Prints: Cannot query field "titel" on type "Book". Did you mean "title"?
