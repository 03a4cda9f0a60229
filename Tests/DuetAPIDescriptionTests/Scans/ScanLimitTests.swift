import DuetAPIDescription
import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import ServerTestSupport
import Synchronization
import TestSupport
import Testing

@Suite("The limit of examined rows") struct ScanLimitTests {
    /// 100 items of two boxes. The names have an index, and the sizes have none. Every tenth item belongs to Ada.
    private static let script = """
        CREATE TABLE digits (n INTEGER NOT NULL PRIMARY KEY);
        INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
        CREATE TABLE boxes (id INTEGER NOT NULL PRIMARY KEY);
        INSERT INTO boxes VALUES (1), (2);
        CREATE TABLE items (id INTEGER NOT NULL PRIMARY KEY, box_id INTEGER NOT NULL, name VARCHAR(20) NOT NULL,
            size INTEGER NOT NULL, owner VARCHAR(10) NOT NULL);
        CREATE INDEX items_name ON items (name, id);
        CREATE INDEX items_box ON items (box_id, id);
        INSERT INTO items SELECT a.n + 10 * b.n, CASE WHEN a.n + b.n < 3 THEN 1 ELSE 2 END,
            CASE WHEN a.n = 5 AND b.n < 3 THEN 'rare' ELSE 'common' END, a.n * 7 + b.n,
            CASE WHEN a.n = 0 THEN 'ada' ELSE 'bob' END FROM digits AS a CROSS JOIN digits AS b;
        """

    private static func description(maxScan: Int) -> String {
        """
        duet: 1
        resources:
          boxes:
            singular: box
            type: Box
            key: [id]
            fields:
              id: {type: int}
            relations:
              items: {to: items, many: 20, columns: {id: box_id}}
          items:
            singular: item
            type: Item
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              size: {type: int}
              owner: {type: text, maxLength: 10}
            sort: [id, name, size]
            maxScan: \(maxScan)
        roles:
          member:
            resources:
              items: {read: {where: {owner: {eq: {claim: sub}}}}}

        """
    }

    /// The status of a request that examines too many rows. MariaDB limits only the time of a statement.
    private static func refusal(_ backend: TestBackend) -> Int { backend == .sqlite ? 422 : 200 }

