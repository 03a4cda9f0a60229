import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

/// A library in which resources have conditions, and the script that removes the rows that the conditions exclude.
struct ConditionalLibrary: CustomTestStringConvertible {
    let testDescription: String
    let conditions: [String: Filter]
    /// Statements that do not use the conditions.
    let removal: String

    init(_ description: String, _ conditions: [String: Filter], removal: String) {
        testDescription = description
        self.conditions = conditions
        self.removal = removal
    }

    static let all = [
        ConditionalLibrary(
            "an author, copies, rows of an intermediate table",
            [
                "authors": .compare("name", .notEqual, [.text("Ben")]),
                "copies": .not(.any([.isNull("shelf", true), .compare("shelf", .in, [.text("B")])])),
                "classifications": .any([
                    .compare("subjectNumber", .equal, [.integer(2)]), .compare("isbn", .less, [.text("b2")]),
                ]),
            ],
            removal: """
                DELETE FROM authors WHERE author_id = 2;
                DELETE FROM copies WHERE shelf IS NULL OR shelf = 'B';
                DELETE FROM book_subjects WHERE NOT (subject_id = 2 OR isbn < 'b2');
                """),
        ConditionalLibrary(
            "books without a copy on shelf A, loans, a subject",
            [
                "books": .related("copies", exists: true, .compare("shelf", .like, [.text("A*")])),
                "loans": .isNull("returnedOn", true), "subjects": .compare("name", .notEqual, [.text("Animals")]),
            ],
            removal: """
                DELETE FROM books WHERE isbn IN ('b2', 'b4');
                DELETE FROM loans WHERE returned_on IS NOT NULL;
                DELETE FROM subjects WHERE name = 'Animals';
                """),
        // Each condition refers to the other resource, and is true for rows that the other condition excludes.
        ConditionalLibrary(
            "rows by conditions that refer to each other",
            [
                "authors": .related(
                    "books", exists: true,
                    .all([.compare("language", .equal, [.text("EN")]), .compare("authorName", .notEqual, [.text("")])])),
                "books": .related("author", exists: true, .related("mentor", exists: false, .everything)),
                "copies": .related("book", exists: true, .compare("published", .greater, [.integer(1990)])),
            ],
            removal: """
                DELETE FROM authors WHERE author_id <> 1;
                DELETE FROM books WHERE isbn = 'b3';
                DELETE FROM copies WHERE isbn = 'b2';
                """),
    ]

    /// The catalog of the library, in which the intermediate table is a resource, too.
    static func resources() throws -> [Resource] {
        try Library.catalogue().resources + [
            Resource(
                "classifications", singular: "classification", type: "Classification", table: "book_subjects",
                description: "A subject of a book.",
                fields: [
                    Field("isbn", .identifier(maximumLength: 13), column: "isbn", description: "The book."),
                    Field("subjectNumber", .integer(), column: "subject_id", description: "The subject."),
                ],
                key: ["isbn", "subjectNumber"])
        ]
    }

    /// The catalog with the conditions.
    func catalogue() throws -> Catalogue {
        try Catalogue(
            try Self.resources().map { resource in
                var resource = resource
                if let condition = conditions[resource.name] { resource.condition = condition }
                return resource
            }, description: "A library.")
    }

    /// The catalog for the database from which the rows were removed. It has the same relations, and their rows may
    /// refer to rows that do not exist.
    func twin() throws -> Catalogue {
        try Catalogue(
            try catalogue().resources.map { resource in
                var resource = resource
                resource.condition = .everything
                for index in resource.relations.indices {
                    for join in resource.relations[index].joins.indices {
                        resource.relations[index].joins[join].isEnforced = false
                    }
                }
                return resource
            }, description: "A library.")
    }

    /// Calls a closure with two services: one with the conditions and all rows, and one without the conditions and
    /// without the rows that they exclude.
    func withServices(
        _ backend: TestBackend, _ body: (_ conditional: ResourceService, _ twin: ResourceService) async throws -> Void
    ) async throws {
        try await Library.withService(backend, catalogue: try catalogue()) { conditional in
            try await Library.withService(backend, catalogue: try twin(), more: removal) { twin in
                try await body(conditional, twin)
            }
        }
    }
}
