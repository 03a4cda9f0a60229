import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

/// Keys of groups from the row of a to-one relation with an intermediate table.
@Suite("Groups by a relation through another table") struct LinkedKeyTests {
    private static let script = """
        CREATE TABLE sites (id INTEGER NOT NULL PRIMARY KEY, town VARCHAR(20) NOT NULL);
        CREATE TABLE stays (person_id INTEGER NOT NULL, site_id INTEGER NOT NULL, since DATE NOT NULL,
            is_current INTEGER NOT NULL, PRIMARY KEY (person_id, site_id));
        CREATE TABLE bonuses (id INTEGER NOT NULL PRIMARY KEY, person_id INTEGER, amount INTEGER NOT NULL);
        INSERT INTO sites VALUES (1, 'Aix'), (2, 'Bonn'), (3, 'Cork');
        INSERT INTO stays VALUES (1, 1, '2020-01-01', 1), (2, 1, '2020-01-01', 1), (2, 2, '2023-01-01', 1),
            (2, 3, '2024-01-01', 0), (4, 3, '2020-01-01', 0);
        INSERT INTO bonuses VALUES (1, 1, 10), (2, 1, 20), (3, 2, 40), (4, 3, 80), (5, 4, 160), (6, NULL, 320);
        """

    private static let description = """
        duet: 1
        description: Bonuses.
        resources:
          sites:
            singular: site
            type: Site
            key: [id]
            fields:
              id: {type: int}
              town: {type: text, maxLength: 20}
          bonuses:
            singular: bonus
            type: Bonus
            key: [id]
            fields:
              id: {type: int}
              personId: {type: int, column: person_id, nullable: true}
              amount: {type: int}
            relations:
              site:
                to: sites
                one: optional
                through: [{table: stays, columns: {person_id: person_id}, where: {is_current: 1}}]
                columns: {site_id: id}
                order: [{through: 1, column: since, descending: true}]

        """

    private static func caller(_ role: String) -> JSONObject { ["sub": "ada", "role": .string(role)] }

    @Test(
        "The key is a field of the first related row, as in responses, so no row is counted twice",
        arguments: TestBackend.available)
    func keys(_ backend: TestBackend) async throws {
        var totals = Role.Read()
        totals.aggregates = true
        let near = Role.Read(where: .compare("town", .equal, ["Aix"]))
        let roles = [
            Role("all", reads: ["bonuses": totals, "sites": Role.Read()]),
            Role("near", reads: ["bonuses": totals, "sites": near]),
            Role("none", reads: ["bonuses": totals]),
        ]
        try await WritableShop.with(backend, roles: roles, script: Self.script, description: Self.description) { shop in
            let path = "/bonuses?group=site.town&aggregate=count,amount.sum"
            let groups = try await shop.send("GET", path, caller: Self.caller("all"))
            #expect(
                groups.body == """
                    [{"site.town":null,"count":3,"amount.sum":560},{"site.town":"Aix","count":2,"amount.sum":30},\
                    {"site.town":"Bonn","count":1,"amount.sum":40}]
                    """)
            let rows = try await shop.send("GET", "/bonuses?fields=id&details=site&id=3", caller: Self.caller("all"))
            #expect(rows.body == #"[{"id":3,"site":{"id":2,"town":"Bonn"}}]"#)
            let page = try await shop.send(
                "GET", path + ",amount.max&sort=-site.town&first=1", caller: Self.caller("all"))
            #expect(page.body == #"[{"site.town":"Bonn","count":1,"amount.sum":40,"amount.max":40}]"#)
            let link = page.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
            let next = try await shop.send("GET", link ?? "", caller: Self.caller("all"))
            #expect(next.body == #"[{"site.town":"Aix","count":2,"amount.sum":30,"amount.max":20}]"#)
            let graphQL = try await shop.execute(
                "{ bonusesGroups(groupBy: [{site: TOWN}, {site: ID}], filter: {id: {lt: 5}}) { "
                    + "nodes { key { site { town id } } count amount { avg } } } }", caller: Self.caller("all"))
            #expect(
                graphQL.compactText == """
                    {"data":{"bonusesGroups":{"nodes":[\
                    {"key":{"site":{"town":null,"id":null}},"count":1,"amount":{"avg":80}},\
                    {"key":{"site":{"town":"Aix","id":1}},"count":2,"amount":{"avg":15}},\
                    {"key":{"site":{"town":"Bonn","id":2}},"count":1,"amount":{"avg":40}}]}}}
                    """)
            // The first row that the role sees.
            let seen = try await shop.send("GET", path, caller: Self.caller("near"))
            #expect(
                seen.body == """
                    [{"site.town":null,"count":3,"amount.sum":560},{"site.town":"Aix","count":3,"amount.sum":70}]
                    """)
            let hidden = try await shop.send("GET", path, caller: Self.caller("none"))
            #expect(hidden.status == 400 && !hidden.body.contains("site.id"), "\(hidden.body)")
        }
    }
}
