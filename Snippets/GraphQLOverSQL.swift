// GraphQL over your own tables. A `ResultSetAdapter` writes the selected fields as JSON. It runs one SQL statement for
// each level of the selection.
import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase

let database = try Database(DatabaseURL("sqlite::memory:"))
try await database.write { connection in
    try connection.executeScript(
        """
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, is_paid INTEGER NOT NULL);
        CREATE TABLE items (order_id INTEGER NOT NULL REFERENCES orders (id), product TEXT NOT NULL, quantity INTEGER NOT NULL);
        INSERT INTO orders VALUES (1, 'Ada', 1), (2, 'Grace', 0);
        INSERT INTO items VALUES (1, 'Ink', 1), (1, 'Pen', 2), (2, 'Paper', 500);
        """)
}

/// A column of a table, for the field with that name.
struct FieldColumn {
    let field: String
    /// The label of the column in the result set.
    let column: ColumnReference
    /// The form that the type of the field has in JSON. Another value is an error.
    let format: ValueFormat
}

let orderColumns = [
    FieldColumn(field: "id", column: "id", format: ValueFormat(.integerText, isNullable: false)),
    FieldColumn(field: "customer", column: "customer", format: ValueFormat(.text, isNullable: false)),
    FieldColumn(field: "isPaid", column: "is_paid", format: ValueFormat(.boolean, isNullable: false)),
]
let itemColumns = [
    FieldColumn(field: "product", column: "product", format: ValueFormat(.text, isNullable: false)),
    FieldColumn(field: "quantity", column: "quantity", format: ValueFormat(.integer, isNullable: false)),
]

/// The members of an object: a column or an attachment for each selected field, under its name in the response.
func members(of selection: PlannedSelection?, columns: [FieldColumn]) -> [ObjectShape.Member] {
    (selection?.fields ?? []).map { field in
        if field.isTypeName { return .constant(name: field.responseName, json: "\"\(field.parentType.name)\"") }
        guard let column = columns.first(where: { $0.field == field.name }) else {
            return .attachment(name: field.responseName)
        }
        return .column(name: field.responseName, column.column, column.format)
    }
}

/// Writes orders with their items. It runs one statement for the orders, and one for each selection of items.
func writeOrders(_ request: SubtreeRequest, isPaid: Bool? = nil, on connection: Connection) throws -> SubtreeResult {
    let first = try request.fieldArguments.int("first")
    guard (0...100).contains(first) else { throw GraphQLError("The argument \"first\" must be from 0 to 100.") }
    let orders = try connection.query(
        """
        SELECT id, customer, is_paid FROM orders
        WHERE :isPaid IS NULL OR is_paid = :isPaid ORDER BY id LIMIT :first
        """, ["first": first, "isPaid": isPaid])
    let selection = request.field.selection
    let adapter = ResultSetAdapter(
        orders, on: connection, shape: ObjectShape(members(of: selection, columns: orderColumns)))
    for field in selection?.fields ?? [] where field.name == "items" {
        try adapter.attach(
            AttachedMember(field.responseName), for: "id",
            AttachedQuery(select: "product, quantity", from: "items", key: "order_id", orderBy: ["product"]),
            shape: ObjectShape(members(of: field.selection, columns: itemColumns)))
    }
    var output = request.output
    _ = try adapter.write(.json, to: &output)
    return .written(output)
}

var resolvers = SchemaResolvers(userContext: Database.self)
resolvers.query { query in
    query["orders"] = .subtree { request, context in
        try await context.userContext.read { connection in try writeOrders(request, on: connection) }
    }
}

/// Writes the lists of paid and of open orders. All lists of an operation are read in one transaction.
final class OrdersByState: SubtreeResolver {
    func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
        let database = try operation.userContext(as: Database.self)
        return try await database.read { connection in
            try requests.map { request in
                try writeOrders(request, isPaid: request.field.name == "paidOrders", on: connection)
            }
        }
    }
}

let ordersByState = OrdersByState()
resolvers.query { query in
    query["paidOrders"] = .subtree(ordersByState)
    query["openOrders"] = .subtree(ordersByState)
}

// The fields of Order and Item need no resolvers, because the adapter writes them.
let schema = try ExecutableSchema(
    Schema(
        sdl: """
            type Query {
              orders(first: Int! = 10): [Order!]!
              paidOrders(first: Int! = 10): [Order!]!
              openOrders(first: Int! = 10): [Order!]!
            }
            type Order { id: ID! customer: String! isPaid: Boolean! items: [Item!]! }
            type Item { product: String! quantity: Int! }
            """),
    resolvers: resolvers)

let response = try await schema.execute(
    "{ orders(first: 1) { number: id __typename isPaid items { product quantity } } }", userContext: database)
print(response.text)
// Prints: {"data":{"orders":[{"number":"1","__typename":"Order","isPaid":true,"items":[{"product":"Ink","quantity":1},{"product":"Pen","quantity":2}]}]}}

let byState = try await schema.execute(
    "{ paidOrders { customer } openOrders(first: 1) { customer items { quantity } } }", userContext: database)
print(byState.text)
// Prints: {"data":{"paidOrders":[{"customer":"Ada"}],"openOrders":[{"customer":"Grace","items":[{"quantity":500}]}]}}
await database.close()
