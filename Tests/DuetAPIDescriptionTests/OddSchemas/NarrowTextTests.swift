import DuetGraphQL
import DuetResourceService
import TestSupport
import Testing

@Suite(
    "Texts with characters that a MariaDB column cannot store",
    .enabled(if: TestBackend.available.contains(.mariaDB)))
struct NarrowTextTests {
    private static let script = """
        CREATE TABLE letters (code VARCHAR(10) CHARACTER SET latin1 NOT NULL PRIMARY KEY, name VARCHAR(20) CHARACTER SET utf8mb3,
            a VARCHAR(5) CHARACTER SET ascii, kind ENUM('x', 'é') CHARACTER SET latin1);
        INSERT INTO letters VALUES ('é', 'ü', 'a', 'x'), ('z', 'Z', NULL, 'é');
        CREATE TABLE letter_rows (id INT NOT NULL PRIMARY KEY, code VARCHAR(10) CHARACTER SET latin1,
            FOREIGN KEY (code) REFERENCES letters (code));
        INSERT INTO letter_rows VALUES (1, 'é');
        """

    /// Filters, each with the keys of the matching rows.
    static let filters: [(filter: String, codes: [String])] = [
        (#"{"name":{"eq":"😀"}}"#, []), (#"{"name":{"lt":"😀"}}"#, ["z", "é"]), (#"{"name":{"gt":"😀"}}"#, []),
        (#"{"name":{"in":["😀","ü"]}}"#, ["é"]), (#"{"name":{"ne":"😀"}}"#, ["z", "é"]), (#"{"name":{"eq":"ü"}}"#, ["é"]),
        (#"{"a":{"eq":"é"}}"#, []), (#"{"a":{"ne":"é"}}"#, ["é"]), (#"{"not":{"a":{"eq":"é"}}}"#, ["é"]),
        (#"{"not":{"name":{"in":["😀","Z"]}}}"#, ["é"]), (#"{"name":{"like":"日"}}"#, []),
        (#"{"not":{"name":{"like":"日"}}}"#, ["z", "é"]), (#"{"kind":{"eq":"日"}}"#, []),
        (#"{"kind":{"eq":"é"}}"#, ["z"]), (#"{"code":{"gte":"é"}}"#, ["z", "é"]), (#"{"code":{"lte":"é"}}"#, ["é"]),
        (#"{"letterRows":{"some":{"code":{"eq":"日"}}}}"#, []),
        (#"{"letterRows":{"none":{"code":{"eq":"日"}}}}"#, ["z", "é"]),
    ]

    @Test(
        "A filter by a text that the column cannot store is valid, and the text equals no value of the column",
        arguments: filters)
    func comparison(_ filter: String, _ codes: [String]) async throws {
        try await OddService.with(.mariaDB, Self.script) { service in
            let resource = try #require(service.catalogue["letters"])
            let found = try await service.get(
                resource, [("fields", "code"), ("filter", filter), ("count", "true"), ("first", "5")])
            #expect(found.elements.sorted() == codes.map { #"{"code":"\#($0)"}"# }, "\(filter)")
            #expect(found.totalCount == Int64(codes.count))
        }
    }

    @Test("A key that the column cannot store identifies no row, over REST and GraphQL")
    func keys() async throws {
        try await OddService.with(.mariaDB, Self.script) { service in
            let resource = try #require(service.catalogue["letters"])
            for relation in [nil, "letterRows"] {
                let error = await #expect(throws: ServiceError.self) {
                    try await service.get(resource, key: ["日"], relation: relation)
                }
                #expect(error?.code == .unknown(resource.singular))
                #expect(
                    try await service.get(resource, key: ["é"], relation: relation).body.contains("é")
                        == (relation == nil))
            }
            let rows = try await service.query(
                #"{ a: \#(resource.singular)(id: "日") { name } b: \#(resource.singular)(id: "é") { name letterRows { nodes { id } } } }"#
            )
            #expect(rows == #"{"a":null,"b":{"name":"ü","letterRows":{"nodes":[{"id":1}]}}}"#)
        }
    }

    @Test(
        "A row has no related rows if the related column cannot store its key. Other rows are not affected")
    func relations() async throws {
        let script = """
            CREATE TABLE heads (k VARCHAR(10) CHARACTER SET utf8mb4 NOT NULL PRIMARY KEY);
            CREATE TABLE tails (id INT NOT NULL PRIMARY KEY, k2 VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_german2_ci, KEY (k2));
            INSERT INTO heads VALUES ('é'), ('日'), ('z');
            INSERT INTO tails VALUES (1, 'é'), (2, 'é'), (3, 'z'), (4, '?');
            """
        for (size, relation) in [("many: 20", "nodes { id } totalCount"), ("few: 5", "id"), ("one: optional", "id")] {
            let tails = "{to: tails, \(size), columns: {k: k2}, order: [id]}"
            let change = ("    sort: [k]\n", "    sort: [k]\n    relations:\n      tails: \(tails)\n")
            try await OddService.with(.mariaDB, script, describing: change) { service in
                let heads = try #require(service.catalogue["heads"])
                let isOne = size.hasPrefix("one")
                func list(_ ids: [Int]) -> String {
                    let rows = ids.map { #"{"id":\#($0),"k2":"\#($0 < 3 ? "é" : "z")"}"# }
                    return isOne ? rows.first ?? "null" : "[\(rows.joined(separator: ","))]"
                }
                let wanted = [("é", [1, 2]), ("z", [3]), ("日", [])].map { #"{"k":"\#($0)","tails":\#(list($1))}"# }
                let found = try await service.get(
                    heads, [("details", "tails"), ("tails.fields", "id,k2")] + (isOne ? [] : [("tails.first", "5")]))
                #expect(found.elements == wanted, "\(size)")
                let data = try await service.query("{ heads { nodes { k tails { \(relation) } } } }")
                #expect(
                    data.contains(
                        #"{"k":"日","tails":\#(isOne ? "null" : size.hasPrefix("few") ? "[]" : #"{"nodes":[],"totalCount":0}"#)}"#
                    ), "\(data)")
                guard !isOne else { return }
                #expect(try await service.get(heads, key: ["日"], relation: "tails").body == "[]")
                #expect(try await service.get(heads, key: ["é"], relation: "tails").elements.count == 2)
            }
        }
    }
}
