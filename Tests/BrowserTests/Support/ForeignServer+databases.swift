extension ForeignServer {
    /// Parcels with their events and items, and photos of events.
    static let parcels = ForeignServer(
        script: """
            CREATE TABLE parcels (depot TEXT NOT NULL, number INTEGER NOT NULL, note TEXT NOT NULL, content TEXT NOT NULL, "sent <b>on</b>" DATE,
              PRIMARY KEY (depot, number));
            CREATE TABLE events (id INTEGER PRIMARY KEY, depot TEXT NOT NULL, number INTEGER NOT NULL, what TEXT NOT NULL,
              FOREIGN KEY (depot, number) REFERENCES parcels);
            CREATE TABLE items (depot TEXT NOT NULL, number INTEGER NOT NULL, line INTEGER NOT NULL, article TEXT NOT NULL,
              PRIMARY KEY (depot, number, line), FOREIGN KEY (depot, number) REFERENCES parcels);
            CREATE TABLE photos (id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES events, caption TEXT NOT NULL);
            INSERT INTO parcels VALUES ('<i>"A",/B</i>', 1, '<script>window.hasRun = true</script>', 'Lamps', '2024-02-29'),
              ('west', 2, 'O''Hara & "sons"', 'Chairs', NULL), ('west', 3, 'Grüße', 'Lace', '2024-03-01');
            INSERT INTO events VALUES (1, '<i>"A",/B</i>', 1, '<img src=x onerror="window.hasRun = true">'), (2, 'west', 2, 'sent'),
              (3, 'west', 2, 'arrived');
            INSERT INTO items VALUES ('<i>"A",/B</i>', 1, 1, 'lamp'), ('west', 2, 1, 'chair'), ('west', 2, 2, 'table');
            INSERT INTO photos VALUES (1, 1, '</script><script>window.hasRun = true</script>'), (2, 3, 'door');
            """, arguments: ["--debug-statements"])

    /// Parcels, with a file of tasks.
    static let ownTasks = ForeignServer(
        script: parcels.script,
        tasks: """
            - name: parcels
              sentence: Show all parcels.
              rest: ["GET /parcels?fields=note"]
              graphql: ["{ parcels { nodes { note } } }"]
              pick: [note]
              screen:
                title: Parcels
                sentence: All <b>parcels</b>.
                rows: [parcel, parcels]
                heading: [depot, number]
                line: events.what
                rest: ["GET /parcels?first=2&fields=depot,number&details=events&events.fields=what"]
                graphql:
                  - "query Parcels($after: String) { parcels(first: 2, after: $after) { nodes { depot number events { nodes { what } } } pageInfo { hasNextPage endCursor } } }"
            - name: each
              sentence: Show the events of each parcel.
              rest: ["GET /parcels", "", "GET /parcels/{depot},{number}/events"]
              graphql: ["{ parcels { nodes { events { nodes { what } } } } }"]
              pick: [{events: [what]}]
            - name: events
              sentence: Show all events.
              onPage: [{first: true}]
              rest: ["GET /events?fields=what"]
              graphql: ["{ events { nodes { what } } }"]
              pick: [what]
            """)

    /// Customers and their orders, which clients can write.
    static let writable = ForeignServer(
        script: """
            CREATE TABLE customers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, email VARCHAR(80) UNIQUE);
            CREATE TABLE orders (id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers, note VARCHAR(40));
            INSERT INTO customers VALUES (1, 'Ada', 'ada@example.com'), (2, 'Bob', NULL);
            INSERT INTO orders VALUES (7, 1, 'gift'), (8, 2, 'soon');
            """,
        arguments: ["--debug-statements"],
        api: """
            duet: 1
            description: A shop.
            resources:
              customers:
                singular: customer
                type: Customer
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  name: {type: text, maxLength: 40}
                  email: {type: text, maxLength: 80, nullable: true}
                relations:
                  orders: {to: orders, many: 20, columns: {id: customer_id}}
              orders:
                singular: order
                type: Order
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  customerId: {type: int, column: customer_id}
                  note: {type: text, maxLength: 40, nullable: true}
                relations:
                  customer: {to: customers, one: required, columns: {customer_id: id}}
            """)

    /// A table without rows, which clients can write.
    static let empty = ForeignServer(
        script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        api: """
            duet: 1
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                writes: all
                fields:
                  id: {type: int}
                  text: {type: text}
            """)
}
