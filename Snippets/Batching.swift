// Loads the related objects of a list in one call.
import DuetGraphQL

struct Book: ObjectSource {
    let title: String
    let authorID: Int
}

struct Author: ObjectSource {
    let id: Int
    let name: String
}

struct Library: Sendable {
    let books = [
        Book(title: "Emma", authorID: 1), Book(title: "Persuasion", authorID: 1), Book(title: "Walden", authorID: 2),
    ]

    // A database executes one statement for all authors: `SELECT … WHERE id IN (…)`.
    func authors(_ ids: [Int]) async throws -> [Int: Author] {
        print("load the authors \(ids)")
        return [1: Author(id: 1, name: "Austen"), 2: Author(id: 2, name: "Thoreau")].filter { ids.contains($0.key) }
    }

    func books(by ids: [Int]) async throws -> [Book] {
        print("load the books of \(ids)")
        return books.filter { ids.contains($0.authorID) }
    }
}

var resolvers = SchemaResolvers(userContext: Library.self)
resolvers.query { query in
    query["books"] = .sync { _, context in context.userContext.books }
}
resolvers.bind(Book.self, to: "Book") { book in
    book["title"] = .property(\.title)
    // The closure is called once for all books. Each key occurs once in `ids`.
    book["author"] = .batch(by: \.authorID) { ids, context in
        try await context.userContext.authors(ids)
    }
    // A batch without a key returns one value for each book, in the order of the books.
    book["shelf"] = .batch { books, context in
        books.map { "Shelf \($0.authorID)" }
    }
}
resolvers.bind(Author.self, to: "Author") { author in
    author["name"] = .property(\.name)
    // The list of an author without books is empty.
    author["books"] = .batch(by: \.id) { ids, context in
        Dictionary(grouping: try await context.userContext.books(by: ids), by: \.authorID)
    }
}

let schema = try ExecutableSchema(
    Schema(
        sdl: """
            type Query { books: [Book!]! }
            type Book { title: String! author: Author shelf: String! }
            type Author { name: String! books: [Book!]! }
            """),
    resolvers: resolvers)

let response = try await schema.execute("{ books { author { name } shelf } }", userContext: Library())
// Prints: load the authors [1, 2]
print(response.text)
// Prints: {"data":{"books":[{"author":{"name":"Austen"},"shelf":"Shelf 1"},{"author":{"name":"Austen"},"shelf":"Shelf 1"},{"author":{"name":"Thoreau"},"shelf":"Shelf 2"}]}}

let nested = try await schema.execute("{ books { author { books { title } } } }", userContext: Library())
// Prints: load the authors [1, 2]
// Prints: load the books of [1, 2]
print(nested.text)
// Prints: {"data":{"books":[{"author":{"books":[{"title":"Emma"},{"title":"Persuasion"}]}},{"author":{"books":[{"title":"Emma"},{"title":"Persuasion"}]}},{"author":{"books":[{"title":"Walden"}]}}]}}
