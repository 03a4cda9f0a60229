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

    /// A table without rows.
    static let empty = ForeignServer(
        script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
}
