import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport

/// A small catalog of a library. It has composite keys, a relation of a resource to itself, two relations between the
/// same tables, relations through a join table, and nullable columns.
enum Library {
    static func catalogue() throws -> Catalogue {
        try Catalogue([authors, books, copies, loans, subjects], description: "A library.")
    }

    /// Calls a closure with a service whose database contains the rows of the library.
    /// - Parameters:
    ///   - catalogue: The catalog; nil for the catalog of ``catalogue()``, which has no writes.
    ///   - hooks: The rules for changes.
    ///   - more: A script that runs after the rows of the library are inserted.
    static func withService(
        _ backend: TestBackend, catalogue: Catalogue? = nil, hooks: ChangeHooks = [:], more: String? = nil,
        observer: DatabaseObserver? = nil, _ body: (ResourceService) async throws -> Void
    ) async throws {
        let catalogue = try catalogue ?? Self.catalogue()
        try await TestDatabase.with(backend, schema: false, observer: observer) { database in
            try await database.write { try $0.executeScript(script) }
            if let more { try await database.write { try $0.executeScript(more) } }
            var service = ResourceService(
                catalogue, database: database, encoding: ValueEncoding(dates: .iso), hooks: hooks)
            // A short read that exceeds the default time runs again in the pool. Its statements would be counted twice.
            service.directReadBudget?.time = .seconds(600)
            try await body(service)
        }
    }

    private static let authors = Resource(
        "authors", singular: "author", type: "Author", table: "authors", description: "A writer of books.",
        fields: [
            Field(
                "authorNumber", .integer(1...Int64(Int32.max)), column: "author_id", description: "The number.",
                example: 1),
            Field("name", .text(), column: "name", description: "The name.", example: "Ada"),
            Field("born", .date, column: "born", isNullable: true, description: "The day of birth, if it is known."),
        ],
        key: ["authorNumber"], sortFields: ["authorNumber", "name", "born"],
        filters: [
            NamedFilter("called", .compare(["name"], .like), description: "The name; `*` matches any characters.")
        ],
        relations: [
            Relation(
                "mentor", to: "authors", .one(isOptional: true), on: [.init("mentor_id", "author_id")],
                description: "The author who taught this author."),
            Relation(
                "students", to: "authors", .few(typical: 2), on: [.init("author_id", "mentor_id")],
                order: [.field("name")], description: "The authors whom this author taught."),
            Relation(
                "books", to: "books", .many(pageSize: 100), on: [.init("author_id", "author_id")],
                order: [.field("title")], description: "The books that they wrote."),
            Relation(
                "editedBooks", to: "books", .many(pageSize: 100), on: [.init("author_id", "editor_id")],
                order: [.field("title", descending: true)], description: "The books that they edited."),
        ],
        maxAge: 60)

    private static let books = Resource(
        "books", singular: "book", type: "Book", table: "books", description: "A book.",
        fields: [
            Field(
                "isbn", .identifier(maximumLength: 13), column: "isbn", description: "The number of the book.",
                example: "b1"),
            Field("title", .text(), column: "title", description: "The title."),
            Field(
                "published", .integer(), column: "published", isNullable: true, description: "The year, if it is known."
            ),
            Field("price", .number, column: "price", isNullable: true, description: "The price, if there is one."),
            Field("language", .choice(language), column: "lang", description: "The language."),
            Field("authorName", .text(), column: "name", of: "author", description: "The name of the author."),
        ],
        key: ["isbn"], defaultFields: ["isbn", "title", "published"], sortFields: ["title", "published", "price"],
        relations: [
            Relation(
                "author", to: "authors", .one(isOptional: false), on: [.init("author_id", "author_id")],
                description: "The author."),
            Relation(
                "editor", to: "authors", .one(isOptional: true), on: [.init("editor_id", "author_id")],
                description: "The editor, if there is one."),
            Relation(
                "copies", to: "copies", .few(typical: 3), on: [.init("isbn", "isbn")], order: [.field("copyNumber")],
                description: "The copies on the shelves."),
            Relation(
                "subjects", to: "subjects", .few(typical: 2),
                through: [.init("book_subjects", on: [.init("isbn", "isbn")])],
                on: [.init("subject_id", "subject_id")], order: [.field("name")], description: "The subjects."),
        ],
        maxAge: 30)

    private static let language = Choice("Language", "A language.", [.init("EN", "English."), .init("FR", "French.")])

    private static let copies = Resource(
        "copies", singular: "copy", type: "Copy", table: "copies", description: "A copy of a book.",
        fields: [
            Field("isbn", .identifier(maximumLength: 13), column: "isbn", description: "The number of the book."),
            Field("copyNumber", .integer(1...999), column: "copy_no", description: "The number of the copy."),
            Field("shelf", .text(), column: "shelf", isNullable: true, description: "The shelf."),
        ],
        key: ["isbn", "copyNumber"], sortFields: ["shelf"],
        relations: [
            Relation(
                "loans", to: "loans", .few(typical: 10), on: [.init("isbn", "isbn"), .init("copy_no", "copy_no")],
                order: [.field("lentOn", descending: true)], description: "The loans, newest first."),
            Relation(
                "book", to: "books", .one(isOptional: false), on: [.init("isbn", "isbn")], description: "The book."),
        ],
        maxAge: 10)

