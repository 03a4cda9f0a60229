import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

@Suite("Texts of groups and aggregates") struct TextGroupTests {
    @Test(
        "The least and the greatest text are compared, sorted and paged by the collation of the column",
        arguments: TestBackend.available)
    func collations(_ backend: TestBackend) async throws {
        let collation = backend == .sqlite ? "COLLATE NOCASE" : "COLLATE utf8mb4_general_ci"
        let script = """
            CREATE TABLE boxes (id INTEGER NOT NULL PRIMARY KEY);
            INSERT INTO boxes VALUES (1), (2), (3), (4), (5);
            CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, box INTEGER NOT NULL, note VARCHAR(20) \(collation));
            INSERT INTO notes VALUES (1, 1, 'b'), (2, 2, 'A'), (3, 3, 'C'), (4, 4, 'a'), (5, 5, NULL);
            """
        let description = """
            duet: 1
            resources:
              boxes:
                singular: box
                type: Box
                key: [id]
                fields:
                  id: {type: int}
                relations:
                  notes: {to: notes, many: 20, columns: {id: box}}
              notes:
                singular: note
                type: Note
                key: [id]
                fields:
                  id: {type: int}
                  box: {type: int}
                  note: {type: text, maxLength: 20, nullable: true}

            """
        try await WritableShop.with(backend, script: script, description: description) { shop in
            func boxes(_ query: String) async throws -> [JSONValue] {
                let answer = try await shop.send("GET", "/notes?group=box&aggregate=note.min,note.max&\(query)")
                #expect(answer.status == 200, "\(answer.body)")
                return answer.elements.compactMap { $0["box"] }
            }
            for name in ["note.min", "note.max"] {
                #expect(try await boxes("sort=\(name)") == [5, 2, 4, 1, 3])
                #expect(try await boxes("sort=-\(name),-box") == [3, 1, 4, 2, 5])
                for (having, expected) in [
                    (#"{"lt":"B"}"#, [2, 4]), (#"{"gte":"B"}"#, [1, 3]), (#"{"eq":"A"}"#, [2, 4]),
                    (#"{"ne":"a"}"#, [1, 3]), (#"{"in":["B","c"]}"#, [1, 3]), (#"{"null":true}"#, [5]),
                ] as [(String, [JSONValue])] {
                    let condition = #"{"\#(name)":\#(having)}"#.queryValue
                    #expect(try await boxes("having=\(condition)") == expected, "\(name) \(having)")
                }
                let pages = try await shop.pages("/notes?group=box&aggregate=note.min,note.max&sort=-\(name),-box")
                #expect(pages.compactMap { $0["box"] } == [3, 1, 4, 2, 5])
                // The aggregates of a relation have the same order.
                for (sort, expected) in [("", [5, 2, 4, 1, 3]), ("-", [3, 1, 4, 2, 5])] as [(String, [JSONValue])] {
                    let boxes = try await shop.pages("/boxes?sort=\(sort)notes.\(name)")
                    #expect(boxes.compactMap { $0["id"] } == expected)
                }
                let parts = name.split(separator: ".")
                let filter = "{\"notes\":{\"note\":{\"\(parts[1])\":{\"lt\":\"B\"}}}}".queryValue
                let found = try await shop.send("GET", "/boxes?filter=\(filter)")
                #expect(found.body == #"[{"id":2},{"id":4}]"#)
            }
            let groups = try await shop.send("GET", "/notes?group=note&aggregate=count")
            #expect(
                groups.body == """
                    [{"note":null,"count":1},{"note":"A","count":2},{"note":"b","count":1},{"note":"C","count":1}]
                    """)
        }
    }

    @Test(
        "A condition on groups by a text that the column cannot store is valid, and the text equals none of the column",
        .enabled(if: TestBackend.available.contains(.mariaDB)))
    func narrow() async throws {
        let script = """
            CREATE TABLE letters (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(10) CHARACTER SET latin1,
                name VARCHAR(20) CHARACTER SET utf8mb3);
            INSERT INTO letters VALUES (1, 'é', 'ü'), (2, 'z', 'Z'), (3, NULL, 'a');
            """
        let description = """
            duet: 1
            resources:
              letters:
                singular: letter
                type: Letter
                key: [id]
                fields:
                  id: {type: int}
                  code: {type: text, maxLength: 10, nullable: true}
                  name: {type: text, maxLength: 20}

            """
        try await WritableShop.with(.mariaDB, script: script, description: description) { shop in
            for (having, ids) in [
                (#"{"code.min":{"eq":"日"}}"#, []), (#"{"code.min":{"ne":"日"}}"#, [1, 2]),
                (#"{"not":{"code.max":{"eq":"日"}}}"#, [1, 2]), (#"{"code.min":{"in":["日","é"]}}"#, [1]),
                (#"{"code.max":{"eq":"é"}}"#, [1]), (#"{"name.max":{"lt":"😀"}}"#, [1, 2, 3]),
                (#"{"name.max":{"gt":"😀"}}"#, []), (#"{"name.min":{"in":["😀","Z"]}}"#, [2]),
            ] as [(String, [JSONValue])] {
                let answer = try await shop.send(
                    "GET",
                    "/letters?group=id&aggregate=code.min,code.max,name.min,name.max&having=\(having.queryValue)")
                #expect(answer.status == 200, "\(having): \(answer.body)")
                #expect(answer.elements.compactMap { $0["id"] } == ids, "\(having)")
            }
            let pages = try await shop.pages("/letters?group=code&aggregate=code.max&sort=-code.max")
            #expect(pages.compactMap { $0["code"] } == ["z", "é", nil])
        }
    }
}