    @Test("A change of all rows that match a filter has the limit, and changes nothing beyond it")
    func changes() async throws {
        let description = Self.description(maxScan: 60).replacing(
            "    maxScan: 60\n", with: "    maxScan: 60\n    writes: [update, delete]\n")
        let withoutRoles = description.components(separatedBy: "roles:")[0]
        try await WritableShop.with(.sqlite, script: Self.script, description: withoutRoles) { shop in
            for (method, filter, status) in [
                ("PATCH", #"{"size":{"eq":1000}}"#, 422), ("DELETE", #"{"size":{"eq":1000}}"#, 422),
                ("PATCH", #"{"name":{"eq":"rare"}}"#, 200),
            ] {
                let body: JSONValue? = method == "PATCH" ? ["owner": "eve"] : nil
                let answer = try await shop.send(method, Self.encoded("/items?filter=\(filter)"), body)
                #expect(answer.status == status, "\(method) \(filter): \(answer.body)")
                if status == 422 { #expect(answer.body.contains("scan-too-large"), "\(answer.body)") }
            }
            let changed = try await shop.send("GET", "/items?fields=owner")
            #expect(changed.body.split(separator: "eve").count == 4, "\(changed.body)")
        }
    }

    @Test(
        "A statement that examines too many rows is refused in both styles, and one that an index answers is not",
        arguments: TestBackend.available)
    func bothStyles(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, script: Self.script, description: Self.description(maxScan: 60)) { shop in
            // The second execution uses a statement that is already prepared.
            for _ in 1...2 {
                for (path, isRefused) in [
                    ("/items?sort=size&first=10", true), ("/items?sort=-size&first=10", true),
                    (#"/items?filter={"size":{"eq":1000}}"#, true),
                    (#"/items?filter={"size":{"gte":1000}}&count=true&first=1"#, true),
                    ("/items?first=10", false), ("/items?sort=-id&first=10", false), ("/items", false),
                    ("/items?sort=name&first=10", false), ("/items?sort=-name,-id&first=10", false),
                    (#"/items?filter={"name":{"eq":"rare"}}"#, false), ("/items?first=5&count=true", false),
                    (#"/items?filter={"name":{"eq":"rare"}}&sort=size"#, false), ("/items/7", false),
                    ("/boxes/1/items?sort=size&first=5", false), (#"/items?filter={"size":{"lt":1000}}"#, false),
                ] {
                    let answer = try await shop.server.get(Self.encoded(path))
                    #expect(answer.status == (isRefused ? Self.refusal(backend) : 200), "\(path): \(answer.body)")
                }
                for (document, isRefused) in [
                    ("{ items(first: 10, orderBy: [{field: SIZE}]) { nodes { id } } }", true),
                    ("{ items(first: 10, filter: {size: {eq: 1000}}) { nodes { id } } }", true),
                    ("{ items(first: 10) { totalCount nodes { id } } }", false),
                    ("{ items(first: 10, orderBy: [{field: NAME}]) { nodes { id } } }", false),
                ] {
                    let answer = try await shop.execute(document)
                    let text = answer.compactText
                    #expect(
                        text.contains(#""code":"SCAN_TOO_LARGE""#) == (isRefused && backend == .sqlite), "\(text)")
                    #expect(text.contains(#""errors""#) == (isRefused && backend == .sqlite), "\(text)")
                }
            }
            for (accept, path, isRefused) in [
                ("text/csv", "/items", false), ("application/x-ndjson", "/items", false),
                ("text/csv", "/items?sort=size", true), ("text/csv", #"/items?filter={"size":{"eq":1000}}"#, true),
            ] {
                let answer = try await shop.server.get(Self.encoded(path), ["Accept": accept])
                #expect(answer.status == (isRefused ? Self.refusal(backend) : 200), "\(path): \(answer.body)")
            }
        }
    }

    @Test("The error names the order or the filter that needs an index, and no number of rows")
    func advice() async throws {
        try await WritableShop.with(.sqlite, script: Self.script, description: Self.description(maxScan: 60)) { shop in
            for (path, advice) in [
                (
                    "/items?sort=-size&first=10",
                    "no index serves the order; request another order, add a condition on a field with an index, or ask the operator for an index on size, id"
                ),
                (
                    #"/items?filter={"size":{"eq":1000}}"#,
                    "no index serves the filter; add a condition on a field with an index, or ask the operator for an index on size"
                ),
                (
                    #"/items?filter={"owner":{"eq":"eve"}}&sort=-size,id"#,
                    "no index serves the order; request another order, add a condition on a field with an index, or ask the operator for an index on size desc, id"
                ),
                (
                    #"/items?filter={"size":{"eq":1000},"owner":{"eq":"eve"}}"#,
                    "no index serves the filter; add a condition on a field with an index, or ask the operator for an index on one or more of size, owner"
                ),
            ] {
                let answer = try await shop.server.get(Self.encoded(path))
                let detail = try answer.json["detail"]
                #expect(
                    detail == .string("the request examines more than 60 rows to answer with rows of items; " + advice))
            }
        }
    }

    @Test("Hidden rows change the verdict only by their number, never by their values, and the error is the same")
    func hiddenRows() async throws {
        let description = Self.description(maxScan: 60)
        let roles = try APIDescription(reading: description, file: "shop.yaml").resolvedRoles().map(\.role)
        let path = Self.encoded(#"/items?filter={"size":{"eq":1000}}"#)
        // In the second database, the filter matches all hidden rows.
        let scripts = [Self.script, Self.script + "UPDATE items SET size = 1000 WHERE owner <> 'ada';"]
        let collected = Mutex<[HTTPAnswer]>([])
        for script in scripts {
            try await WritableShop.with(.sqlite, roles: roles, script: script, description: description) { shop in
                let ada: JSONObject = ["role": "member", "sub": "ada"]
                let own = try await shop.send("GET", "/items?first=5&sort=id", caller: ada)
                #expect(own.status == 200 && own.body.contains(#""id":10,"#), "\(own.body)")
                let refused = try await shop.send("GET", path, caller: ada)
                collected.withLock { $0.append(refused) }
            }
        }
        let answers = collected.withLock { $0 }
        #expect(answers.map(\.status) == [422, 422])
        #expect(answers.first?.body == answers.last?.body)
    }

    @Test("A description can lift the limit of a resource, and the service can lower it for the others")
    func limits() async throws {
        try await WritableShop.with(.sqlite, script: Self.script, description: Self.description(maxScan: 0)) { shop in
            let answer = try await shop.server.get("/items?sort=size&first=10")
            #expect(answer.status == 200)
        }
        let description = Self.description(maxScan: 0).replacing("    maxScan: 0\n", with: "")
        try await TestDatabase.with(.sqlite, schema: false) { database in
            try await database.write { try $0.executeScript(Self.script) }
            let api = try APIDescription(reading: description, file: "shop.yaml")
            for (limit, status) in [(ResourceService.defaultMaximumScan, 200), (60, 422), (nil, 200)] as [(Int?, Int)] {
                var service = ResourceService(
                    api.catalogue, database: database, encoding: ValueEncoding(dates: .iso))
                service.maximumScan = limit
                try await ServiceServer.with(service) { server in
                    let answer = try await server.get("/items?sort=size&first=10")
                    #expect(answer.status == status)
                }
            }
        }
    }

    private static func encoded(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? path
    }
}
