import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Groups and aggregates over REST") struct GroupTests {
    @Test("Without group, the aggregates of all rows are one object", arguments: TestBackend.available)
    func all(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let names = "count,total.sum,total.avg,total.min,total.max,amount.count,amount.sum,amount.avg,isPaid.sum"
            let answer = try await shop.send(
                "GET", "/orders?aggregate=\(names),note.countDistinct,note.max,orderedOn.min")
            #expect(
                answer.body == """
                    {"count":7,"total.sum":"1036.85","total.avg":"148.121429","total.min":"0.10","total.max":"1000.50",\
                    "amount.count":6,"amount.sum":25,"amount.avg":4.1667,"isPaid.sum":4,"note.countDistinct":3,\
                    "note.max":"soon","orderedOn.min":"2024-01-31"}
                    """)
            let none = try await shop.send("GET", "/orders?id.lt=0&aggregate=count,total.sum,total.avg,note.min")
            #expect(none.body == #"{"count":0,"total.sum":null,"total.avg":null,"note.min":null}"#)
            let related = try await shop.send("GET", "/customers/1/orders?aggregate=count,total.sum")
            #expect(related.body == #"{"count":2,"total.sum":"0.30"}"#)
            #expect(try await shop.send("GET", "/customers/9/orders?aggregate=count").status == 404)
        }
    }

    @Test(
        "Groups have keys of the rows and of to-one relations, and NULL is a group, the first one",
        arguments: TestBackend.available)
    func keys(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let answer = try await shop.send("GET", "/orders?group=customer.country,isPaid&aggregate=count,total.sum")
            #expect(
                answer.body == """
                    [{"customer.country":null,"isPaid":false,"count":1,"total.sum":"7.00"},\
                    {"customer.country":null,"isPaid":true,"count":1,"total.sum":"8.00"},\
                    {"customer.country":"DE","isPaid":true,"count":2,"total.sum":"1020.50"},\
                    {"customer.country":"FR","isPaid":false,"count":2,"total.sum":"1.25"},\
                    {"customer.country":"FR","isPaid":true,"count":1,"total.sum":"0.10"}]
                    """)
            let plain = try await shop.send("GET", "/orders?group=note")
            #expect(plain.body == #"[{"note":null},{"note":"gift"},{"note":"late"},{"note":"soon"}]"#)
        }
    }

    @Test(
        "Parts of dates are keys, those of points in time in a time zone",
        arguments: TestBackend.available)
    func dates(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let months = try await shop.send("GET", "/orders?group=orderedOn.year,orderedOn.quarter&aggregate=count")
            #expect(
                months.body == """
                    [{"orderedOn.year":2024,"orderedOn.quarter":"2024-Q1","count":3},\
                    {"orderedOn.year":2024,"orderedOn.quarter":"2024-Q4","count":1},\
                    {"orderedOn.year":2025,"orderedOn.quarter":"2025-Q1","count":3}]
                    """)
            let path = "/orders?group=placedAt.month&aggregate=count&count=true&first=2&sort=-placedAt.month"
            let utc = try await shop.send("GET", path)
            #expect(utc.body == #"[{"placedAt.month":"2025-03","count":1},{"placedAt.month":"2024-12","count":2}]"#)
            #expect(utc.headers.first(name: "Total-Count") == "5")
            let paris = try await shop.send("GET", path + "&timeZone=Europe/Paris")
            #expect(paris.body == #"[{"placedAt.month":"2025-03","count":1},{"placedAt.month":"2025-01","count":1}]"#)
            let link = paris.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
            let next = try await shop.send("GET", link ?? "")
            #expect(next.body == #"[{"placedAt.month":"2024-12","count":1},{"placedAt.month":"2024-03","count":1}]"#)
            let graphQL = try await shop.execute(
                """
                { ordersGroups(groupBy: [{placedAt: DAY}, {orderedOn: WEEK}], filter: {id: {lt: 12}},
                    timeZone: "Europe/Paris") {
                    nodes { key { placedAt { day month value } orderedOn { week } note } count } } }
                """)
            #expect(
                graphQL.compactText == """
                    {"data":{"ordersGroups":{"nodes":[{"key":{"placedAt":{"day":"2024-02-01","month":null,"value":null},\
                    "orderedOn":{"week":"2024-W05"},"note":null},"count":2}]}}}
                    """)
            let wrong = try await shop.send("GET", "/orders?group=placedAt.month&timeZone=Europe/Atlantis")
            #expect(wrong.status == 400 && wrong.body.contains("Europe/Atlantis"), "\(wrong.body)")
        }
    }

    @Test(
        "Groups are ordered by keys and aggregates, selected by a condition, and read in pages",
        arguments: TestBackend.available)
    func pages(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let having =
                "having=%7B%22count%22%3A%7B%22gte%22%3A1%7D%2C%22total.sum%22%3A%7B%22lt%22%3A%221000%22%7D%7D"
            for sort in ["-total.sum", "total.sum", "-count,-customerId", "customerId", "-customerId"] {
                let path = "/orders?group=customerId&aggregate=count,total.sum&\(having)&sort=\(sort)"
                let whole = try await shop.send("GET", path).json
                guard case .array(let groups) = whole else { return #expect(whole == [], "\(sort)") }
                #expect(groups.count == 4, "\(whole)")
                var paged: [JSONValue] = []
                var next: String? = path + "&first=1&count=true"
                while let target = next, paged.count <= groups.count {
                    let answer = try await shop.send("GET", target)
                    #expect(answer.headers.first(name: "Total-Count") == "4", "\(answer)")
                    guard case .array(let page) = try answer.json else { break }
                    paged += page
                    next = answer.headers.first(name: "Link").map { String($0.dropFirst().prefix { $0 != ">" }) }
                }
                #expect(paged == groups, "\(sort)")
            }
            let csv = try await shop.server.send(
                "GET", "/orders?group=customerId&aggregate=total.sum", ["Accept": "text/csv"])
            #expect(csv.body == "customerId,total.sum\r\n,8.00\r\n1,0.30\r\n2,1020.50\r\n3,7.00\r\n4,1.05\r\n")
        }
    }

    @Test(
        "The aggregates of a relation are a member of each row, and one statement reads those of all rows",
        arguments: TestBackend.available)
    func relations(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            let path = "/customers?fields=id&details=orders&orders.aggregate=count,total.sum&orders.note.null=false"
            let answer = try await shop.send("GET", path + "&orders.first=0")
            #expect(
                answer.body == """
                    [{"id":1,"ordersAggregate":{"count":1,"total.sum":"0.10"}},\
                    {"id":2,"ordersAggregate":{"count":2,"total.sum":"1020.50"}},\
                    {"id":3,"ordersAggregate":{"count":0,"total.sum":null}},\
                    {"id":4,"ordersAggregate":{"count":1,"total.sum":"1.05"}}]
                    """)
            let timing = answer.headers.first(name: "Server-Timing") ?? ""
            #expect(timing.contains("desc=\"2\""), "\(timing)")
            let both = try await shop.send("GET", path + "&orders.first=1&orders.fields=id&id=2")
            #expect(
                both.body == #"[{"id":2,"orders":[{"id":12}],"ordersAggregate":{"count":2,"total.sum":"1020.50"}}]"#)
            let one = try await shop.execute(
                """
                { customer(id: 1) { ordersAggregate { count total { sum } } }
                  customers { nodes { ordersAggregate(filter: {isPaid: {eq: true}}) { count isPaid { sum } } } } }
                """)
            #expect(
                one.compactText == """
                    {"data":{"customer":{"ordersAggregate":{"count":2,"total":{"sum":"0.30"}}},"customers":{"nodes":[\
                    {"ordersAggregate":{"count":1,"isPaid":{"sum":1}}},{"ordersAggregate":{"count":2,"isPaid":{"sum":2}}},\
                    {"ordersAggregate":{"count":0,"isPaid":{"sum":0}}},{"ordersAggregate":{"count":0,"isPaid":{"sum":0}}}]}}}
                    """)
            let empty = try await shop.send("GET", "/customers?details=orders&orders.first=0")
            #expect(empty.status == 400 && empty.body.contains("requires orders.aggregate"), "\(empty.body)")
        }
    }

    @Test("A request for groups with an error names the valid values", arguments: TestBackend.available)
    func errors(_ backend: TestBackend) async throws {
        try await SalesShop.with(backend) { shop in
            for (query, parameter, part) in [
                ("aggregate=total.median", "aggregate", "total.sum"), ("aggregate=note.sum", "aggregate", "note.min"),
                ("aggregate=orderedOn.avg", "aggregate", "orderedOn.min"),
                ("aggregate=", "aggregate", "aggregate=count"),
                ("aggregate=nothing.sum", "aggregate", "amount.sum"), ("group=nothing", "group", "customer.country"),
                ("group=note,note", "group", "twice"), ("aggregate=count,count", "aggregate", "twice"),
                ("group=id,customerId,note,amount,isPaid", "group", "at most 4"),
                ("group=note&having=%7B%22count%22%3A%7B%22gt%22%3A1%7D%7D", "having", "and, or, not"),
                ("aggregate=count&having=%7B%22count%22%3A%7B%22gt%22%3A1%7D%7D", "having", "requires group"),
                (
                    "group=note&aggregate=count&having=%7B%22count%22%3A%7B%22gt%22%3A%22x%22%7D%7D", "having.count.gt",
                    "whole number"
                ),
                ("group=note&having=1", "having", "JSON object"),
                ("group=note&sort=count", "sort", "valid values are note"),
                ("aggregate=count&first=3", "first", "requires group"), ("group=note&first=0", "first", "from 1"),
                ("group=note&fields=id", "fields", "remove fields"), ("group=note&after=x", "after", "cursor"),
            ] {
                let answer = try await shop.send("GET", "/orders?\(query)")
                let problem = try answer.json
                #expect(answer.status == 400 && answer.body.contains(part), "\(query): \(answer.body)")
                #expect(problem["parameter"] == .string(parameter), "\(query): \(answer.body)")
            }
        }
    }
}
