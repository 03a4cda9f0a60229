import DuetJSON
import DuetResourceService
import ProcessTesting
import TestSupport
import Testing

/// In another server, the key of a group showed a field that the role did not see (F-001).
@Suite("Hidden fields in groups") struct HiddenKeyTests {
    private static let script = """
        CREATE TABLE teams (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, budget INTEGER);
        CREATE TABLE staff (id INTEGER NOT NULL PRIMARY KEY, team_id INTEGER, name VARCHAR(20) NOT NULL,
            salary INTEGER NOT NULL, born DATE NOT NULL, FOREIGN KEY (team_id) REFERENCES teams (id));
        INSERT INTO teams VALUES (1, 'red', 777001), (2, 'blue', 777002);
        INSERT INTO staff VALUES (1, 1, 'Ada', 888001, '1955-05-05'), (2, 1, 'Bob', 888002, '1966-06-06'),
            (3, 2, 'Cleo', 888003, '1977-07-07');
        """

    private static let description = """
        duet: 1
        resources:
          teams:
            singular: team
            type: Team
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              budget: {type: int, nullable: true}
            relations:
              staff: {to: staff, many: 20, columns: {id: team_id}}
          staff:
            singular: person
            type: Person
            key: [id]
            fields:
              id: {type: int}
              teamId: {type: int, column: team_id, nullable: true}
              name: {type: text, maxLength: 20}
              salary: {type: int}
              born: {type: date}
            relations:
              team: {to: teams, one: optional, columns: {team_id: id}}

        """

    @Test(
        "F-001: a key that the role must not see is in no group, no aggregate, no condition and no order, as if it did not exist",
        arguments: TestBackend.available)
    func hiddenKeys(_ backend: TestBackend) async throws {
        func read(except hidden: [String]) -> Role.Read {
            var read = Role.Read(fields: .except(hidden))
            read.aggregates = true
            return read
        }
        let role = Role(
            "clerk", reads: ["staff": read(except: ["salary", "born"]), "teams": read(except: ["budget"])])
        try await WritableShop.with(
            backend, roles: [role], script: Self.script, description: Self.description
        ) { shop in
            let clerk: JSONObject = ["sub": "ada", "role": "clerk"]
            let having = "&having="
            for (query, hidden, absent) in [
                ("group=salary", "salary", "absent"), ("group=name,salary&aggregate=count", "salary", "absent"),
                ("group=born.year", "born", "absent"), ("group=born", "born", "absent"),
                ("group=team.budget", "budget", "absent"), ("group=name&aggregate=salary.max", "salary", "absent"),
                ("aggregate=salary.sum", "salary", "absent"), ("aggregate=born.min", "born", "absent"),
                ("group=name&aggregate=count\(having){\"salary.max\":{\"gt\":1}}", "salary", "absent"),
                ("group=name&aggregate=count\(having){\"salary\":{\"gt\":1}}", "salary", "absent"),
                ("group=name&sort=salary", "salary", "absent"),
                ("group=name&aggregate=count&sort=-salary.max", "salary", "absent"),
                ("group=name&filter={\"salary\":{\"gt\":1}}", "salary", "absent"),
                ("group=name&salary.gt=1", "salary", "absent"),
                ("group=name&aggregate=count&filter={\"team\":{\"budget\":{\"gt\":1}}}", "budget", "absent"),
            ] {
                func send(_ query: String) async throws -> HTTPAnswer {
                    try await shop.send("GET", "/staff?\(query.escaped)", caller: clerk)
                }
                let answer = try await send(query)
                let other = try await send(query.replacing(hidden, with: absent))
                #expect(answer.status == 400 && other.status == 400, "\(query): \(answer.body)")
                #expect(answer.body.replacing(hidden, with: absent) == other.body, "\(query)")
                #expect(!answer.body.contains("888") && !answer.body.contains("777"), "\(answer.body)")
            }
            for (document, hidden) in [
                ("{ staffGroups(groupBy: [{salary: VALUE}]) { nodes { count } } }", "salary"),
                ("{ staffGroups(groupBy: [{born: YEAR}]) { nodes { count } } }", "born"),
                ("{ staffGroups(groupBy: [{name: VALUE}]) { nodes { key { salary } } } }", "salary"),
                ("{ staffGroups(groupBy: [{team: BUDGET}]) { nodes { count } } }", "BUDGET"),
                (
                    "{ staffGroups(groupBy: [{name: VALUE}], having: {salary: {max: {gt: 1}}}) { nodes { count } } }",
                    "salary"
                ),
                (
                    "{ staffGroups(groupBy: [{name: VALUE}], orderBy: [{aggregate: {salary: MAX}}]) { nodes { count } } }",
                    "salary"
                ),
                (
                    "{ staffGroups(groupBy: [{name: VALUE}], orderBy: [{key: {salary: VALUE}}]) { nodes { count } } }",
                    "salary"
                ),
                ("{ staffAggregate { salary { sum } } }", "salary"),
                ("{ teams { nodes { staffAggregate { salary { sum } } } } }", "salary"),
                ("{ __type(name: \"PersonAggregateKeyInput\") { inputFields { name } } }", ""),
                ("{ __type(name: \"PersonAggregate\") { fields { name } } }", ""),
                ("{ __type(name: \"TeamAggregateKeyField\") { enumValues { name } } }", ""),
            ] {
                let answer = try await shop.execute(document, caller: clerk).compactText
                guard !hidden.isEmpty else {
                    for name in ["salary", "born", "BUDGET"] { #expect(!answer.contains(name), "\(answer)") }
                    continue
                }
                // The name has the length of the hidden one, because the error has the position of the next token.
                let absent = String(repeating: hidden.first?.isUppercase == true ? "Q" : "q", count: hidden.count)
                let other = try await shop.execute(document.replacing(hidden, with: absent), caller: clerk).compactText
                #expect(answer.contains(#""errors""#), "\(answer)")
                #expect(answer.replacing(hidden, with: absent) == other, "\(document)")
                #expect(!answer.contains("888") && !answer.contains("777"), "\(answer)")
            }
            let related = try await shop.send(
                "GET", "/teams?details=staff&staff.first=0&staff.aggregate=count,salary.max", caller: clerk)
            #expect(related.status == 400 && !related.body.contains("888"), "\(related.body)")
            // A cursor contains only keys that the role sees.
            let page = try await shop.send("GET", "/staff?group=name,team.name&first=1", caller: clerk)
            #expect(page.body == #"[{"name":"Ada","team.name":"red"}]"#)
            let schema = try await shop.send("GET", "/schema.graphql", caller: clerk)
            for name in ["salary", "born", "budget", "BUDGET"] { #expect(!schema.body.contains(name)) }
        }
    }
}

extension String {
    /// The query string with escaped braces and quotes.
    fileprivate var escaped: String {
        replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("\"", with: "%22")
    }
}
