import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Synchronization
import TestSupport
import Testing

@Suite("API descriptions of odd schemas") struct OddDescriptionTests {
    /// The types of a referenced and of a referencing column, each pair with the equality by which a relation between
    /// the two columns compares values.
    static let pairs: [(TestBackend, String, String, Relation.Equality)] = [
        (.sqlite, "INTEGER", "BIGINT", .bytes), (.sqlite, "INTEGER", "NUMERIC", .bytes),
        (.sqlite, "TEXT", "VARCHAR(9)", .bytes),
        (.sqlite, "DECIMAL(9,2)", "DECIMAL(9,1)", .bytes), (.sqlite, "BLOB", "BLOB", .database),
        (.sqlite, "DATE", "DATE", .bytes),
        (.sqlite, "REAL", "DOUBLE", .bytes), (.sqlite, "TEXT COLLATE NOCASE", "TEXT COLLATE NOCASE", .database),
        (.sqlite, "TEXT", "TEXT COLLATE RTRIM", .database), (.sqlite, "INTEGER", "TEXT", .database),
        (.sqlite, "REAL", "INTEGER", .database), (.sqlite, "", "", .database), (.sqlite, "UUID", "UUID", .bytes),
        (.mariaDB, "INT", "INT", .bytes), (.mariaDB, "BIGINT UNSIGNED", "BIGINT UNSIGNED", .bytes),
        (.mariaDB, "VARCHAR(9)", "VARCHAR(9)", .database),
        (.mariaDB, "VARCHAR(9) COLLATE utf8mb4_bin", "CHAR(9) COLLATE utf8mb4_bin", .database),
        (.mariaDB, "VARCHAR(9) COLLATE utf8mb4_nopad_bin", "CHAR(9) COLLATE utf8mb4_nopad_bin", .bytes),
        (.mariaDB, "DECIMAL(9,2)", "DECIMAL(9,2)", .bytes), (.mariaDB, "VARBINARY(9)", "VARBINARY(8)", .bytes),
        (.mariaDB, "BINARY(4)", "BINARY(4)", .bytes), (.mariaDB, "DATETIME(3)", "DATETIME(3)", .bytes),
        (.mariaDB, "UUID", "UUID", .bytes), (.mariaDB, "DATE", "DATE", .bytes),
    ]

    @Test(
        "A relation compares keys by bytes or by the equality of the database, depending on the types of its columns",
        arguments: pairs.filter { TestBackend.available.contains($0.0) })
    func equality(_ backend: TestBackend, _ parent: String, _ child: String, _ expected: Relation.Equality) async throws
    {
        let script = """
            CREATE TABLE heads (k \(parent) \(parent.contains("COLLATE") ? "" : "NOT NULL") UNIQUE);
            CREATE TABLE tails (id INTEGER NOT NULL PRIMARY KEY, k \(child), FOREIGN KEY (k) REFERENCES heads (k));
            """
        try await OddService.with(backend, script) { service in
            for (name, other) in [("heads", "tails"), ("tails", "heads")] {
                let resource = try #require(service.catalogue[name])
                let relation = try #require(resource.relations.first { $0.target == other })
                let types = [resource, try #require(service.catalogue[other])].map { [$0.field("k")?.type] }
                let equality = relation.equality ?? Relation.Equality(joins: 0, from: types[0], to: types[1])
                #expect(equality == expected, "\(name).\(relation.name)")
            }
        }
    }

    @Test(
        "A join table relates two tables only if a pair of keys can occur only once", arguments: TestBackend.available)
    func pairsOnce(_ backend: TestBackend) async throws {
        let schema = try #require(OddSchema.relations.first { $0.name.hasPrefix("many to many") })
        try await OddService.with(backend, schema.script(backend) ?? "") { service in
            let relations = try #require(service.catalogue["students"]).relations
            #expect(
                relations.filter { !$0.joins.isEmpty && $0.target == "courses" }.flatMap(\.joins).map(\.table) == [
                    "enrolments"
                ])
            #expect(relations.flatMap(\.joins).allSatisfy { $0.isEnforced == (backend == .mariaDB) })
        }
    }

    @Test(
        "Two relations to one table are named after their columns, in any column order",
        arguments: [
            (["home_city_id", "city_id"], ["homeCity", "city"]),
            (["from_city", "to_city"], ["fromCityRow", "toCityRow"]),
            (["birth", "residence"], ["birthCity", "residenceCity"]),
        ])
    func relationNames(columns: [String], names: [String]) async throws {
        for columns in [columns, columns.reversed()] {
            let declared = columns.map { "\($0) INTEGER NOT NULL REFERENCES cities" }.joined(separator: ", ")
            let script = """
                CREATE TABLE cities (id INTEGER NOT NULL PRIMARY KEY);
                CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, \(declared));
                """
            try await OddService.with(.sqlite, script) { service in
                let people = try #require(service.catalogue["people"])
                #expect(Set(people.relations.map(\.name)) == Set(names))
                let inverse = Set(names.map { "peopleBy\($0.prefix(1).uppercased())\($0.dropFirst())" })
                #expect(Set(try #require(service.catalogue["cities"]).relations.map(\.name)) == inverse)
            }
        }
    }

