import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import TestSupport
import Testing

/// A library with a role, and the same library as a database that has only what the role sees.
struct RoleLibrary: CustomTestStringConvertible {
    let testDescription: String
    let role: Role
    /// The claims of a caller.
    let claims: JSONObject
    /// Statements that remove the rows that the caller does not see. They do not use the conditions of the role.
    let removal: String
    /// The visible fields of each visible resource.
    let fields: [String: [String]]
    /// The visible relations of each visible resource.
    let relations: [String: [String]]
    /// The orders that the role has instead of those of the catalogue.
    var orders: [String: [SortField]] = [:]

    static let all = [
        RoleLibrary(
            testDescription: "rows by two claims, hidden fields, and resources that the role does not see",
            role: Role(
                "reader",
                reads: [
                    "authors": .init(
                        fields: .except(["born"]), where: .compare("name", .notEqual, [.parameter("hidden")])),
                    "books": .init(
                        fields: .only(["isbn", "title", "language", "authorName"]),
                        where: .compare("language", .in, [.parameter("app.languages")])),
                    "subjects": .init(), "classifications": .init(),
                ]
            ).aggregating,
            claims: ["hidden": "Ben", "app": ["languages": ["EN"]], "other": 1],
            removal: "DELETE FROM authors WHERE author_id = 2; DELETE FROM books WHERE lang = 'FR';",
            fields: [
                "authors": ["authorNumber", "name"], "books": ["isbn", "title", "language", "authorName"],
                "subjects": ["subjectNumber", "name"], "classifications": ["isbn", "subjectNumber"],
            ],
            relations: [
                "authors": ["mentor", "students", "books", "editedBooks"], "books": ["author", "editor", "subjects"],
                "subjects": ["books"], "classifications": [],
            ]),
        RoleLibrary(
            testDescription: "a condition on resources that the role does not see, and a hidden field of the key",
            role: Role(
                "desk",
                reads: [
                    "loans": .init(
                        fields: .except(["copyNumber"]),
                        where: .related(
                            "copy", exists: true,
                            .related(
                                "book", exists: true,
                                .related("author", exists: true, .compare("name", .equal, [.parameter("author")])))),
                        order: [SortField("isbn"), SortField("lentOn"), SortField("reader")])
                ]),
            claims: ["author": "Ada"],
            removal: "DELETE FROM loans WHERE isbn = 'b3'; DELETE FROM copies; DELETE FROM books; DELETE FROM authors;",
            fields: ["loans": ["isbn", "lentOn", "reader", "returnedOn"]], relations: ["loans": []],
            orders: ["loans": [SortField("isbn"), SortField("lentOn"), SortField("reader")]]),
        RoleLibrary(
            testDescription: "rows of an intermediate table, negations, and books without their authors",
            role: Role(
                "shelves",
                reads: [
                    "books": .init(
                        fields: .except(["price"]),
                        where: .not(
                            .any([
                                .compare("published", .greater, [.parameter("year")]),
                                .related("subjects", exists: true, .compare("name", .in, [.parameter("subjects")])),
                            ]))),
                    "classifications": .init(where: .compare("subjectNumber", .less, [.parameter("number")])),
                    "copies": .init(where: .not(.compare("shelf", .equal, [.parameter("shelf")]))),
                    "subjects": .init(where: .not(.compare("name", .in, [.parameter("none")]))),
                ]),
            claims: ["year": 2000, "subjects": ["Birds"], "number": 2, "shelf": "B", "none": []],
            removal: """
                DELETE FROM books WHERE isbn IN ('b2', 'b3', 'b4'); DELETE FROM book_subjects WHERE subject_id = 2;
                DELETE FROM copies WHERE shelf IS NULL OR shelf = 'B';
                """,
            fields: [
                "books": ["isbn", "title", "published", "language"], "classifications": ["isbn", "subjectNumber"],
                "copies": ["isbn", "copyNumber", "shelf"], "subjects": ["subjectNumber", "name"],
            ],
            relations: [
                "books": ["copies", "subjects"], "classifications": [], "copies": ["book"], "subjects": ["books"],
            ]),
    ]

    /// The catalogue of the whole library.
    static func catalogue() throws -> Catalogue {
        try Catalogue(try ConditionalLibrary.resources(), description: "A library.")
    }

    /// The catalogue of the database that has only what the role sees.
    func twin() throws -> Catalogue {
        let resources = try ConditionalLibrary.resources()
        return try Catalogue(
            resources.compactMap { resource in
                guard let names = fields[resource.name], let relations = relations[resource.name] else { return nil }
                let key = resource.key.allSatisfy(names.contains) ? resource.key : []
                let defaults = resource.defaultFields.filter(names.contains)
                var twin = Resource(
                    resource.name, singular: resource.singular, type: resource.type, table: resource.table,
                    description: resource.description,
                    fields: resource.fields.filter { names.contains($0.name) }.map { field in
                        var field = field
                        if let relation = field.relation.flatMap(resource.relation) {
                            field.isNullable = field.isNullable || isConditional(relation)
                        }
                        return field
                    },
                    key: key, order: orders[resource.name] ?? resource.order,
                    defaultFields: defaults.isEmpty ? nil : defaults,
                    sortFields: resource.sortFields.filter(names.contains), filters: resource.filters,
                    relations: resource.relations.filter { relations.contains($0.name) },
                    collection: resource.collection,
                    entities: key.isEmpty ? [.init(resource.type, [])] : resource.entities, maxAge: resource.maxAge)
                twin.isAggregated = role.reads[resource.name]?.aggregates == true
                for index in twin.relations.indices {
                    for join in twin.relations[index].joins.indices {
                        twin.relations[index].joins[join].isEnforced = false
                    }
                    let relation = twin.relations[index]
                    if relation.size == .one(isOptional: false), isConditional(relation) {
                        twin.relations[index].size = .one(isOptional: true)
                    }
                }
                return twin
            }, description: "A library.")
    }

    private func isConditional(_ relation: Relation) -> Bool { role.reads[relation.target]?.condition != .everything }

    /// Calls a closure with two services: that of the role for the caller, with all rows, and one without roles for a
    /// database that has only what the caller sees.
    func withServices(
        _ backend: TestBackend, _ body: (_ role: ResourceService, _ twin: ResourceService) async throws -> Void
    ) async throws {
        try await Library.withService(backend, catalogue: try Self.catalogue()) { whole in
            let service = try whole.restricted(to: role).with(claims, of: role)
            try await Library.withService(backend, catalogue: try twin(), more: removal) { twin in
                try await body(service, twin)
            }
        }
    }
}

extension ResourceService {
    /// Returns the service for a caller with claims.
    func with(_ claims: JSONObject, of role: Role) -> ResourceService {
        var service = self
        for path in role.claims { service.parameters[path.parameter] = path.value(in: claims) }
        return service
    }
}

extension Role {
    /// The role with the permission to request aggregates of all rows that it sees.
    fileprivate var aggregating: Role {
        var copy = self
        for name in reads.keys { copy.reads[name]?.aggregates = true }
        return copy
    }
}
