import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

/// Tests a catalog whose fields have the names of SQL keywords. Its relations join rows by a key and another column.
@Suite("Fields with the names of SQL keywords") struct ReservedWordTests {
    private static func catalogue() throws -> Catalogue {
        try Catalogue(
            [
                Resource(
                    "groups", singular: "group", type: "Group", table: "item_groups", description: "A group.",
                    fields: [
                        Field("key", .integer(), column: "group_id", description: "The number."),
                        Field("order", .integer(), column: "place", description: "The place."),
                        Field("select", .text(), column: "kind", description: "The kind."),
                        Field("from", .date, column: "began", isNullable: true, description: "The first day."),
                    ],
                    key: ["key"], sortFields: ["order", "from"],
                    relations: [
                        Relation(
                            "values", to: "values", .few(typical: 2),
                            on: [.init("group_id", "group_id"), .init("kind", "kind")], description: "The values."),
                        Relation(
                            "rows", to: "values", .many(pageSize: 1),
                            on: [.init("group_id", "group_id"), .init("kind", "kind")], description: "The values."),
                    ]),
                Resource(
                    "values", singular: "value", type: "GroupValue", table: "item_values", description: "A value.",
                    fields: [
                        Field("group", .integer(), column: "group_id", description: "The group."),
                        Field("where", .text(), column: "kind", description: "The kind."),
                        Field("desc", .integer(), column: "amount", description: "The amount."),
                    ],
                    key: ["group", "where", "desc"], sortFields: ["desc"],
                    relations: [
                        // The relation uses a column that is not a field.
                        Relation(
                            "peers", to: "groups", .few(typical: 1), on: [.init("place", "place")],
                            description: "The groups of the place.")
                    ]),
            ], description: "Words.")
    }

    private static let script = """
        CREATE TABLE item_groups (group_id INTEGER NOT NULL PRIMARY KEY, place INTEGER NOT NULL, kind VARCHAR(9) NOT NULL,
            began DATE);
        CREATE TABLE item_values (group_id INTEGER NOT NULL, kind VARCHAR(9) NOT NULL, amount INTEGER NOT NULL, place INTEGER,
            PRIMARY KEY (group_id, kind, amount));
        INSERT INTO item_groups VALUES (1, 20, 'a', '2020-01-01'), (2, 10, 'b', NULL);
        INSERT INTO item_values VALUES (1, 'a', 5, 10), (1, 'a', 6, 20), (1, 'b', 7, 0), (2, 'a', 8, NULL), (2, 'b', 9, NULL);
        """

    static let answers = [
        (
            "groups?sort=-order&order.gte=1&from.null=false",
            #"[{"key":1,"order":20,"select":"a","from":"2020-01-01"}]"#
        ),
        (
            "groups?fields=key&sort=from,order&details=values,rows&rows.page=true&rows.sort=-desc",
            """
            [{"key":2,"values":[{"desc":9}],"rows":{"nodes":[{"desc":9}],"pageInfo":{"hasNextPage":false,\
            "hasPreviousPage":false,"startCursor":"","endCursor":""}}},{"key":1,"values":[{"desc":5},{"desc":6}],\
            "rows":{"nodes":[{"desc":6}],"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"",\
            "endCursor":""}}}]
            """
        ),
        ("groups/1?fields=from&details=values&values.first=1", #"{"from":"2020-01-01","values":[{"desc":5}]}"#),
        (
            "groups?fields=key&details=values.peers&values.first=1&values.peers.fields=key",
            #"[{"key":1,"values":[{"desc":5,"peers":[{"key":2}]}]},{"key":2,"values":[{"desc":9,"peers":[]}]}]"#
        ),
        ("groups/1/values", #"[{"desc":5},{"desc":6}]"#), ("groups/2/rows?desc.gt=1&fields=where", #"[{"where":"b"}]"#),
        (#"groups?fields=key&filter={"values":{"some":{"desc":{"in":[7,9]}}}}"#, #"[{"key":2}]"#),
    ]

    @Test(
        "Fields with the names of keywords are read, filtered and sorted. A relation can join rows by two columns",
        arguments: TestBackend.available)
    func answers(_ backend: TestBackend) async throws {
        try await TestDatabase.with(backend, schema: false) { database in
            try await database.write { try $0.executeScript(Self.script) }
            let service = ResourceService(
                try Self.catalogue(), database: database, encoding: ValueEncoding(dates: .iso))
            for (target, expected) in Self.answers {
                let body = try await service.restBody(target)
                    .replacing(/Cursor":"[^"]*"/, with: #"Cursor":"""#).replacing(/\ next .*/, with: "")
                #expect(body == expected, "\(target)")
            }
        }
    }
}