    /// Tables without a key, each with the first words of the comment on it in the API description.
    static let tablesWithoutKey: [(TestBackend, String, String)] = [
        (.sqlite, "CREATE TABLE odds (n INTEGER)", "There is no unique key: "),
        (.mariaDB, "CREATE TABLE odds (n INTEGER)", "There is no unique key: "),
        (.sqlite, "CREATE TABLE odds (n INTEGER UNIQUE)", "Every unique key allows NULL: "),
        (.mariaDB, "CREATE TABLE odds (n INTEGER UNIQUE)", "Every unique key allows NULL: "),
        (
            .sqlite, "CREATE TABLE odds (token VARCHAR(9) PRIMARY KEY, n INTEGER UNIQUE)",
            "The key (token) has the hidden column token: "
        ),
        (
            .mariaDB, "CREATE TABLE odds (token VARCHAR(9) PRIMARY KEY, n INTEGER UNIQUE)",
            "The key (token) has the hidden column token: "
        ),
        (
            .sqlite, "CREATE TABLE odds (k PRIMARY KEY, n INTEGER)",
            "The key (k) has the column k, whose values have no order: "
        ),
        (.sqlite, "CREATE TABLE evens (n INTEGER); CREATE VIEW odds AS SELECT n FROM evens", "A view has no key: "),
    ]

    @Test(
        "If a table has no key, a comment in the API description gives the reason",
        arguments: tablesWithoutKey.filter { TestBackend.available.contains($0.0) })
    func tableWithoutKey(_ backend: TestBackend, _ script: String, _ reason: String) async throws {
        try await OddService.with(backend, script) { service in
            let comments = try IntrospectedDescription(of: service.schema).comments.filter { $0.path == "odds" }
            #expect(comments.map(\.text).contains { $0.hasPrefix(reason) }, "\(comments)")
        }
    }

