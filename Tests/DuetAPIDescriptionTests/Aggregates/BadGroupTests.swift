import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Requests for groups with errors, in both styles") struct BadGroupTests {
    @Test("A request with an error is 400 and names the valid values, over REST", arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let other = try await shop.send("GET", "/orders?group=note&aggregate=count&first=1")
            let link = other.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) } ?? ""
            let cursor = link.split(separator: "&").first { $0.hasPrefix("after=") } ?? ""
            #expect(!cursor.isEmpty)
            let long = String(repeating: "k", count: 1 << 20)
            for (query, parts) in [
                // An unknown function, field or part.
                ("aggregate=total.median", ["total.sum", "total.avg"]), ("aggregate=nothing.sum", ["total.sum"]),
                ("group=nothing", ["note", "customer.country", "orderedOn.month"]),
                ("group=customer.nothing", ["customer.country"]), ("group=orderedOn.hour", ["orderedOn.weekday"]),
                ("group=orderedOn.century", ["orderedOn.year"]), ("group=note.month", ["placedAt.month"]),
                // Functions that the type does not have.
                ("aggregate=note.sum", ["note.min"]), ("aggregate=note.avg", ["note.countDistinct"]),
                ("aggregate=orderedOn.sum", ["orderedOn.max"]), ("aggregate=isPaid.avg", ["isPaid.sum"]),
                // Repeated and too many keys.
                ("group=note,note", ["twice"]), ("group=orderedOn.month,note,orderedOn.month", ["twice"]),
                ("group=id,customerId,note,amount,isPaid", ["at most 4"]),
                // A condition or an order on values that the request does not have.
                ("group=note&aggregate=count&having={\"total.sum\":{\"gt\":1}}", ["count, and, or, not"]),
                ("group=note&aggregate=count&having={\"note\":{\"eq\":\"a\"}}", ["count, and, or, not"]),
                ("group=note&aggregate=count&having={\"count\":{\"between\":1}}", ["gte"]),
                ("group=note&aggregate=count&having={\"count\":{}}", ["empty"]),
                ("group=note&aggregate=count&sort=total.sum", ["valid values are note, count"]),
                // A time zone that does not exist.
                ("group=placedAt.month&timeZone=Mars/Olympus", ["Mars/Olympus"]),
                ("group=placedAt.month&timeZone=../../etc/passwd", ["time zone"]),
                ("group=placedAt.month&timeZone=", ["time zone"]),
                // No groups on a page.
                ("group=note&first=0", ["from 1"]), ("group=note&first=-1", ["from 1"]),
                // A cursor of another grouping, condition or order.
                ("group=note&aggregate=count&sort=-note&first=1&\(cursor)", ["cursor"]),
                ("group=isPaid&aggregate=count&first=1&\(cursor)", ["cursor"]),
                ("group=note&aggregate=count&first=1&isPaid=true&\(cursor)", ["cursor"]),
                ("group=note&aggregate=count&first=1&having={\"count\":{\"gt\":0}}&\(cursor)", ["cursor"]),
                ("first=1&\(cursor)", ["cursor"]), ("group=note&first=1&after=\(long.prefix(9_000))", ["cursor"]),
                ("group=\(long.prefix(8_000))", ["customer.country"]),
            ] {
                let escaped = query.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("\"", with: "%22")
                let answer = try await shop.send("GET", "/orders?\(escaped)")
                #expect(answer.status == 400, "\(query.prefix(200)): \(answer.body)")
                for part in parts { #expect(answer.body.contains(part), "\(query.prefix(200)): \(answer.body)") }
            }
            // A request line of a megabyte ends before the parameters are read.
            let answer = try await shop.send("GET", "/orders?group=\(long)")
            #expect(answer.status == 414, "\(answer.body)")
        }
    }

    @Test(
        "A request with an error has no data and names the valid values, over GraphQL", arguments: TestBackend.available
    )
    func graphQL(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            func groups(_ arguments: String, _ selection: String = "count") -> String {
                "{ ordersGroups(\(arguments)) { nodes { \(selection) } pageInfo { endCursor } } }"
            }
            let first = try await shop.execute(groups("groupBy: [{note: VALUE}], first: 1"))
            guard case .string(let cursor)? = first["data"]?["ordersGroups"]?["pageInfo"]?["endCursor"] else {
                return #expect(first == [:])
            }
            let after = "first: 1, after: \"\(cursor)\""
            let long = String(repeating: "k", count: 1 << 20)
            for (document, part) in [
                (groups("groupBy: [{note: VALUE}]", "total { median }"), "median"),
                (groups("groupBy: [{note: VALUE}]", "note { sum }"), "sum"),
                (groups("groupBy: [{note: VALUE}]", "orderedOn { avg }"), "avg"),
                (groups("groupBy: [{nothing: VALUE}]"), "nothing"),
                (groups("groupBy: [{customer: NOTHING}]"), "NOTHING"),
                (groups("groupBy: [{orderedOn: HOUR}]"), "HOUR"), (groups("groupBy: [{note: MONTH}]"), "MONTH"),
                (groups("groupBy: [{note: VALUE, isPaid: VALUE}]"), "OrderAggregateKeyInput"),
                (groups("groupBy: [{note: VALUE}, {note: VALUE}]"), "twice"), (groups("groupBy: []"), "1 to 4"),
                (
                    groups(
                        "groupBy: [{id: VALUE}, {customerId: VALUE}, {note: VALUE}, {amount: VALUE}, {isPaid: VALUE}]"),
                    "1 to 4"
                ),
                (groups("groupBy: [{note: VALUE}], having: {note: {sum: {gt: 1}}}"), "sum"),
                (groups("groupBy: [{note: VALUE}], having: {}"), "empty"),
                (groups("groupBy: [{note: VALUE}], having: {count: {}}"), "empty"),
                (groups("groupBy: [{note: VALUE}], having: {nothing: {count: {gt: 1}}}"), "nothing"),
                (groups("groupBy: [{note: VALUE}], orderBy: [{key: {isPaid: VALUE}}]"), "the keys are note"),
                (groups("groupBy: [{note: VALUE}], orderBy: [{}]"), "either a key or an aggregate"),
                (groups("groupBy: [{placedAt: MONTH}], timeZone: \"Mars/Olympus\""), "Mars/Olympus"),
                (groups("groupBy: [{note: VALUE}], first: 0"), "first"),
                (groups("groupBy: [{isPaid: VALUE}], \(after)"), "cursor"),
                (
                    groups(
                        "groupBy: [{note: VALUE}], orderBy: [{key: {note: VALUE}, direction: DESCENDING}], \(after)"),
                    "cursor"
                ),
                (groups("groupBy: [{note: VALUE}], having: {count: {gt: 0}}, \(after)"), "cursor"),
                (groups("groupBy: [{note: VALUE}], filter: {isPaid: {eq: true}}, \(after)"), "cursor"),
                (groups("groupBy: [{note: VALUE}], first: 1, after: \"\(long.prefix(9_000))\""), "cursor"),
                ("{ ordersAggregate(groupBy: []) { count } }", "groupBy"),
            ] {
                let answer = try await shop.execute(document)
                let data = answer["data"]?["ordersGroups"] ?? .null
                #expect(data == .null, "\(document.prefix(300)): \(answer)")
                let errors = answer["errors"]?.compactText ?? ""
                #expect(errors.contains(part), "\(document.prefix(300)): \(answer)")
            }
            let answer = try await shop.send(
                "POST", "/graphql", ["query": .string(groups("groupBy: [{\(long): VALUE}]"))])
            #expect([400, 413].contains(answer.status), "\(answer.status)")
        }
    }

    @Test("A text of a megabyte is no key of a group, in both styles", arguments: TestBackend.available)
    func longKeys(_ backend: TestBackend) async throws {
        let (type, text) =
            backend == .sqlite
            ? ("TEXT", "replace(hex(zeroblob(524288)), '00', 'xx')") : ("LONGTEXT", "REPEAT('x', 1048576)")
        let script = """
            CREATE TABLE pages (id INTEGER NOT NULL PRIMARY KEY, body \(type) NOT NULL);
            INSERT INTO pages VALUES (1, \(text)), (2, 'short'), (3, 'short');
            """
        let description = """
            duet: 1
            resources:
              pages:
                singular: page
                type: Page
                key: [id]
                fields:
                  id: {type: int}
                  body: {type: text}

            """
        try await WritableShop.with(backend, script: script, description: description) { shop in
            let reason = "pages.body has texts of more than 255 characters"
            for accept in ["application/json", "text/csv"] {
                let answer = try await shop.server.get("/pages?group=body&aggregate=count", ["Accept": accept])
                #expect(answer.status == 400 && answer.body.contains(reason), "\(answer.body.prefix(300))")
            }
            let errors = try await shop.execute(
                "{ pagesGroups(groupBy: [{body: VALUE}]) { nodes { count } pageInfo { endCursor } } }")
            #expect(errors.compactText.contains(reason), "\(errors.compactText.prefix(300))")
            let other = try await shop.send("GET", "/pages?group=body&aggregate=count&id.ne=1&first=1")
            #expect(other.body == #"[{"body":"short","count":2}]"#)
            let all = try await shop.send("GET", "/pages?aggregate=body.count,body.countDistinct,body.min")
            #expect(all.body == #"{"body.count":3,"body.countDistinct":2,"body.min":"short"}"#)
        }
    }
}
