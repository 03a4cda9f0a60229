// The adapter without GraphQL: writes a result set as JSON with attached rows, and as CSV.
import DuetResultSetJSON
import DuetSQLDatabase

let database = try Database(DatabaseURL("sqlite::memory:"))
try await database.write { connection in
    try connection.executeScript(
        """
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, isPaid BOOLEAN NOT NULL, placed DATE NOT NULL);
        CREATE TABLE items (orderID INTEGER NOT NULL REFERENCES orders (id), product TEXT NOT NULL, quantity INTEGER NOT NULL);
        INSERT INTO orders VALUES (1, 'Ada', TRUE, '2026-01-31'), (2, 'Grace', FALSE, '2026-02-01');
        CREATE TABLE parts (product TEXT NOT NULL, part TEXT NOT NULL);
        INSERT INTO items VALUES (1, 'Pen', 2), (1, 'Ink, blue', 1), (2, 'Paper', 500);
        INSERT INTO parts VALUES ('Pen', 'cap'), ('Pen', 'nib');
        """)
}

// Runs two statements for any number of orders. The column `orderID` of the items is compared with the keys of the
// orders, which are the values of the column `id`.
let json = try await database.read { connection in
    let orders = try connection.query("SELECT id, customer, isPaid, placed FROM orders ORDER BY id")
    let adapter = ResultSetAdapter(orders, on: connection)
    try adapter.attach(
        "items", for: "id",
        AttachedQuery(select: "product, quantity", from: "items", key: "orderID", orderBy: ["product"]))
    return try adapter.text(.json)
}
print(json)
// Prints: [{"id":1,"customer":"Ada","isPaid":true,"placed":"2026-01-31","items":[{"product":"Ink, blue","quantity":1},{"product":"Pen","quantity":2}]},{"id":2,"customer":"Grace","isPaid":false,"placed":"2026-02-01","items":[{"product":"Paper","quantity":500}]}]

// Runs three statements. The parts are attached to the items, and the items are attached to the order.
let id = 1
let nested = try await database.read { connection in
    let order = try connection.query("SELECT id, customer FROM orders WHERE id = :id", ["id": id])
    let parts = Attachment(
        "parts", for: "product", AttachedQuery(select: "part", from: "parts", key: "product", orderBy: ["part"]))
    let adapter = ResultSetAdapter(order, on: connection)
    try adapter.attach(
        "items", for: "id",
        AttachedQuery(select: "product", from: "items", key: "orderID", orderBy: ["product"]), attachments: [parts])
    return try adapter.text(.json)
}
print(nested)
// Prints: [{"id":1,"customer":"Ada","items":[{"product":"Ink, blue","parts":[]},{"product":"Pen","parts":[{"part":"cap"},{"part":"nib"}]}]}]

// Attaches a row as an object.
let first = try await database.read { connection in
    let item = try connection.query("SELECT product, orderID FROM items WHERE product = :product", ["product": "Pen"])
    let adapter = ResultSetAdapter(item, on: connection)
    try adapter.attach(
        AttachedMember("order", form: .object), for: "orderID",
        AttachedQuery(select: "customer", from: "orders", key: "id"))
    return try adapter.objectText()
}
print(first ?? "")
// Prints: {"product":"Pen","orderID":1,"order":{"customer":"Ada"}}

// Reads rows without JSON.
let quantities = try await database.read { connection in
    let items = try connection.query("SELECT product, quantity FROM items ORDER BY product")
    var quantities: [String: Int64] = [:]
    while try items.next() { quantities[items.text(at: 0)] = items.integer(at: 1) }
    return quantities
}
print(quantities["Paper"] ?? 0)
// Prints: 500

let products = ["Pen", "Paper"]
let least = 2
let csv = try await database.read { connection in
    let items = try connection.query(
        "SELECT product, quantity FROM items WHERE quantity >= :least AND product IN (:products) ORDER BY product",
        ["least": least, "products": products])
    return try ResultSetAdapter(items, on: connection).text(.csv)
}
print(csv)
// Prints: product,quantity
// Prints: Paper,500
// Prints: Pen,2
await database.close()