    @Test(
        "A query parameter for a field of a to-one relation is rejected, and the error contains an equivalent filter",
        arguments: [
            ("user.email", "x", #"filter={"user":{"email":{"eq":"x"}}}"#),
            ("user.id.gt", "1", #"filter={"user":{"id":{"gt":1}}}"#),
            ("user.email.in", "y", #"filter={"user":{"email":{"in":["y"]}}}"#),
        ])
    func filtersOfOneRow(_ name: String, _ value: String, _ filter: String) async throws {
        let script = """
            CREATE TABLE users (id INTEGER NOT NULL PRIMARY KEY, email TEXT);
            CREATE TABLE posts (id INTEGER NOT NULL PRIMARY KEY, user_id INTEGER REFERENCES users);
            INSERT INTO users VALUES (1, 'x'), (2, 'y'); INSERT INTO posts VALUES (1, 1), (2, 2), (3, NULL);
            """
        try await OddService.with(.sqlite, script) { service in
            let posts = try #require(service.catalogue["posts"])
            for details in [[], [(name: "details", value: "user")]] {
                let error = await #expect(throws: ServiceError.self) {
                    try await service.get(posts, details + [(name, value)])
                }
                #expect(
                    error?.detail.contains("use \(filter) to filter the posts by this row") == true,
                    "\(error?.detail ?? "")")
            }
            let shown = try await service.get(posts, [("fields", "id"), ("filter", String(filter.dropFirst(7)))])
            #expect(shown.body == (value == "x" ? #"[{"id":1}]"# : #"[{"id":2}]"#))
            let list = await #expect(throws: ServiceError.self) { try await service.get(posts, [("id.in", "1,2")]) }
            #expect(list?.detail.hasSuffix("; repeat the parameter for several values, as in id.in=1&id.in=2") == true)
        }
    }

    @Test(
        "The GraphQL argument for one row is id, or has the name of the key field if another field is named id",
        arguments: TestBackend.available)
    func itemArguments(_ backend: TestBackend) async throws {
        let script = """
            CREATE TABLE codes (code VARCHAR(9) NOT NULL PRIMARY KEY, id INTEGER); INSERT INTO codes VALUES ('a', 7);
            CREATE TABLE words (word VARCHAR(9) NOT NULL PRIMARY KEY); INSERT INTO words VALUES ('b');
            """
        try await OddService.with(backend, script) { service in
            let data = try await service.query(#"{ code(code: "a") { code id } word(id: "b") { word id } }"#)
            #expect(data == #"{"code":{"code":"a","id":7},"word":{"word":"b","id":"b"}}"#)
        }
    }

    @Test("The comment on an omitted view is a separate paragraph")
    func leftOut() async throws {
        let script = """
            CREATE TABLE gone (x INTEGER); CREATE VIEW broken AS SELECT x FROM gone; DROP TABLE gone;
            CREATE TABLE things (n INTEGER);
            """
        try await OddService.with(.sqlite, script) { service in
            let yaml = try IntrospectedDescription(of: service.schema).yaml
            let paragraphs = yaml.split(separator: "\n\n")
            let leftOut = paragraphs.filter { $0.contains("The view broken is omitted") }
            #expect(leftOut.count == 1 && leftOut.allSatisfy { !$0.contains("things:") }, "\(yaml)")
            #expect(
                paragraphs.contains { $0.contains("There is no unique key: lists of things") && $0.contains("things:") }
            )
        }
    }

    @Test(
        "No comment describes the default of a view column as a zero date",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func viewDefaults() async throws {
        let script =
            "CREATE TABLE things (n INTEGER NOT NULL PRIMARY KEY); CREATE VIEW times AS SELECT n, now() AS x FROM things;"
        try await OddService.with(.mariaDB, script) { service in
            let comments = try IntrospectedDescription(of: service.schema).comments
            #expect(!comments.contains { $0.text.contains("zero date") }, "\(comments)")
        }
    }

    @Test("References that SQLite does not enforce become relations")
    func unenforced() async throws {
        for schema in OddSchema.all
        where schema.name.hasPrefix("references that") || schema.name.hasPrefix("references between") {
            try await OddService.with(.sqlite, schema.script(.sqlite) ?? "") { service in
                #expect(service.catalogue.resources.contains { !$0.relations.isEmpty }, "\(schema.name)")
            }
        }
    }

    @Test(
        "A relation compares columns with different collations as the foreign key does, in both directions"
    )
    func collations() async throws {
        let schema = try #require(OddSchema.relations.first { $0.name.hasSuffix("different collations") })
        try await OddService.with(.sqlite, schema.script(.sqlite) ?? "") { service in
            let (tags, posts) = (try #require(service.catalogue["tags"]), try #require(service.catalogue["posts"]))
            let wanted = #"[{"id":1,"tag":"swift"},{"id":2,"tag":"Swift"}]"#
            #expect(
                try await service.get(tags, key: ["Swift"], relation: "posts").body
                    == wanted.replacing(/,"tag":"\w+"/, with: ""))
            let attached = try await service.get(
                tags, key: ["Swift"], [("details", "posts"), ("posts.fields", "id,tag")])
            #expect(attached.body == #"{"name":"Swift","posts":\#(wanted)}"#)
            let labelled = try await service.get(
                tags, key: ["go"], [("details", "postsByLabel"), ("postsByLabel.fields", "id")])
            #expect(labelled.body == #"{"name":"go","postsByLabel":[{"id":1},{"id":2}]}"#)
            #expect(
                try await service.get(posts, key: ["1"], relation: "tags").body == #"[{"name":"go"},{"name":"Swift"}]"#)
            let filtered = try await service.get(
                posts, [("fields", "id"), ("filter", #"{"tags":{"some":{"name":{"eq":"go"}}}}"#)])
            #expect(filtered.body == #"[{"id":1},{"id":2}]"#)
        }
    }

    @Test(
        "If a relation compares integers, or texts by bytes, its statement reads only the related table",
        arguments: TestBackend.available)
    func statements(_ backend: TestBackend) async throws {
        let collation = backend == .mariaDB ? " COLLATE utf8mb4_nopad_bin" : ""
        let script = """
            CREATE TABLE heads (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(9)\(collation) NOT NULL UNIQUE);
            CREATE TABLE tails (id INTEGER NOT NULL PRIMARY KEY, head_id INTEGER, code VARCHAR(9)\(collation),
                FOREIGN KEY (head_id) REFERENCES heads (id), FOREIGN KEY (code) REFERENCES heads (code));
            INSERT INTO heads VALUES (1, 'a'), (2, 'b');
            INSERT INTO tails VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 1, 'b');
            """
        let texts = Mutex<[String]>([])
        let observer: DatabaseObserver = { observation in
            if case .statement(let sql, _, _, _, _) = observation { texts.withLock { $0.append(sql) } }
        }
        try await TestDatabase.with(backend, schema: false, observer: observer) { database in
            try await database.write { try $0.executeScript(script) }
            let service = try await OddService(database)
            texts.withLock { $0 = [] }
            let tails = try #require(service.catalogue["tails"])
            let names = tails.relations.map(\.name)
            _ = try await service.get(tails, [("details", names.joined(separator: ","))])
            let attached = texts.withLock { $0 }.filter { $0.contains("FROM heads") }
            #expect(names.count == 2)
            #expect(attached.count == 2)
            #expect(
                attached.allSatisfy { !$0.contains("above") && !$0.contains("FROM tails") && !$0.contains("UNION") })
        }
    }
}
