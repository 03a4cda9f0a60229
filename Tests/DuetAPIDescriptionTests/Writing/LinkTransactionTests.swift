import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Transactions with links") struct LinkTransactionTests {
    private static let writableTracks = PlaylistShop.description.replacing(
        "type: Track\n    key: [id]\n", with: "type: Track\n    key: [id]\n    writes: [create]\n")

    @Test(
        "A batch links two rows of earlier requests, and a repetition has no effect", arguments: TestBackend.available)
    func newRows(_ backend: TestBackend) async throws {
        try await WritableShop.with(
            backend, script: PlaylistShop.script, description: Self.writableTracks
        ) { shop in
            try await IdempotencyTable.create(in: shop.database)
            let body = """
                {"requests":[
                {"id":"p","method":"POST","path":"/playlists?fields=id","body":{"id":3,"name":"new"}},
                {"id":"t","method":"POST","path":"/tracks?fields=id","body":{"id":5,"name":"bells"}},
                {"method":"PUT","path":"/playlists/{p}/tracks/{t}"},{"method":"PUT","path":"/playlists/1/tracks/{t}"},
                {"method":"PUT","path":"/playlists/{p}/tracks/7"},{"method":"DELETE","path":"/playlists/{p}/tracks/7"}
                ]}
                """
            for isReplayed in [false, true] {
                let answer = try await shop.send("POST", "/batch", body, key: "b")
                #expect(answer.status == 200, "\(answer.body)")
                guard case .array(let responses)? = try answer.json["responses"] else { return }
                #expect(responses.map { $0["status"] } == [201, 201, 201, 201, 201, 204])
                #expect((answer.headers.first(name: "Idempotency-Replayed") == "true") == isReplayed)
                let links = try await shop.send("GET", "/playlistTracks?fields=playlistId,trackId&trackId=5")
                #expect(links.body == #"[{"playlistId":1,"trackId":5},{"playlistId":3,"trackId":5}]"#)
            }
            let failing = [
                #"{"method":"PUT","path":"/playlists/1/tracks/{t}"}"#,
                #"{"id":"t","method":"POST","path":"/playlists","body":{"id":4,"name":"x"}},{"method":"PUT","path":"/playlists/1/tracks/{t}"}"#,
                #"{"id":"t","method":"POST","path":"/tracks","body":{"id":6,"name":"x"}},{"method":"PUT","path":"/playlists/1/tracks/{t}","headers":{"If-Match":"*"}}"#,
            ]
            for requests in failing {
                let answer = try await shop.server.send("POST", "/batch", body: #"{"requests":[\#(requests)]}"#)
                #expect(try WritableShop.problem(answer) == .init(400, "invalid-batch"), "\(requests)")
            }
        }
    }

    @Test(
        "A link with an idempotency key is added once, and replayed while both rows are visible",
        arguments: TestBackend.available)
    func replay(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend, roles: [PlaylistShop.listener]) { shop in
            try await IdempotencyTable.create(in: shop.database)
            let path = "/playlists/1/tracks/7"
            func send(_ method: String, _ key: String) async throws -> HTTPAnswer {
                try await shop.send(method, path, nil, key: key, caller: ["role": "listener", "sub": "ada"])
            }
            for isReplayed in [false, true] {
                let added = try await send("PUT", "a")
                #expect(added.status == 201 && added.body.isEmpty, "\(added.body)")
                #expect(added.headers.first(name: "Location") == path)
                #expect((added.headers.first(name: "Idempotency-Replayed") == "true") == isReplayed)
            }
            for isReplayed in [false, true] {
                let removed = try await send("DELETE", "d")
                #expect(removed.status == 204, "\(removed.body)")
                #expect((removed.headers.first(name: "Idempotency-Replayed") == "true") == isReplayed)
            }
            try await shop.database.write { try $0.executeScript("UPDATE playlists SET owner = 'bob' WHERE id = 1") }
            for (method, key) in [("PUT", "a"), ("DELETE", "d")] {
                let hidden = try await send(method, key)
                #expect(hidden.status == 404, "\(method): \(hidden.body)")
            }
        }
    }

    @Test("The claims that the cascade of a removed link needs are checked before the first change")
    func claims() async throws {
        let script =
            PlaylistShop.script + """

                CREATE TABLE remarks (id INTEGER NOT NULL PRIMARY KEY, playlist_id INTEGER NOT NULL,
                    track_id INTEGER NOT NULL, FOREIGN KEY (playlist_id, track_id)
                    REFERENCES playlist_tracks (playlist_id, track_id) ON DELETE CASCADE);
                """
        let description =
            PlaylistShop.description + """
                  remarks:
                    singular: remark
                    type: Remark
                    key: [id]
                    writes: [delete]
                    fields:
                      id: {type: int}
                      playlistId: {type: int, column: playlist_id}
                      trackId: {type: int, column: track_id}

                """
        let role = Role(
            "editor", reads: ["playlists": .init(), "tracks": .init(), "playlistTracks": .init(), "remarks": .init()],
            writes: [
                "playlists": .init(update: .init()), "playlistTracks": .init(delete: .init()),
                "remarks": .init(delete: .init(where: .compare("id", .less, [.parameter("limit")]))),
            ])
        try await WritableShop.with(.sqlite, roles: [role], script: script, description: description) { shop in
            let answer = try await shop.execute(
                """
                mutation {
                    a: updatePlaylist(id: 1, patch: {name: "changed"}) { errors { message } }
                    b: unlinkPlaylistTrack(playlistId: 1, trackId: 8) { errors { message } }
                }
                """, caller: ["role": "editor"])
            #expect(answer["data"] == nil && answer.compactText.contains("CLAIM_MISSING"), "\(answer.compactText)")
            let stored = try await shop.send("GET", "/playlists/1?fields=name", caller: ["role": "editor"])
            #expect(stored.body == #"{"name":"calm"}"#)
        }
    }

    @Test(
        "A new link does not lock the gap in which other links are added",
        arguments: TestBackend.available.filter { $0 == .mariaDB })
    func gaps(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend) { shop in
            let (gapLocks, isLocked) = AsyncStream<Void>.makeStream()
            // The link waits for this transaction, which then adds another link in the same gap.
            async let other: Void = shop.database.write { connection in
                defer { isLocked.finish() }
                let gap = try connection.query(
                    "SELECT * FROM playlist_tracks WHERE playlist_id = 1 AND track_id = 9 FOR UPDATE")
                _ = try gap.next()
                gap.close()
                isLocked.finish()
                while try !Self.isAdding(connection) {}
                try connection.execute("INSERT INTO playlist_tracks (playlist_id, track_id) VALUES (2, 7)")
            }
            for await _ in gapLocks {}
            // Because of the first request, the database would stop the other transaction in a deadlock.
            let requests: JSONValue = [
                ["method": "PATCH", "path": "/playlists/1", "body": ["name": "changed"]],
                ["method": "PUT", "path": "/playlists/1/tracks/9"],
            ]
            let answer = try await shop.send("POST", "/batch", ["requests": requests])
            #expect(answer.status == 200, "\(answer.body)")
            try await other
            let links = try await shop.send("GET", "/playlistTracks?fields=playlistId,trackId")
            #expect(
                links.body == #"[{"playlistId":1,"trackId":8},{"playlistId":1,"trackId":9},"#
                    + #"{"playlistId":2,"trackId":7},{"playlistId":2,"trackId":8}]"#)
        }
    }

    /// Returns true if another connection is adding a link.
    private static func isAdding(_ connection: Connection) throws -> Bool {
        let rows = try connection.query(
            """
            SELECT 1 FROM information_schema.processlist
            WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info LIKE 'INSERT INTO%playlist_tracks%'
            """)
        defer { rows.close() }
        return try rows.next()
    }

    @Test("A list of new rows with related rows obeys preconditions", arguments: TestBackend.available)
    func preconditions(_ backend: TestBackend) async throws {
        try await NestedShop.with(backend) { shop in
            let details = #"[{"customerId":1,"orderDetails":[{"productId":11,"quantity":1}]}]"#
            let bodies = [
                ("/orders", details), ("/orders", #"[{"customerId":1}]"#),
                ("/customers/1/orders", #"[{"orderDetails":[{"productId":11,"quantity":1}]}]"#),
            ]
            for (path, body) in bodies {
                let answer = try await shop.server.send("POST", path, ["If-Match": "\"x\""], body: body)
                #expect(answer.status == 412, "\(path): \(answer.status) \(answer.body)")
            }
            let missing = try await shop.server.send(
                "POST", "/customers/9/orders", ["If-Match": "*"], body: bodies[2].1)
            #expect(missing.status == 404, "\(missing.body)")
            let orders = try await shop.send("GET", "/orders?fields=id")
            #expect(orders.body == #"[{"id":10},{"id":20}]"#)
            let created = try await shop.server.send("POST", "/orders", ["If-None-Match": "*"], body: details)
            #expect(created.status == 201, "\(created.body)")
        }
    }
}
