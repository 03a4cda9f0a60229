import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

/// Repetitions of transactions that add a link and remove a row that it connects.
@Suite("Repetitions of removed links") struct LinkReplayTests {
    private static let script = """
        CREATE TABLE albums (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
        CREATE TABLE playlists (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, owner VARCHAR(20));
        CREATE TABLE tracks (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, album_id INTEGER,
            FOREIGN KEY (album_id) REFERENCES albums (id) ON DELETE CASCADE);
        CREATE TABLE playlist_tracks (playlist_id INTEGER NOT NULL, track_id INTEGER NOT NULL,
            added_by VARCHAR(20) DEFAULT 'nobody', PRIMARY KEY (playlist_id, track_id),
            FOREIGN KEY (playlist_id) REFERENCES playlists (id),
            FOREIGN KEY (track_id) REFERENCES tracks (id) ON DELETE CASCADE);
        INSERT INTO albums VALUES (1, 'rivers'), (2, 'seas');
        INSERT INTO playlists VALUES (1, 'calm', 'ada'), (2, 'loud', 'bob');
        INSERT INTO tracks VALUES (5, 'foam', 1), (6, 'mist', 2), (7, 'rain', NULL), (8, 'drums', NULL);
        """

    private static let description =
        PlaylistShop.description.replacing(
            "type: Track\n    key: [id]\n", with: "type: Track\n    key: [id]\n    writes: [create, delete]\n") + """
              albums:
                singular: album
                type: Album
                key: [id]
                writes: [delete]
                fields:
                  id: {type: int}
                  name: {type: text, maxLength: 20}

            """

    @Test(
        "A repetition succeeds if the same transaction removed a linked row by a key, a filter or a cascade",
        arguments: TestBackend.available)
    func removedEnds(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, script: Self.script, description: Self.description) { shop in
            try await IdempotencyTable.create(in: shop.database)
            let bodies = [
                #"{"method":"PUT","path":"/playlists/1/tracks/5"},{"method":"DELETE","path":"/albums/1"}"#,
                #"{"method":"PUT","path":"/playlists/1/tracks/7"},{"method":"DELETE","path":"/tracks?name=rain"}"#,
                #"{"method":"PUT","path":"/playlists/1/tracks/8"},{"method":"DELETE","path":"/tracks/8"}"#,
                #"{"id":"t","method":"POST","path":"/tracks","body":{"id":9,"name":"new"}},{"method":"PUT","path":"/playlists/1/tracks/{t}"},{"method":"DELETE","path":"/tracks?id=9"}"#,
            ]
            for (number, body) in bodies.enumerated() {
                for isReplayed in [false, true] {
                    let answer = try await shop.send("POST", "/batch", #"{"requests":[\#(body)]}"#, key: "b\(number)")
                    #expect(answer.status == 200, "\(body): \(answer.body)")
                    #expect((answer.headers.first(name: "Idempotency-Replayed") == "true") == isReplayed)
                }
            }
            let document = """
                mutation @transaction {
                    linkPlaylistTrack(playlistId: 2, trackId: 6) { playlist { tracks { nodes { name } } } errors { message } }
                    deleteAlbums(filter: {name: {eq: "seas"}}) { count errors { message } }
                }
                """
            let operation: JSONValue = ["query": .string(document), "extensions": ["idempotencyKey": "g"]]
            let first = try await shop.send("POST", "/graphql", operation)
            let second = try await shop.send("POST", "/graphql", operation)
            #expect(
                first.body.contains(#"{"playlist":{"tracks":{"nodes":[{"name":"mist"}]}},"errors":[]}"#),
                "\(first.body)")
            #expect(second.body == first.body)
            // The other end has been removed since then.
            try await shop.database.write { try $0.executeScript("DELETE FROM playlists WHERE id = 1") }
            let later = try await shop.send("POST", "/batch", #"{"requests":[\#(bodies[0])]}"#, key: "b0")
            #expect(later.status == 404, "\(later.body)")
        }
    }

    @Test(
        "A repetition without stored bodies shows null for the rows that the same transaction removed",
        arguments: TestBackend.available)
    func longBodies(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend, script: Self.script, description: Self.description) { shop in
            try await IdempotencyTable.create(in: shop.database)
            // The bodies of all responses are longer than a record.
            let rows = (1000..<2700).map { #"{"id":\#($0),"name":"a name of twenty ab"}"# }
            let requests = [
                #"{"method":"POST","path":"/tracks","body":{"id":100,"name":"short"}}"#,
                #"{"method":"POST","path":"/tracks","body":[\#(rows.joined(separator: ","))]}"#,
                #"{"method":"DELETE","path":"/tracks?id.gte=100&id.lt=2700&max=5000"}"#,
            ]
            let body = #"{"requests":[\#(requests.joined(separator: ","))]}"#
            // The client of the tests refuses a response that gzip makes so much shorter.
            let plain = ["Accept-Encoding": "identity"]
            let first = try await shop.send("POST", "/batch", body, key: "long", plain)
            #expect(first.status == 200 && first.body.utf8.count > 65_536, "\(first.body.prefix(300))")
            let second = try await shop.send("POST", "/batch", body, key: "long", plain)
            #expect(second.status == 200, "\(second.body.prefix(300))")
            #expect(second.headers.first(name: "Idempotency-Replayed") == "true")
            let start = #"{"responses":[{"id":null,"status":201,"headers":{"Location":"/tracks/100"},"body":null},"#
            #expect(second.body.hasPrefix(start), "\(second.body.prefix(300))")
        }
    }
}
