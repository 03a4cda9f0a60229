import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Entity tags of aggregates") struct GroupTagTests {
    private static let targets: [String] = [
        "/orders?aggregate=count,total.sum", "/orders?group=note&aggregate=total.sum&first=2&count=true",
        "/orders?group=orderedOn.month&aggregate=count,total.sum&having=%7B%22count%22%3A%7B%22gt%22%3A0%7D%7D",
        "/customers?details=orders&orders.first=0&orders.aggregate=total.sum",
        "/graphql?query=" + "{ ordersAggregate { count total { sum } } }".queryValue,
        "/graphql?query="
            + "{ ordersGroups(groupBy: [{note: VALUE}]) { nodes { key { note } total { sum } } } }".queryValue,
    ]

    @Test(
        "The aggregates of a GET have an entity tag, which changes with the values, and differs by role",
        arguments: TestBackend.available)
    func tags(_ backend: TestBackend) async throws {
        func read(_ filter: Filter = .everything) -> Role.Read {
            var read = Role.Read(where: filter)
            read.aggregates = true
            return read
        }
        let all = ["orders": read(), "customers": read()]
        let paid = ["orders": read(.compare("isPaid", .equal, [1])), "customers": read()]
        try await SalesShop.with(backend, roles: [Role("analyst", reads: all), Role("clerk", reads: paid)]) { shop in
            func get(_ target: String, _ role: String, tag: String? = nil) async throws -> HTTPAnswer {
                let token = TestToken(["sub": "ada", "role": .string(role)]).field
                return try await shop.server.get(
                    target, tag.map { token.merging(["If-None-Match": $0]) { $1 } } ?? token)
            }
            var tags: [String: String] = [:]
            for target in Self.targets {
                let answer = try await get(target, "analyst")
                let tag = try #require(answer.headers.first(name: "ETag"), "\(target): \(answer.body)")
                tags[target] = tag
                let unchanged = try await get(target, "analyst", tag: tag)
                #expect(unchanged.status == 304 && unchanged.body.isEmpty, "\(target)")
                let clerk = try await get(target, "clerk")
                #expect(clerk.headers.first(name: "ETag") != tag, "\(target)")
                #expect(try await get(target, "clerk", tag: tag).status == 200, "\(target)")
            }
            // A change of another column changes no value.
            try await shop.database.write {
                try $0.executeScript("UPDATE orders SET placed_at = NULL WHERE id = 10")
            }
            for (target, tag) in tags { #expect(try await get(target, "analyst", tag: tag).status == 304, "\(target)") }
            try await shop.database.write { try $0.executeScript("UPDATE orders SET total = total + 1 WHERE id = 10") }
            for (target, tag) in tags {
                let answer = try await get(target, "analyst", tag: tag)
                #expect(answer.status == 200 && answer.headers.first(name: "ETag") != tag, "\(target)")
            }
        }
    }
}
