import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

/// Writes that meet hidden rows. Their responses have no value that only hidden rows and fields have.
@Suite("Writes that meet hidden rows") struct HiddenRowTests {
    private static let script = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, email VARCHAR(40),
            region VARCHAR(10) NOT NULL, badge VARCHAR(20) DEFAULT 'badge-zeta', UNIQUE (email), UNIQUE (badge));
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER, note VARCHAR(20),
            region VARCHAR(10) NOT NULL, FOREIGN KEY (customer_id) REFERENCES customers (id));
        CREATE TABLE visits (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, remark VARCHAR(20),
            FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE);
        CREATE TABLE gifts (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER, region VARCHAR(10) NOT NULL,
            FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE SET NULL);
        INSERT INTO customers VALUES (1, 'Ada', 'ada@example.org', 'west', 'b1'), (2, 'Bob', NULL, 'west', 'b2'),
            (3, 'Cleo', NULL, 'west', 'b3'), (4, 'Dan', NULL, 'west', 'b4'),
            (7001, 'Zorro', 'zorro@example.org', 'east', 'badge-zeta');
        INSERT INTO orders VALUES (10, 1, 'first', 'west'), (7101, 2, 'zulu', 'east'), (7102, 7001, 'zebra', 'east');
        INSERT INTO visits VALUES (7201, 3, 'zinc');
        INSERT INTO gifts VALUES (7301, 4, 'east');
        """

    private static let description = """
        duet: 1
        resources:
          customers:
            singular: customer
            type: Customer
            key: [id]
            writes: all
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              email: {type: text, maxLength: 40, nullable: true}
              region: {type: text, maxLength: 10}
              badge: {type: text, maxLength: 20, nullable: true, absent: default}
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}
              visits: {to: visits, many: 20, columns: {id: customer_id}}
          orders:
            singular: order
            type: Order
            key: [id]
            writes: all
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id, nullable: true}
              note: {type: text, maxLength: 20, nullable: true}
              region: {type: text, maxLength: 10}
            relations:
              customer: {to: customers, one: optional, columns: {customer_id: id}}
          visits:
            singular: visit
            type: Visit
            key: [id]
            writes: all
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id}
              remark: {type: text, maxLength: 20, nullable: true}
          gifts:
            singular: gift
            type: Gift
            key: [id]
            writes: all
            fields:
              id: {type: int}
              customerId: {type: int, column: customer_id, nullable: true}
              region: {type: text, maxLength: 10}

        """

    /// The values that only hidden rows have, and the names of the hidden fields and tables.
    private static let markers = [
        "7001", "7101", "7102", "7201", "7301", "zorro", "east", "zulu", "zebra", "zinc", "badge", "visit", "remark",
        "constraint", "sqlite", "foreign",
    ]

    private static let role: Role = {
        let west = Filter.compare("region", .equal, [.value(.text("west"))])
        func writes(_ fields: [String]) -> Role.Writes {
            let set: [String: Operand] = ["region": .value(.text("west"))]
            return .init(
                create: .init(fields: .only(["id"] + fields), set: set), update: .init(fields: .only(fields)),
                delete: .init())
        }
        return Role(
            "clerk",
            reads: [
                "customers": .init(fields: .except(["badge"]), where: west), "orders": .init(where: west),
                "gifts": .init(where: west),
            ],
            writes: [
                "customers": writes(["name", "email"]), "orders": writes(["customerId", "note"]),
                "gifts": writes(["customerId"]),
            ])
    }()

    /// A request with the expected status. If `isMissing` is true, the response equals that for a row that does not
    /// exist.
    private struct Request {
        var method: String
        var path: String
        var body: String?
        var status: Int
        var isMissing = false
        var fields: [String: String] = [:]
    }

    private static func request(
        _ method: String, _ path: String, _ body: String?, _ status: Int, isMissing: Bool = false,
        _ fields: [String: String] = [:]
    ) -> Request {
        Request(method: method, path: path, body: body, status: status, isMissing: isMissing, fields: fields)
    }

    private static let requests = [
        // Conflicts.
        request("POST", "/customers", #"{"id":7001,"name":"x"}"#, 409),
        request("POST", "/customers", #"[{"id":5,"name":"x","email":"zorro@example.org"}]"#, 409),
        request("POST", "/customers", #"{"id":5,"name":"x"}"#, 409),
        request("PATCH", "/customers/1", #"{"email":"zorro@example.org"}"#, 409),
        request("PATCH", "/customers?id=1", #"{"email":"zorro@example.org"}"#, 409),
        request("PUT", "/customers/7001", #"{"name":"x"}"#, 409),
        request("PUT", "/customers/7001", #"{"name":"x"}"#, 409, ["If-None-Match": "*"]),
        request("PATCH", "/customers/1", #"{"orders":{"create":[{"id":7101}]}}"#, 409),
        request(
            "POST", "/customers", "{\"id\":7001,\"name\":\"x\"}\n", 409, ["Content-Type": "application/x-ndjson"]),
        request(
            "POST", "/customers", "id,name,email\n5,x,zorro@example.org\n", 409, ["Content-Type": "text/csv"]),
        request(
            "POST", "/batch",
            #"{"requests":[{"method":"PATCH","path":"/customers/1","body":{"name":"x"}},"#
                + #"{"method":"PATCH","path":"/customers?id=1","body":{"email":"zorro@example.org"}}]}"#, 409),
        // References.
        request("POST", "/orders", #"{"id":11,"customerId":7001}"#, 422, isMissing: true),
        request("POST", "/orders", #"[{"id":11,"customerId":1},{"id":12,"customerId":7001}]"#, 422, isMissing: true),
        request("PATCH", "/orders/10", #"{"customerId":7001}"#, 422, isMissing: true),
        request("PATCH", "/orders?id.gt=0", #"{"customerId":7001}"#, 422, isMissing: true),
        request("PUT", "/orders/12", #"{"customerId":7001}"#, 422, isMissing: true),
        request("POST", "/orders", "id,customerId\n11,7001\n", 422, isMissing: true, ["Content-Type": "text/csv"]),
        // Rows that do not exist for the caller.
        request("PATCH", "/customers/7001", #"{"name":"x"}"#, 404, isMissing: true),
        request("PATCH", "/customers/7001", #"{"name":"x"}"#, 404, isMissing: true, ["If-Match": "*"]),
        request("PUT", "/customers/7001", #"{"name":"x"}"#, 412, isMissing: true, ["If-Match": "*"]),
        request("DELETE", "/customers/7001", nil, 404, isMissing: true),
        request("PATCH", "/customers?id=7001", #"{"name":"x"}"#, 200, isMissing: true),
        request("DELETE", "/customers?id=7001", nil, 200, isMissing: true),
        request("POST", "/customers/7001/orders", #"{"id":11}"#, 404, isMissing: true),
        request("PATCH", "/customers/2", #"{"orders":{"update":[{"id":7101,"note":"x"}]}}"#, 404),
        request("PATCH", "/customers/2", #"{"orders":{"delete":[{"id":7101}]}}"#, 404),
        request("POST", "/visits", #"{"id":1,"customerId":1}"#, 404),
        request("PATCH", "/customers/1", #"{"visits":{"create":[{"id":1}]}}"#, 422),
        request("PATCH", "/customers/1", #"{"badge":"x"}"#, 422),
        request("PATCH", "/customers?badge=x", #"{"name":"x"}"#, 400),
        // The effects of the removal of a row on hidden rows.
        request("DELETE", "/customers/2", nil, 409),
        request("DELETE", "/customers/3", nil, 409),
        request("DELETE", "/customers/4", nil, 409),
        request("DELETE", "/customers?id.gt=0&max=4", nil, 409),
        // Numbers of rows.
        request("PATCH", "/customers?id.gt=0&max=4", #"{"name":"x"}"#, 200),
        request("PATCH", "/customers?id.gt=0&max=3", #"{"name":"x"}"#, 409),
        request("PATCH", "/customers/2?details=orders", #"{"name":"x"}"#, 200),
    ]

    /// Mutation fields with the type of the error; nil if there is none.
    private static let fields: [(String, String?)] = [
        (#"createCustomer(input: {id: 7001, name: "x"})"#, "ConflictError"),
        (#"createCustomers(inputs: [{id: 5, name: "x", email: "zorro@example.org"}])"#, "ConflictError"),
        (#"updateCustomer(id: 1, patch: {email: "zorro@example.org"})"#, "ConflictError"),
        (#"upsertCustomer(input: {id: 7001, name: "x"})"#, "ConflictError"),
        (#"createOrder(input: {id: 11, customerId: 7001})"#, "InvalidInputError"),
        (#"updateOrder(id: 10, patch: {customerId: 7001})"#, "InvalidInputError"),
        (#"updateCustomer(id: 7001, patch: {name: "x"})"#, "NotFoundError"),
        (#"updateCustomer(id: 2, patch: {orders: {update: [{id: 7101, note: "x"}]}})"#, "NotFoundError"),
        ("deleteCustomer(id: 7001)", "NotFoundError"), ("deleteCustomer(id: 2)", "ConflictError"),
        ("deleteCustomer(id: 3)", "ConflictError"), ("deleteCustomer(id: 4)", "ConflictError"),
        ("deleteCustomers(filter: {id: {gt: 0}}, max: 3)", "ConflictError"),
        (#"updateCustomers(filter: {id: {gt: 0}}, patch: {name: "x"}, max: 4)"#, nil),
    ]

    @Test("No response has a value of a hidden row, or the name of a hidden part", arguments: TestBackend.available)
    func markers(_ backend: TestBackend) async throws {
        try await WritableShop.with(
            backend, roles: [Self.role], script: Self.script, description: Self.description
        ) { shop in
            let caller = TestToken(["role": "clerk"]).field
                .merging(["Prefer": "tx=rollback", "X-Request-ID": "the-same"]) { $1 }
            func text(_ answer: HTTPAnswer) -> String {
                // The server measures its times in digits, too.
                let fields = answer.headers.filter {
                    !["date", "server-timing", "etag"].contains($0.name.lowercased())
                }
                return fields.map { "\($0.name): \($0.value)\n" }.joined() + answer.body
            }
            func check(_ answer: HTTPAnswer, _ sent: String) {
                let text = text(answer).lowercased()
                let found = Self.markers.filter { text.contains($0) && !sent.lowercased().contains($0) }
                #expect(found == [], "\(sent): \(text)")
            }
            for request in Self.requests {
                let fields = caller.merging(request.fields) { $1 }
                let sent = "\(request.method) \(request.path) \(request.body ?? "")"
                let answer = try await shop.server.send(request.method, request.path, fields, body: request.body)
                #expect(answer.status == request.status, "\(sent): \(answer.body)")
                check(answer, sent)
                guard request.isMissing else { continue }
                let missing = try await shop.server.send(
                    request.method, request.path.replacing("7001", with: "7999"), fields,
                    body: request.body?.replacing("7001", with: "7999"))
                let (bytes, expected) = (text(answer), text(missing).replacing("7999", with: "7001"))
                #expect(bytes == expected, "\(sent)")
            }
            for (field, type) in Self.fields {
                let document = "mutation { field: \(field) { errors { __typename message field } } }"
                let body = JSONValue.object(["query": .string(document)]).compactText
                let answer = try await shop.server.send("POST", "/graphql", caller, body: body)
                let names = answer.body.matches(of: /"__typename":"(\w+)"/).map { String($0.1) }
                #expect(names == (type.map { [$0] } ?? []), "\(field): \(answer.body)")
                check(answer, field)
            }
        }
    }
}