    private static let loans = Resource(
        "loans", singular: "loan", type: "Loan", table: "loans", description: "A loan of a copy.",
        fields: [
            Field("isbn", .identifier(maximumLength: 13), column: "isbn", description: "The number of the book."),
            Field("copyNumber", .integer(1...999), column: "copy_no", description: "The number of the copy."),
            Field("lentOn", .date, column: "lent_on", description: "The day it was lent."),
            Field("reader", .text(), column: "reader", description: "The reader."),
            Field("returnedOn", .date, column: "returned_on", isNullable: true, description: "The day it came back."),
        ],
        key: ["isbn", "copyNumber", "lentOn"], sortFields: ["lentOn", "reader", "returnedOn"],
        filters: [
            NamedFilter(
                "open", .flag(whenTrue: .isNull("returnedOn", true), whenFalse: .isNull("returnedOn", false)),
                description: "True: not returned yet; false: returned.")
        ],
        relations: [
            Relation(
                "copy", to: "copies", .one(isOptional: false),
                on: [.init("isbn", "isbn"), .init("copy_no", "copy_no")],
                description: "The copy.")
        ],
        entities: [.init("Copy", ["isbn", "copyNumber"])], maxAge: 5)

    private static let subjects = Resource(
        "subjects", singular: "subject", type: "Subject", table: "subjects", description: "A subject.",
        fields: [
            Field("subjectNumber", .integer(), column: "subject_id", description: "The number."),
            Field("name", .text(), column: "name", description: "The name."),
        ],
        key: ["subjectNumber"],
        relations: [
            Relation(
                "books", to: "books", .many(pageSize: 2),
                through: [.init("book_subjects", on: [.init("subject_id", "subject_id")])], on: [.init("isbn", "isbn")],
                order: [.field("isbn")], description: "The books on it.")
        ],
        collection: .few(typical: 5), maxAge: 300)

    /// The SQL script that creates the tables and inserts the rows. Both databases use the same script.
    static let script = """
        CREATE TABLE authors (author_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL, born DATE,
            mentor_id INTEGER);
        CREATE TABLE books (isbn VARCHAR(13) NOT NULL PRIMARY KEY, title VARCHAR(60) NOT NULL, published INTEGER,
            price DOUBLE, lang CHAR(2) NOT NULL, author_id INTEGER NOT NULL, editor_id INTEGER);
        CREATE TABLE copies (isbn VARCHAR(13) NOT NULL, copy_no INTEGER NOT NULL, shelf VARCHAR(20),
            PRIMARY KEY (isbn, copy_no));
        CREATE TABLE loans (isbn VARCHAR(13) NOT NULL, copy_no INTEGER NOT NULL, lent_on DATE NOT NULL,
            reader VARCHAR(60) NOT NULL, returned_on DATE, PRIMARY KEY (isbn, copy_no, lent_on));
        CREATE TABLE subjects (subject_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL);
        CREATE TABLE book_subjects (isbn VARCHAR(13) NOT NULL, subject_id INTEGER NOT NULL,
            PRIMARY KEY (isbn, subject_id));
        INSERT INTO authors VALUES (1, 'Ada', '1815-12-10', NULL), (2, 'Ben', NULL, 1), (3, 'Cleo', '1999-01-31', 1),
            (4, 'O''Dee *', NULL, 2);
        INSERT INTO books VALUES ('b1', 'Zebras', 1999, 10.5, 'EN', 1, 2), ('b2', 'Apes', NULL, NULL, 'EN', 1, NULL),
            ('b3', 'Lynxes', 2001, 7.25, 'FR', 2, 1), ('b4', 'Crows', 1999, 20, 'EN', 1, 2);
        INSERT INTO copies VALUES ('b1', 1, 'A'), ('b1', 2, NULL), ('b2', 1, 'B'), ('b3', 1, 'A');
        INSERT INTO loans VALUES ('b1', 1, '2020-01-01', 'Eve', '2020-02-01'), ('b1', 1, '2021-01-01', 'Fay', NULL),
            ('b1', 2, '2020-01-01', 'Gil', '2020-01-02'), ('b2', 1, '2022-05-05', 'Eve', NULL);
        INSERT INTO subjects VALUES (1, 'Animals'), (2, 'Birds'), (3, 'Empty');
        INSERT INTO book_subjects VALUES ('b1', 1), ('b2', 1), ('b3', 1), ('b4', 1), ('b4', 2);
        """
}

extension Library {
    /// A script that adds authors 1001 to 1250. Each has a mentor and a book. Each book has a subject and a copy.
    static let moreRows: String = {
        func insert(_ table: String, _ row: (Int) -> String) -> String {
            "INSERT INTO \(table) VALUES \((1001...1250).map { "(\(row($0)))" }.joined(separator: ", "));"
        }
        return [
            insert("authors") { "\($0), 'Author \($0)', NULL, \($0 - 1000 > 1 ? $0 - 1 : 1)" },
            insert("books") { "'n\($0)', 'Title \($0)', \($0), NULL, 'EN', \($0), 1" },
            insert("copies") { "'n\($0)', 1, 'N'" }, insert("book_subjects") { "'n\($0)', 2" },
        ].joined(separator: "\n")
    }()
}
