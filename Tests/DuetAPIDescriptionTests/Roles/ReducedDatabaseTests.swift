import DuetJSON
import DuetSQLDatabase
import Foundation
import ProcessTesting
import ServerTestSupport
import TestSupport
import Testing

/// The responses of a server with roles equal those of a server without roles whose database has only the visible
/// rows, and whose description hides the other columns.
@Suite("A reduced database") struct ReducedDatabaseTests {
    /// A caller, and the database and the description that have only what the caller sees.
    struct Caller: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The claims of the token; nil for a caller without a token.
        let claims: JSONObject?
        let removal: String
        let description: String
    }

    static let callers = [
        Caller(
            testDescription: "a visitor without a token", claims: nil,
            removal: "DELETE FROM customers; DELETE FROM orders; DELETE FROM order_lines;",
            description: header + products(relations: "")),
        Caller(
            testDescription: "a customer with two claims",
            claims: ["role": "customer", "customer": 7, "shop": ["regions": ["south"]]],
            removal: """
                DELETE FROM customers WHERE id <> 7;
                DELETE FROM orders WHERE id IN (1, 5);
                DELETE FROM order_lines WHERE order_id IN (1, 5);
                """,
            description: header + customers + orders + orderLines + products(relations: productLines)),
        Caller(
            testDescription: "a customer without orders",
            claims: ["role": ["customer", "visitor"], "customer": 99, "shop": ["regions": []]],
            removal: "DELETE FROM customers; DELETE FROM orders; DELETE FROM order_lines;",
            description: header + customers + orders + orderLines + products(relations: productLines)),
    ]

    @Test("A role's callers receive the same bytes", arguments: TestBackend.available, callers)
    func equalBytes(_ backend: TestBackend, _ caller: Caller) async throws {
        try await Self.withServers(backend, caller) { server, twin async throws in
            let comparison = AnswerComparison(
                server: server, twin: twin, token: caller.claims.map { TestToken($0).field } ?? [:])
            let documents = Self.documents.flatMap { document in
                let body = JSONValue.object(["query": .string(document)]).compactText
                let query = document.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                return [
                    Request(target: "/graphql", body: body), Request(target: "/graphql?query=\(query)"),
                ]
            }
            for request in Self.requests + documents {
                let differences = try await comparison.differences(request)
                #expect(differences == [])
            }
        }
    }

    // MARK: Requests

    private typealias Request = AnswerComparison.Request

    private static let requests: [Request] = {
        let lists = [
            "products", "orders", "customers", "orderLines", "products/1", "orders/3", "orders/1", "customers/7",
            "customers/1", "orderLines/3,1", "orderLines/1,1", "orders/3/orderLines", "orders/1/orderLines",
            "customers/7/orders", "customers/1/orders", "products/1/orderLines?count=true",
            "products/1?details=orderLines", "products?details=orderLines.order.customer",
            "orders?details=customer,orderLines.product&count=true", "orders/5?details=customer",
            "orders?sort=-orderedOn&first=1", "orders?first=1&count=true", "orders?customerId=2&count=true",
            "orders?filter={\"customer\":{\"id\":{\"null\":false}}}&count=true",
            "orders?filter={\"not\":{\"customer\":{\"name\":{\"like\":\"*\"}}}}&count=true",
            "products?filter={\"orderLines\":{\"some\":{\"quantity\":{\"gte\":1}}}}&count=true",
            "products?filter={\"orderLines\":{\"none\":{\"order\":{\"region\":{\"eq\":\"west\"}}}}}&count=true",
            // Parts of the API that these roles do not see.
            "products?fields=purchasePrice", "products?sort=purchasePrice", "products?purchasePrice.gt=1",
            "products?filter={\"purchasePrice\":{\"gt\":1}}", "customers?region=north", "customers?sort=region",
            "customers/7?fields=region", "orderLines?details=product&product.fields=purchasePrice",
            "customers?filter={\"region\":{\"null\":true}}", "suppliers", "suppliers/1",
            "products?details=suppliers",
            // Aggregates, for which the roles have a permission for two resources.
            "orders?aggregate=count,orderedOn.max,region.countDistinct", "orders?group=region&aggregate=count",
            "orders?group=customer.name&aggregate=count", "orders?group=customerId&sort=-count&aggregate=count",
            "orderLines?group=order.region&aggregate=count,quantity.sum&having={\"quantity.sum\":{\"gt\":1}}",
            "orderLines?group=product.name&aggregate=count", "orders?details=orderLines&orderLines.aggregate=count",
            "orderLines?group=product.purchasePrice&aggregate=count", "products?aggregate=purchasePrice.sum",
            "products?aggregate=count", "customers?group=region&aggregate=count", "suppliers?aggregate=count",
            "products?details=orderLines&orderLines.aggregate=quantity.avg&orderLines.first=0",
            "schema.graphql",
        ]
        return lists.map {
            Request(
                target: "/" + ($0.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? $0))
        }
            + ["products", "orders", "orderLines", "customers"].flatMap { name in
                ["text/csv", "application/x-ndjson"].map { Request(target: "/\(name)", accept: $0) }
            }
    }()

    private static let documents = [
        "{ products { totalCount nodes { id name price } } }",
        "{ products(first: 1) { edges { cursor node { id } } pageInfo { endCursor hasNextPage } } }",
        "{ products { nodes { id orderLines { totalCount nodes { quantity order { id customer { name } } } } } } }",
        "{ orders { totalCount nodes { id region customer { id name email } } } }", "{ order(id: 1) { id } }",
        "{ order(id: 3) { orderLines(filter: {product: {name: {like: \"A*\"}}}) { nodes { line } } } }",
        "{ customer(id: 7) { name orders(first: 1) { totalCount nodes { id } pageInfo { endCursor } } } }",
        "{ products(filter: {purchasePrice: {gt: \"1\"}}) { nodes { id } } }",
        "{ products { nodes { purchasePrice } } }",
        "{ products(orderBy: [{field: PURCHASE_PRICE}]) { nodes { id } } }",
        "{ customers { nodes { region } } }",
        "{ __schema { types { name fields { name } inputFields { name } enumValues { name } } } }",
        "{ __type(name: \"Customer\") { name } }", "{ suppliers { nodes { id } } }",
        "{ products(filter: {orderLines: {none: {quantity: {gt: 0}}}}) { nodes { id } } }",
        "{ ordersAggregate { count orderedOn { max } } }", "{ productsAggregate { count } }",
        "{ orderLinesGroups(groupBy: [{order: REGION}]) { nodes { key { order { region } } count } totalCount } }",
        "{ ordersGroups(groupBy: [{customer: NAME}]) { nodes { count } } }",
        "{ products { nodes { orderLinesAggregate { count quantity { sum } } } } }",
        "{ ordersAggregate { purchasePrice { sum } } }",
    ]

    // MARK: Servers

    private static func withServers(
        _ backend: TestBackend, _ caller: Caller,
        _ body: @Sendable @escaping (_ server: ServiceServer, _ twin: ServiceServer) async throws -> Void
    ) async throws {
        try await TestDatabase.with(backend, schema: false) { whole in
            try await whole.write { try $0.executeScript(script) }
            try await TestDatabase.with(backend, schema: false) { reduced in
                try await reduced.write { try $0.executeScript(script + caller.removal) }
                try await DescribedServer.with(described, whole, anonymousRole: "visitor") { server in
                    try await DescribedServer.with(caller.description, reduced) { try await body(server, $0) }
                }
            }
        }
    }

    private static let script = """
        CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL, email VARCHAR(60),
            region VARCHAR(10) NOT NULL);
        CREATE TABLE products (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL,
            price DECIMAL(9,2) NOT NULL, purchase_price DECIMAL(9,2) NOT NULL);
        CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, region VARCHAR(10),
            ordered_on DATE NOT NULL);
        CREATE TABLE order_lines (order_id INTEGER NOT NULL, line INTEGER NOT NULL, product_id INTEGER NOT NULL,
            quantity INTEGER NOT NULL, PRIMARY KEY (order_id, line));
        CREATE TABLE suppliers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(60) NOT NULL);
        INSERT INTO customers VALUES (1, 'Ada', 'ada@example.org', 'north'), (2, 'Bob', NULL, 'south'),
            (7, 'Cleo', 'cleo@example.org', 'west');
        INSERT INTO products VALUES (1, 'Apples', 1.5, 0.5), (2, 'Pears', 20, 9.99), (3, 'Plums', 0.1, 0.01);
        INSERT INTO orders VALUES (1, 1, 'north', '2024-03-01'), (2, 2, 'south', '2024-03-02'),
            (3, 7, 'west', '2024-03-03'), (4, 7, NULL, '2024-03-04'), (5, 2, 'west', '2024-03-05');
        INSERT INTO order_lines VALUES (1, 1, 1, 2), (1, 2, 2, 1), (2, 1, 3, 5), (3, 1, 1, 1), (3, 2, 3, 2),
            (4, 1, 2, 1), (5, 1, 1, 9);
        INSERT INTO suppliers VALUES (1, 'Orchard');

        """

    // MARK: Descriptions

    private static let header = "duet: 1\ndescription: A shop.\nresources:\n"
    /// The roles have no permission for the aggregates of some resources.
    private static let noAggregates = "    aggregates: false\n"
    private static let customers = customers(region: "", sort: "", hidden: "    hidden: [region]\n\(noAggregates)")
    private static let productLines = """
            relations:
              orderLines: {to: orderLines, many: 2, columns: {id: product_id}}

        """

    private static func customers(region: String, sort: String, hidden: String) -> String {
        """
          customers:
            singular: customer
            type: Customer
            key: [id]
        \(hidden)    fields:
              id: {type: integer}
              name: {type: text}
              email: {type: text, nullable: true}
        \(region)    sort: [id, name, email\(sort)]
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}

        """
    }

    private static let orders = """
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: integer}
              customerId: {column: customer_id, type: integer}
              region: {type: text, nullable: true}
              orderedOn: {column: ordered_on, type: date}
            sort: [id, customerId, region, orderedOn]
            relations:
              orderLines: {to: orderLines, many: 20, columns: {id: order_id}}
              customer: {to: customers, one: optional, columns: {customer_id: id}}

        """

    private static let orderLines = """
          orderLines:
            table: order_lines
            singular: orderLine
            type: OrderLine
            key: [orderId, line]
            fields:
              orderId: {column: order_id, type: integer}
              line: {type: integer}
              productId: {column: product_id, type: integer}
              quantity: {type: integer}
            sort: [orderId, line, productId, quantity]
            relations:
              order: {to: orders, one: optional, columns: {order_id: id}}
              product: {to: products, one: optional, columns: {product_id: id}}

        """

    private static func products(relations: String, cost: (hidden: String, field: String, sort: String)? = nil)
        -> String
    {
        """
          products:
            singular: product
            type: Product
            key: [id]
        \(cost?.hidden ?? "    hidden: [purchase_price]\n\(noAggregates)")    fields:
              id: {type: integer}
              name: {type: text}
              price: {type: decimal, scale: 2}
        \(cost?.field ?? "")    sort: [id, name, price\(cost?.sort ?? "")]
        \(relations)
        """
    }

    /// The description with roles.
    private static let described =
        header
        + customers(region: "      region: {type: text}\n", sort: ", region", hidden: "") + orders + orderLines
        + products(
            relations: productLines,
            cost: (
                "", "      purchasePrice: {column: purchase_price, type: decimal, scale: 2}\n", ", purchasePrice"
            ))
            + """
              suppliers:
                singular: supplier
                type: Supplier
                key: [id]
                fields:
                  id: {type: integer}
                  name: {type: text}
            roles:
              visitor:
                resources:
                  products: {read: {except: [purchasePrice]}}
              customer:
                includes: [visitor]
                resources:
                  customers: {read: {where: {id: {eq: {claim: customer}}}, fields: [id, name, email]}}
                  orders:
                    read:
                      aggregate: true
                      where:
                        or: [{customerId: {eq: {claim: customer}}}, {region: {in: {claim: shop.regions}}}]
                  orderLines:
                    read:
                      aggregate: true
                      where:
                        order:
                          or: [{customerId: {eq: {claim: customer}}}, {region: {in: {claim: [shop, regions]}}}]
              clerk:
                resources: {"*": {read: {}}}

            """
}
