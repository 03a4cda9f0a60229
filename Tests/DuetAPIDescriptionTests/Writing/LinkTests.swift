import DuetJSON
import DuetResourceService
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Links of a join table") struct LinkTests {
    @Test("PUT adds a link once, and DELETE removes it", arguments: TestBackend.available)
    func rest(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend) { shop in
            let added = try await shop.send("PUT", "/playlists/1/tracks/7")
            #expect(added.status == 201, "\(added.body)")
            #expect(added.body.isEmpty)
            #expect(added.headers.first(name: "Location") == "/playlists/1/tracks/7")
            let tags = added.headers.first(name: "Surrogate-Key")?.split(separator: " ") ?? []
            let expected = ["Playlist", "Playlist:1", "PlaylistTrack", "PlaylistTrack:1/7", "Track", "Track:7"]
            #expect(tags.map(String.init) == expected)
            let again = try await shop.send("PUT", "/playlists/1/tracks/7")
            #expect(again.status == 204)
            let read = try await shop.send("GET", "/playlists/1/tracks/7?fields=name")
            #expect(read.body == #"{"name":"rain"}"#)
            let stored = try await shop.send("GET", "/playlistTracks/1,7?fields=addedBy")
            #expect(stored.body == #"{"addedBy":"nobody"}"#)
            #expect(try await shop.send("DELETE", "/playlists/1/tracks/7").status == 204)
            let missing = try await shop.problem("DELETE", "/playlists/1/tracks/7")
            #expect(missing == .init(404, "unknown-track"))
            for (method, path) in [("PUT", "/playlists/3/tracks/7"), ("DELETE", "/playlists/3/tracks/8")] {
                let problem = try await shop.problem(method, path)
                #expect(problem == .init(404, "unknown-playlist"))
            }
            let track = try await shop.problem("PUT", "/playlists/1/tracks/70")
            #expect(track == .init(404, "unknown-track"))
            let body = try await shop.problem("PUT", "/playlists/1/tracks/7", ["addedBy": "me"])
            #expect(body == .init(400, "malformed-body"))
            let query = try await shop.problem("PUT", "/playlists/1/tracks/7?fields=name")
            #expect(query == .init(400, "unknown-parameter"))
            let links = try await shop.send("GET", "/playlistTracks?fields=playlistId,trackId")
            #expect(links.body == #"[{"playlistId":1,"trackId":8},{"playlistId":2,"trackId":8}]"#)
        }
    }

    @Test("Preferences and preconditions apply to links", arguments: TestBackend.available)
    func preferences(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend) { shop in
            func send(_ method: String, _ track: Int, _ fields: [String: String]) async throws -> HTTPAnswer {
                try await shop.server.send(method, "/playlists/1/tracks/\(track)", fields, body: nil)
            }
            let tried = try await send("PUT", 7, ["Prefer": "tx=rollback"])
            #expect(tried.status == 201)
            #expect(tried.headers.first(name: "Preference-Applied") == "tx=rollback")
            #expect(tried.headers.first(name: "Surrogate-Key") == nil)
            #expect(try await shop.send("GET", "/playlists/1/tracks/7").status == 404)
            #expect(try await send("PUT", 8, ["If-None-Match": "*"]).status == 412)
            #expect(try await send("PUT", 7, ["If-Match": "*"]).status == 412)
            #expect(try await send("DELETE", 8, ["If-Match": "\"AAAAAAAAAAAAAAAAAAAAAA\""]).status == 412)
            let tag = try await shop.send("GET", "/playlists/1/tracks/8").headers.first(name: "ETag") ?? ""
            #expect(try await send("DELETE", 8, ["If-Match": tag, "Prefer": "return=minimal"]).status == 204)
            #expect(try await send("PUT", 8, ["If-None-Match": "*"]).status == 201)
        }
    }

    @Test("Mutations add and remove links", arguments: TestBackend.available)
    func graphQL(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend) { shop in
            let row = "playlist { tracks { nodes { name } } } errors { __typename field }"
            for _ in 0..<2 {
                let added = try await shop.execute(
                    #"mutation { linkPlaylistTrack(playlistId: 1, trackId: "7") { \#(row) } }"#)
                #expect(
                    added["data"]?["linkPlaylistTrack"]?.compactText
                        == #"{"playlist":{"tracks":{"nodes":[{"name":"rain"},{"name":"drums"}]}},"errors":[]}"#,
                    "\(added.compactText)")
            }
            let removed = try await shop.execute(
                "mutation { unlinkPlaylistTrack(playlistId: 1, trackId: 8) { entityTag \(row) } }")
            let payload = removed["data"]?["unlinkPlaylistTrack"]
            #expect(payload?["playlist"]?.compactText == #"{"tracks":{"nodes":[{"name":"rain"}]}}"#)
            let tag = try await shop.send("GET", "/playlists/1").headers.first(name: "ETag")
            #expect(payload?["entityTag"] == tag.map { .string($0) })
            let failing = [
                ("unlinkPlaylistTrack(playlistId: 1, trackId: 8)", "trackId"),
                ("linkPlaylistTrack(playlistId: 3, trackId: 8)", "playlistId"),
                ("linkPlaylistTrack(playlistId: 1, trackId: 70)", "trackId"),
            ]
            for (field, argument) in failing {
                let answer = try await shop.execute("mutation { a: \(field) { \(row) } }")
                #expect(
                    answer["data"]?["a"]?.compactText
                        == #"{"playlist":null,"errors":[{"__typename":"NotFoundError","field":["\#(argument)"]}]}"#)
            }
            let undone = try await shop.execute(
                """
                mutation @transaction {
                    a: linkPlaylistTrack(playlistId: 1, trackId: 9) { playlist { id } }
                    b: unlinkPlaylistTrack(playlistId: 1, trackId: 8) { errors { field } }
                }
                """)
            #expect(undone["data"]?.compactText == #"{"a":null,"b":{"errors":[{"field":["trackId"]}]}}"#)
            #expect(try await shop.send("GET", "/playlists/1/tracks/9").status == 404)
        }
    }

    @Test("A batch links rows, also of earlier requests", arguments: TestBackend.available)
    func batch(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend) { shop in
            let requests: JSONValue = [
                ["id": "a", "method": "POST", "path": "/playlists?fields=id", "body": ["id": 3, "name": "new"]],
                ["method": "PUT", "path": "/playlists/{a}/tracks/7"],
                ["method": "PUT", "path": "/playlists/1/tracks/8"],
                ["method": "PUT", "path": "/playlists/1/tracks/9"],
                ["method": "DELETE", "path": "/playlists/2/tracks/8"],
            ]
            let answer = try await shop.send("POST", "/batch", ["requests": requests])
            #expect(answer.status == 200, "\(answer.body)")
            guard case .array(let responses)? = try answer.json["responses"] else { return }
            #expect(responses.map { $0["status"] } == [201, 201, 204, 201, 204])
            #expect(responses[3]["headers"]?["Location"] == "/playlists/1/tracks/9")
            let links = try await shop.send("GET", "/playlistTracks?fields=playlistId,trackId")
            #expect(
                links.body
                    == #"[{"playlistId":1,"trackId":8},{"playlistId":1,"trackId":9},{"playlistId":3,"trackId":7}]"#)
            let failing: JSONValue = [
                ["method": "PUT", "path": "/playlists/2/tracks/7"],
                ["id": "f", "method": "DELETE", "path": "/playlists/2/tracks/8"],
            ]
            let failure = try await shop.send("POST", "/batch", ["requests": failing])
            #expect(failure.status == 404)
            #expect(try failure.json["request"] == "f")
            #expect(try await shop.send("GET", "/playlists/2/tracks/7").status == 404)
        }
    }

    @Test("A role links with its rights on the rows of the join table", arguments: TestBackend.available)
    func roles(_ backend: TestBackend) async throws {
        let roles = [PlaylistShop.listener, PlaylistShop.remover]
        try await PlaylistShop.with(backend, roles: roles) { shop in
            let ada: JSONObject = ["role": "listener", "sub": "ada"]
            let remover: JSONObject = ["role": "remover"]
            func status(_ method: String, _ path: String, _ caller: JSONObject) async throws -> Int {
                try await shop.send(method, path, caller: caller).status
            }
            #expect(try await status("PUT", "/playlists/1/tracks/7", ada) == 201)
            let stored = try await shop.send("GET", "/playlistTracks/1,7?fields=addedBy", caller: remover)
            #expect(stored.body == #"{"addedBy":"ada"}"#)
            // The check of the rows, the condition of removals, and hidden rows at both ends.
            let forbidden = try await shop.problem("DELETE", "/playlists/1/tracks/8", caller: ada)
            #expect(forbidden == .init(403, "write-not-permitted"))
            #expect(try await status("DELETE", "/playlists/1/tracks/7", ada) == 204)
            #expect(try await shop.problem("PUT", "/playlists/2/tracks/7", caller: ada).code == "unknown-playlist")
            #expect(try await shop.problem("PUT", "/playlists/1/tracks/9", caller: ada).code == "unknown-track")
            #expect(try await status("PUT", "/playlists/1/tracks/9", remover) == 405)
            #expect(try await status("DELETE", "/playlists/1/tracks/8", remover) == 204)
            let unchecked = try await shop.problem("PUT", "/playlists/1/tracks/8", caller: ada)
            #expect(unchecked == .init(403, "write-not-permitted"))
            let schema = try await shop.send("GET", "/schema.graphql", caller: remover).body
            #expect(schema.contains("unlinkPlaylistTrack(") && !schema.contains(" linkPlaylistTrack("))
            let contract = try await shop.send("GET", "/openapi.json", caller: remover).json
            let path = contract["paths"]?["/playlists/{id}/tracks/{trackId}"]
            #expect(path?["delete"] != nil && path?["put"] == nil && path?["get"] != nil)
        }
    }

    @Test("A link that the caller does not see is a conflict", arguments: TestBackend.available)
    func hidden(_ backend: TestBackend) async throws {
        let role = Role(
            "blind",
            reads: [
                "playlists": .init(), "tracks": .init(),
                "playlistTracks": .init(where: .compare("addedBy", .equal, [.value(.text("me"))])),
            ],
            writes: [
                "playlistTracks": .init(
                    create: .init(fields: .only(["playlistId", "trackId"]), set: ["addedBy": .value(.text("me"))]),
                    delete: .init())
            ])
        try await PlaylistShop.with(backend, roles: [role]) { shop in
            let caller: JSONObject = ["role": "blind"]
            let problem = try await shop.problem("PUT", "/playlists/1/tracks/8", caller: caller)
            #expect(problem.status == 409 && problem.code == "conflict")
            #expect(try await shop.problem("DELETE", "/playlists/1/tracks/8", caller: caller).status == 404)
            #expect(try await shop.send("PUT", "/playlists/1/tracks/7", caller: caller).status == 201)
        }
    }

    @Test("Concurrent requests add a link once", arguments: TestBackend.available)
    func concurrency(_ backend: TestBackend) async throws {
        try await PlaylistShop.with(backend) { shop in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await shop.send("PUT", "/playlists/1/tracks/7").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201] + Array(repeating: 204, count: 7))
        }
    }

    @Test("Concurrent requests add different links", arguments: TestBackend.available)
    func differentLinks(_ backend: TestBackend) async throws {
        let numbers = 101...120
        let ends = numbers.map {
            "INSERT INTO playlists VALUES (\($0), 'p', 'ada'); INSERT INTO tracks VALUES (\($0), 't');"
        }
        let script = PlaylistShop.script + ends.joined(separator: "\n")
        try await WritableShop.with(backend, script: script, description: PlaylistShop.description) { shop in
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for number in numbers {
                    group.addTask { try await shop.send("PUT", "/playlists/\(number)/tracks/\(number)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 }, "\(answers.map(\.body))")
        }
    }

    @Test("A join table with values of its own has no links", arguments: [TestBackend.sqlite])
    func ownValues(_ backend: TestBackend) async throws {
        let description = PlaylistShop.description.replacing(", absent: default", with: "")
        try await WritableShop.with(backend, script: PlaylistShop.script, description: description) { shop in
            #expect(try await shop.send("PUT", "/playlists/1/tracks/7").status == 404)
            let schema = try await shop.send("GET", "/schema.graphql").body
            #expect(!schema.contains("linkPlaylistTrack"))
        }
    }
}
