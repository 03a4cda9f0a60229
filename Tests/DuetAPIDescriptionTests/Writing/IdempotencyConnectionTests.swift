import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import ProcessTesting
import SeededTesting
import TestSupport
import Testing

@Suite("Idempotency keys and lost connections") struct IdempotencyConnectionTests {
    @Test(
        "If connections are cut anywhere, each write that is repeated until it is answered has its effect once",
        arguments: TestBackend.available)
    func cuts(_ backend: TestBackend) async throws {
        for seed in TestScale.seeds(1) {
            try await NestedShop.with(backend) { shop in
                try await IdempotencyTable.create(in: shop.database)
                try await CuttingProxy.with(Int(shop.server.port) ?? 0, seed: seed) { proxy in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for client in 0..<4 {
                            group.addTask {
                                for number in 0..<10 {
                                    try await Self.write("\(client)-\(number)", isGraphQL: number % 2 == 1, proxy)
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    let places = CuttingProxy.Cut.allCases.filter { proxy.cuts[$0] == nil }
                    #expect(places.isEmpty, "seed \(seed)")
                }
                let notes = (0..<4).flatMap { client in (0..<10).map { "\(client)-\($0)" } }
                #expect(try await Self.notes(shop.database) == notes.sorted(), "seed \(seed)")
            }
        }
    }

    /// Sends a write until it is answered.
    private static func write(_ name: String, isGraphQL: Bool, _ proxy: CuttingProxy) async throws {
        let row: JSONValue = [
            "customerId": 1, "note": .string(name), "orderDetails": [["productId": 11, "quantity": 1]],
        ]
        let operation: JSONValue = [
            "query":
                "mutation($input: CreateOrderInput!) { createOrder(input: $input) { order { note } errors { message } } }",
            "variables": ["input": row], "extensions": ["idempotencyKey": .string(name)],
        ]
        for _ in 0..<200 {
            let answer =
                isGraphQL
                ? try? await proxy.send("POST", "/graphql", body: operation.compactText)
                : try? await proxy.send(
                    "POST", "/orders?fields=note", ["Idempotency-Key": "\"\(name)\""], body: row.compactText)
            guard let answer else { continue }
            let isInUse = answer.status == 409 || answer.body.contains("IDEMPOTENCY_KEY_IN_USE")
            if isInUse { continue }
            let expected =
                isGraphQL
                ? #"{"data":{"createOrder":{"order":{"note":"\#(name)"},"errors":[]}}}"# : #"{"note":"\#(name)"}"#
            #expect(answer.body == expected)
            return
        }
        Issue.record("\(name) was not answered")
    }

    /// Returns the note of each order of the test, once for each detail.
    private static func notes(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            let rows = try connection.query(
                """
                SELECT note FROM orders LEFT JOIN order_details ON order_id = id
                WHERE note LIKE '%-%' ORDER BY note
                """)
            var notes: [String] = []
            while try rows.next() { notes.append(rows.text(at: 0)) }
            return notes
        }
    }
}
