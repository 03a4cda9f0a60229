import DuetResourceService
import TestSupport
import Testing

@Suite("Nested relations") struct NestedRelationTests {
    /// The planner may use the names of the columns `id`, `parent` and `node` for columns of its subqueries, too.
    private static let script = """
        CREATE TABLE nodes (id INTEGER NOT NULL PRIMARY KEY, parent INTEGER, name VARCHAR(10) NOT NULL,
            FOREIGN KEY (parent) REFERENCES nodes (id));
        CREATE TABLE tags (id INTEGER NOT NULL PRIMARY KEY, node INTEGER NOT NULL,
            FOREIGN KEY (node) REFERENCES nodes (id));
        INSERT INTO nodes VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 1, 'c'), (4, 2, 'd');
        INSERT INTO tags VALUES (10, 1), (20, 2), (21, 2), (40, 4), (30, 3);
        """

    @Test(
        "Nested rows belong to the correct intermediate row, even if columns have names that the planner uses",
        arguments: TestBackend.available)
    func levels(_ backend: TestBackend) async throws {
        try await OddService.with(backend, Self.script) { service in
            let nodes = try #require(service.catalogue["nodes"])
            let children = try #require(nodes.relations.first { $0.target == "nodes" && $0.isToMany }).name
            let rest = try await service.get(
                nodes,
                [
                    ("details", "\(children).tags"), ("fields", "id"), ("\(children).fields", "id"),
                    ("\(children).tags.fields", "id"), ("\(children).tags.first", "1"),
                ])
            #expect(
                rest.elements == [
                    #"{"id":1,"\#(children)":[{"id":2,"tags":[{"id":20}]},{"id":3,"tags":[{"id":30}]}]}"#,
                    #"{"id":2,"\#(children)":[{"id":4,"tags":[{"id":40}]}]}"#, #"{"id":3,"\#(children)":[]}"#,
                    #"{"id":4,"\#(children)":[]}"#,
                ])
            func tags(after: String) async throws -> String {
                let tags = "tags(first: 1\(after)) { nodes { id } pageInfo { endCursor } }"
                return try await service.query(
                    "{ nodes(first: 1) { nodes { \(children)(first: 1) { nodes { \(tags) } } } } }")
            }
            let first = try await tags(after: "")
            let cursor = try #require(first.firstMatch(of: /"endCursor":"([^"]+)"/)).1
            #expect(first.contains(#""nodes":[{"id":20}]"#))
            #expect(try await tags(after: ", after: \"\(cursor)\"").contains(#""nodes":[{"id":21}]"#))
        }
    }
}
