import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Imports") struct ImportTests {
    @Test("Rows of NDJSON are created in one transaction", arguments: TestBackend.available)
    func ndjson(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let created = try await shop.importRows(
                "/customers", .ndjson,
                """
                {"id":3,"name":"Cleo","email":"c@example.org"}
                {"name":"Dan","id":4,"state":"closed","email":null}\r
                {"id":5,"name":"Eve, \\"E\\""}


                """)
            #expect(created.status == 200, "\(created.body)")
            #expect(created.body == #"{"created":3}"#)
            let stored = try await shop.send("GET", "/customers?id.gt=2")
            #expect(
                stored.body == """
                    [{"id":3,"name":"Cleo","email":"c@example.org","state":"open"},\
                    {"id":4,"name":"Dan","email":null,"state":"closed"},\
                    {"id":5,"name":"Eve, \\"E\\"","email":null,"state":"open"}]
                    """)
            #expect(try await shop.importRows("/customers", .ndjson, "").body == #"{"created":0}"#)
        }
    }

    @Test("Rows of CSV are created in one transaction", arguments: TestBackend.available)
    func csv(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            let text =
                "\u{FEFF}name,id,email,state\r\n\"Cleo, \"\"C\"\"\",3,,\r\nDan,4,\"\",closed\r\n\"a\nb\",5,é,open"
            let created = try await shop.importRows("/customers", .csv, text)
            #expect(created.body == #"{"created":3}"#)
            let stored = try await shop.send("GET", "/customers?id.gt=2")
            #expect(
                stored.body == """
                    [{"id":3,"name":"Cleo, \\"C\\"","email":null,"state":"open"},\
                    {"id":4,"name":"Dan","email":"","state":"closed"},\
                    {"id":5,"name":"a\\nb","email":"é","state":"open"}]
                    """)
            let orders = try await shop.importRows("/orders", .csv, "id,customerId,total\n20,3,12.5\n21,1,7\n\n")
            #expect(orders.body == #"{"created":2}"#)
            let totals = try await shop.send("GET", "/orders?fields=total&id.gt=11")
            #expect(totals.body == #"[{"total":"12.50"},{"total":"7.00"}]"#)
        }
    }

    @Test(
        "The error names the line, the column and the member, and nothing is written", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        struct Case {
            let path: String
            let format: ImportBody.Format
            let body: String
            let status: Int
            let code: JSONValue
            let line: JSONValue?
            var column: JSONValue?
            var field: JSONValue?
        }
        func ndjson(
            _ body: String, _ status: Int, _ code: JSONValue, line: Int64, field: JSONValue? = nil,
            of path: String = "/customers"
        ) -> Case {
            Case(
                path: path, format: .ndjson, body: body, status: status, code: code, line: .integer(line), field: field)
        }
        func csv(
            _ body: String, _ status: Int, _ code: JSONValue, line: Int64, column: Int64? = nil,
            field: JSONValue? = nil
        ) -> Case {
            Case(
                path: "/customers", format: .csv, body: body, status: status, code: code, line: .integer(line),
                column: column.map { .integer($0) }, field: field)
        }
        let good = #"{"id":3,"name":"Cleo"}"# + "\n"
        let cases = [
            ndjson(good + #"{"id":4,"name":"a name of twelve"}"#, 422, "validation-failed", line: 2, field: "name"),
            ndjson(good + #"{"id":4}"#, 422, "validation-failed", line: 2, field: "name"),
            ndjson(good + #"{"id":4,"name":"D","age":1}"#, 422, "validation-failed", line: 2, field: "age"),
            ndjson(good + #"{"id":4,"name":"D","#, 400, "malformed-body", line: 2),
            ndjson(good + #"{"id":4,"name":"D","id":5}"#, 400, "malformed-body", line: 2),
            ndjson(good + "[]", 400, "malformed-body", line: 2),
            ndjson(good + "\n" + #"{"id":4,"name":"D"}"#, 400, "malformed-body", line: 2),
            ndjson(good + #"{"id":1,"name":"D"}"#, 409, "conflict", line: 2, field: "id"),
            ndjson(good + good, 409, "conflict", line: 2, field: "id"),
            ndjson(good + #"{"id":4,"name":"nobody"}"#, 422, "constraint-violated", line: 2),
            ndjson(
                #"{"id":20,"customerId":1,"total":"1"}"# + "\n" + #"{"id":21,"customerId":99,"total":"1"}"#, 422,
                "reference-missing", line: 2, field: "customerId", of: "/orders"),
            ndjson(
                #"{"id":20,"customerId":1,"total":"1","createdBy":"me"}"#, 422, "validation-failed", line: 1,
                field: "createdBy", of: "/orders"),
            csv("", 400, "malformed-body", line: 1),
            csv("id,name,id\n", 400, "malformed-body", line: 1, column: 3),
            csv("id,,name\n", 400, "malformed-body", line: 1, column: 2),
            csv("id,name,age\n", 422, "validation-failed", line: 1, column: 3, field: "age"),
            csv("id,email\n", 422, "validation-failed", line: 1, field: "name"),
            csv("id,name\n3,Cleo\n4\n", 400, "malformed-body", line: 3),
            csv("id,name\n3,Cleo\n4,D,\n", 400, "malformed-body", line: 3),
            csv("id,name\n3,\"a\nb\"\nx,D\n", 422, "validation-failed", line: 4, column: 1, field: "id"),
            csv("id,name\n3,Cleo\n4,\n", 422, "validation-failed", line: 3, column: 2, field: "name"),
            csv("id,name\n3,Cleo\n4,\"D", 400, "malformed-body", line: 3),
            csv("id,name\n3,\"D\"d\n", 400, "malformed-body", line: 2, column: 2),
            csv("id,name\n3,D\"d\"\n", 400, "malformed-body", line: 2, column: 2),
            csv("id,name\n3,D\u{0}\n", 422, "validation-failed", line: 2, column: 2, field: "name"),
            csv("id,name\n3,Cleo\n\n4,D\n", 400, "malformed-body", line: 3),
            csv("id,name\n3,Cleo\n1,D\n", 409, "conflict", line: 3, field: "id"),
        ]
        try await WritableShop.with(backend) { shop in
            for test in cases {
                let answer = try await shop.importRows(test.path, test.format, test.body)
                #expect(answer.status == test.status, "\(test.body): \(answer.body)")
                let problem = try answer.json
                #expect(problem["code"] == test.code, "\(test.body): \(answer.body)")
                #expect(problem["line"] == test.line, "\(test.body): \(answer.body)")
                #expect(problem["column"] == test.column, "\(test.body): \(answer.body)")
                let field: JSONValue? =
                    if case .array(let errors)? = problem["errors"] { errors.first?["field"] } else { nil }
                #expect(field == test.field, "\(test.body): \(answer.body)")
            }
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2}]"#)
            #expect(try await shop.send("GET", "/orders?fields=id").body == #"[{"id":10},{"id":11}]"#)
        }
    }

    @Test("An import obeys the rules of the caller's role", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let own = Filter.compare("customerId", .equal, [.parameter("customer")])
        let role = Role(
            "customer",
            reads: [
                "customers": .init(where: .compare("id", .equal, [.parameter("customer")])),
                "orders": .init(fields: .except(["createdBy"]), where: own),
            ],
            writes: [
                "orders": .init(
                    create: .init(set: ["createdBy": .parameter("sub")], check: .isNull("note", true)))
            ])
        let clerk = Role("clerk", reads: ["orders": .init()])
        try await WritableShop.with(backend, roles: [role, clerk]) { shop in
            let caller: JSONObject = ["role": "customer", "customer": 1, "sub": "ada"]
            let rows = (100..<350).map { "\($0),1,3" }
            func send(_ last: String) async throws -> HTTPAnswer {
                let lines = ["id,customerId,total,note"] + rows.map { $0 + "," } + [last]
                return try await shop.importRows("/orders", .csv, lines.joined(separator: "\n"), caller: caller)
            }
            // The customer exists, but the caller does not see it.
            let hidden = try await send("400,2,3,")
            let missing = try await send("400,99,3,")
            #expect(hidden.status == 422)
            #expect(hidden.body == missing.body)
            #expect(try hidden.json["line"] == 252)
            let refused = try await send("400,1,3,x")
            #expect(refused.status == 403)
            #expect(try refused.json["line"] == 252)
            let created = try await send("400,1,3,")
            #expect(created.body == #"{"created":251}"#)
            let stored = try await shop.send(
                "GET", "/orders?fields=id&createdBy=ada&first=1&count=true", caller: ["role": "clerk"])
            #expect(stored.headers.first(name: "Total-Count") == "251")
            #expect(try await shop.importRows("/customers", .csv, "id,name\n", caller: caller).status == 405)
        }
    }

    @Test("A request that is not a valid import is refused")
    func requests() async throws {
        try await WritableShop.with(.sqlite) { shop in
            func status(_ path: String, _ fields: [String: String], method: String = "POST") async throws -> Int {
                try await shop.server.send(method, path, fields, body: "id,name\n3,Cleo\n").status
            }
            let charset = try await status("/customers", ["Content-Type": "text/csv; charset=utf-16"])
            #expect(charset == 415)
            #expect(try await status("/customers", ["Content-Type": "text/csv", "Content-Encoding": "gzip"]) == 415)
            #expect(try await status("/customers", ["Content-Type": "text/plain"]) == 415)
            #expect(try await status("/customers?fields=id", ["Content-Type": "text/csv"]) == 400)
            #expect(try await status("/customers", ["Content-Type": "text/csv", "If-Match": "*"]) == 412)
            #expect(try await status("/customers/1", ["Content-Type": "text/csv"], method: "PATCH") == 415)
            #expect(try await status("/graphql", ["Content-Type": "text/csv"]) == 415)
            #expect(try await status("/customers", ["Content-Type": "TEXT/CSV; charset=\"UTF-8\""]) == 200)
        }
    }

    @Test("Nothing is written if the body is too large, or if the client closes the connection before its end")
    func incomplete() async throws {
        var settings = ServerSettings()
        settings.imports.maximumSize = 19
        try await WritableShop.with(.sqlite, settings: settings) { shop in
            let fields = ["Content-Type": "text/csv"]
            let small = try await shop.importRows("/customers", .csv, "id,name\n3,Cleo\n")
            #expect(small.body == #"{"created":1}"#)
            let large = try await shop.importRows("/customers", .csv, "id,name\n4,Dan\n5,Eve\n")
            #expect(large.status == 413)
            await shop.server.sendPart("POST", "/customers", fields, body: "id,name\n4,Dan\n", length: 19)
            #expect(try await shop.send("GET", "/customers?fields=id").body == #"[{"id":1},{"id":2},{"id":3}]"#)
        }
    }

    @Test("Rows can have generated keys and given keys", arguments: TestBackend.available)
    func automaticKeys(_ backend: TestBackend) async throws {
        let automatic = backend == .mariaDB ? " AUTO_INCREMENT" : ""
        let script = "CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY\(automatic), text VARCHAR(10) DEFAULT 'x')"
        let description = """
            duet: 1
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  text: {type: text, nullable: true, absent: default}

            """
        try await WritableShop.with(backend, script: script, description: description) { shop in
            let rows = [#"{"text":"a"}"#, #"{}"#, #"{"id":50,"text":"b"}"#, #"{"text":null}"#].joined(separator: "\n")
            let answer = try await shop.importRows("/notes", .ndjson, rows)
            #expect(answer.body == #"{"created":4}"#)
            let stored = #"[{"id":1,"text":"a"},{"id":2,"text":"x"},{"id":50,"text":"b"},{"id":51,"text":null}]"#
            #expect(try await shop.send("GET", "/notes").body == stored)
        }
    }

    @Test("Rows with generated keys, and with keys of several fields, obey the rules", arguments: TestBackend.available)
    func keys(_ backend: TestBackend) async throws {
        let automatic = backend == .mariaDB ? " AUTO_INCREMENT" : ""
        let description = """
            duet: 1
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  owner: {type: text, maxLength: 10}
              tags:
                singular: tag
                type: Tag
                key: [owner, name]
                writes: all
                fields:
                  owner: {type: text, maxLength: 10}
                  name: {type: text, maxLength: 10}

            """
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write {
                try $0.executeScript(
                    """
                    CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY\(automatic), owner VARCHAR(10) NOT NULL);
                    CREATE TABLE tags (owner VARCHAR(10) NOT NULL, name VARCHAR(10) NOT NULL, PRIMARY KEY (owner, name));
                    """)
            }
            let api = try APIDescription(reading: description, file: "notes.yaml")
                .fitted(to: try await database.read { try DatabaseSchema.read($0) })
            let own = Role.Read(where: .compare("owner", .equal, [.parameter("sub")]))
            let create = Role.Writes(create: .init())
            var service = try ResourceService(
                api.catalogue, database: database, encoding: ValueEncoding(dates: .iso)
            ).restricted(
                to: Role("user", reads: ["notes": own, "tags": own], writes: ["notes": create, "tags": create]))
            service.parameters = ["sub": "ada"]
            func importRows(_ resource: String, _ lines: [String]) async throws -> Int {
                let write = try #require(
                    service.catalogue.writes.first { $0.resource == resource && $0.kind == .insert })
                let body = ImportBody(.csv, bytes: Array(lines.joined(separator: "\n").utf8))
                return try await service.importRows(body, for: write, timeout: .seconds(600)).count
            }
            func line(_ resource: String, _ lines: [String]) async throws -> Int? {
                do {
                    _ = try await importRows(resource, lines)
                    return nil
                } catch let error as ServiceError {
                    #expect(error.code == .writeNotPermitted)
                    return error.line
                }
            }
            // The database generates the keys of most rows.
            let notes = ["id,owner"] + (0..<150).map { $0 == 70 ? "1000,ada" : ",ada" }
            #expect(try await importRows("notes", notes) == 150)
            #expect(try await line("notes", notes.map { $0.replacing("1000", with: "2000") } + [",bob"]) == 152)
            let tags = ["name,owner"] + (0..<150).map { "t\($0),ada" }
            #expect(try await importRows("tags", tags) == 150)
            var others = tags.map { $0.replacing("t", with: "u") }
            others[30] = "u,bob"
            #expect(try await line("tags", others) == 31)
            #expect(
                try await service.answer(Question(.list(resource: "tags", Window()), .list(.array(Selection())))).rows
                    == 150)
        }
    }

    @Test(
        "Many rows are imported together, and an error in the last row undoes all of them",
        arguments: TestBackend.available)
    func large(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            var text = "id,name,email\n"
            for id in 10..<20_010 { text += "\(id),name\(id % 1000),\(id % 3 == 0 ? "" : "e\(id)@example.org")\n" }
            let created = try await shop.importRows("/customers", .csv, text)
            #expect(created.body == #"{"created":20000}"#)
            // The last row is refused, so none is written.
            let refused = try await shop.importRows(
                "/orders", .ndjson,
                (0..<5_000).map { #"{"id":\#($0 + 20),"customerId":\#($0 < 4_999 ? 10 : 9),"total":"1"}"# }
                    .joined(separator: "\n"))
            #expect(refused.status == 422)
            #expect(try refused.json["line"] == 5_000)
            let orders = try await shop.send("GET", "/orders?fields=id")
            #expect(orders.body == #"[{"id":10},{"id":11}]"#)
        }
    }
}

extension WritableShop {
    /// Sends rows to the list of a resource.
    func importRows(
        _ path: String, _ format: ImportBody.Format, _ body: String, caller claims: JSONObject? = nil,
        prefer: String? = nil
    ) async throws -> HTTPAnswer {
        var fields = ["X-Request-ID": "the-same", "Content-Type": format.rawValue]
        fields.merge(claims.map { TestToken($0).field } ?? [:]) { $1 }
        fields["Prefer"] = prefer
        return try await server.send("POST", path, fields, body: body)
    }
}
