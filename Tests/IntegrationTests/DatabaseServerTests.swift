import DuetJSON
import DuetSQLDatabase
import Foundation
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite(
        "duet serve with several database servers", .timeLimit(.minutes(15)),
        .enabled(if: ReplicatedMariaDB.isAvailable, "needs mariadbd and mariadb-install-db"))
    struct DatabaseServerTests {
        private static let description = """
            duet: 1
            description: Notes.
            resources:
              notes:
                singular: note
                type: Note
                key: [id]
                writes: all
                fields:
                  id: {type: int, absent: automatic}
                  text: {type: text, maxLength: 20}
                sort: [id]

            """

        private static let secret = "a secret of at least thirty-two bytes"

        /// Creates the database of the description on a primary, and runs two servers with its replicas.
        private static func with(
            _ primary: ReplicatedMariaDB.Node, _ replicas: [ReplicatedMariaDB.Node], _ arguments: [String] = [],
            _ body: (_ first: Server, _ second: Server) async throws -> Void
        ) async throws {
            let name = "duet_" + UUID().uuidString.replacing("-", with: "").lowercased()
            try await primary.administer(
                """
                CREATE DATABASE \(name);
                CREATE TABLE \(name).notes (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(20) NOT NULL);
                """)
            let environment = [
                "DUET_DATABASE": primary.url(of: name).text, "DUET_SECRET": secret,
                "DUET_READ_DATABASE": replicas.map { $0.url(of: name).text }.joined(separator: " "),
            ]
            try await TemporaryFolder.with { folder in
                try Data(description.utf8).write(to: folder.appending(path: "api.yaml"))
                let prepared = try await Program.run(["prepare"], in: folder, environment: environment)
                #expect(prepared.status == 0, "\(prepared.errors)")
                // A server that starts does not use a replica that is still without the tables.
                for replica in replicas {
                    _ = try await Polling.observe {
                        try? await Database.with(replica.url(of: name)) {
                            try await $0.read { try $0.execute("SELECT COUNT(*) FROM notes") }
                        }
                    } until: {
                        $0 != nil
                    }
                }
                let arguments = ["--api", "api.yaml"] + arguments
                try await Server.with(arguments, in: folder, environment: environment) { first in
                    try await Server.with(arguments, in: folder, environment: environment) { second in
                        try await body(first, second)
                    }
                }
            }
        }

        private static func create(_ text: String, _ server: Server, _ token: String? = nil) async throws -> HTTPAnswer
        {
            try await server.send("POST", "/notes", position(token), body: #"{"text": "\#(text)"}"#)
        }

        private static func position(_ token: String?) -> [String: String] {
            token.map { ["Duet-Database-Position": $0] } ?? [:]
        }

        /// Returns the texts of all notes.
        private static func texts(_ server: Server, _ token: String? = nil) async throws -> [String] {
            let answer = try await server.get("/notes", position(token))
            #expect(answer.status == 200, "\(answer)")
            guard case .array(let notes) = try answer.json else { return [] }
            return notes.map { if case .string(let text) = $0["text"] { text } else { "" } }
        }

        private static func moved(_ server: Server, _ reason: String) async throws -> Double {
            let metrics = try Exposition(try await server.get("/metrics").body)
            return metrics.value("duet_replica_reads_moved_total", ["reason": reason])
        }

        @Test("A client with the token of its write reads the write at each server, in REST and in GraphQL")
        func ownWrites() async throws {
            try await ReplicatedMariaDB.with { servers in
                try await Self.with(servers.primary, servers.replicas, ["--replica-wait", "60"]) { first, second in
                    var expected: [String] = []
                    var token: String?
                    for number in 0..<20 {
                        let text = "note \(number)"
                        let writer = number.isMultiple(of: 2) ? first : second
                        if number.isMultiple(of: 3) {
                            let answer = try await writer.send(
                                "POST", "/graphql",
                                body:
                                    #"{"query": "mutation { createNote(input: {text: \"\#(text)\"}) { note { text } } }"}"#
                            )
                            token = answer.headers.first(name: "Duet-Database-Position")
                            guard case .string(let value) = try answer.json["extensions"]?["databasePosition"] else {
                                Issue.record("\(answer.body)")
                                return
                            }
                            #expect(value == token)
                        } else {
                            let answer = try await Self.create(text, writer)
                            #expect(answer.status == 201)
                            token = answer.headers.first(name: "Duet-Database-Position")
                        }
                        #expect(token?.isEmpty == false)
                        expected.append(text)
                        for server in [first, second, first, second] {
                            #expect(try await Self.texts(server, token) == expected)
                            let counted = try await server.send(
                                "POST", "/graphql", Self.position(token),
                                body: #"{"query": "{ notes(first: 1) { totalCount } }"}"#)
                            #expect(counted.body.contains(#""totalCount":\#(expected.count)"#), "\(counted.body)")
                        }
                    }
                    // All reads waited for their replicas.
                    for server in [first, second] { #expect(try await Self.moved(server, "behind") == 0) }
                    try await Self.checkTokens(first, second, try #require(token))
                    try await Self.checkReplay(first, second, expected.count)
                }
            }
        }

        /// The answer to a repeated write, and to a refused one, has a position. A read with it shows the first write.
        private static func checkReplay(_ first: Server, _ second: Server, _ count: Int) async throws {
            for number in 1...10 {
                let key = ["Idempotency-Key": "\"key-\(number)\""]
                let body = #"{"text": "replayed"}"#
                let stored = try await first.send("POST", "/notes", key, body: body)
                let replayed = try await second.send("POST", "/notes", key, body: body)
                #expect(replayed.body == stored.body && replayed.headers.first(name: "Idempotency-Replayed") == "true")
                let token = try #require(replayed.headers.first(name: "Duet-Database-Position"))
                #expect(try await texts(first, token).count == count + number)
                let refused = try await second.send("DELETE", "/notes/1", ["If-Match": "\"x\""])
                #expect(refused.status == 412)
                let position = try #require(refused.headers.first(name: "Duet-Database-Position"))
                #expect(try await texts(first, position).count == count + number)
            }
        }

        /// Checks the header fields of responses to reads with and without tokens.
        private static func checkTokens(_ first: Server, _ second: Server, _ token: String) async throws {
            let plain = try await first.get("/notes/1")
            #expect(plain.headers.first(name: "Duet-Database-Position") == nil)
            #expect(plain.headers.first(name: "Cache-Control")?.contains("no-store") == false)
            // As soon as a check has found the position on each replica, the client needs no token.
            let answer = try await Polling.observe {
                try await second.get("/notes/1", position(token))
            } until: { answer in
                let repeated = answer.headers.first(name: "Duet-Database-Position")
                #expect(repeated == nil || repeated == token)
                return repeated == nil
            }
            #expect(answer.headers.first(name: "Cache-Control") == "no-store")
            #expect(answer.headers.first(name: "ETag") == plain.headers.first(name: "ETag"))
            // Unknown tokens: reads use the primary, and continue to do so.
            let forged = token.replacing(/-\d+\./, with: "-18446744073709551615.")
            let cut = String(token.dropLast(3))
            for unknown in [forged, cut, "", ".", "primary~0.\(token.split(separator: ".")[1])", "a,b"] {
                let answer = try await first.get("/notes/1", position(unknown))
                #expect(answer.status == 200)
                let received = try #require(answer.headers.first(name: "Duet-Database-Position"))
                #expect(received.hasPrefix("primary~"))
                let next = try await second.get("/notes/1", position(received))
                #expect(next.headers.first(name: "Duet-Database-Position") == received)
            }
            let long = try await first.get("/notes/1", position(String(repeating: "0-1-1+", count: 1_700)))
            #expect(long.status == 200)
        }

        @Test("Reads continue without the primary, and writes after the promotion of a replica")
        func promotion() async throws {
            try await ReplicatedMariaDB.with { servers in
                let replica = servers.replicas[0]
                try await Self.with(servers.primary, [replica], ["--max-replica-lag", "600"]) { first, second in
                    // The replica is used, and a read that is newer moves to the primary.
                    let stored = try await Self.create("a", first)
                    let token = stored.headers.first(name: "Duet-Database-Position")
                    #expect(try await Self.texts(second, token) == ["a"])
                    try await replica.administer("STOP SLAVE SQL_THREAD")
                    let later = try await Self.create("b", first, token)
                    let latest = later.headers.first(name: "Duet-Database-Position")
                    // A check that took too long makes the server read the primary for a second.
                    _ = try await Polling.observe {
                        try await Self.texts(second)
                    } until: {
                        $0 == ["a"]
                    }
                    #expect(try await Self.texts(second, latest) == ["a", "b"])
                    _ = try await Polling.observe {
                        _ = try await Self.texts(second, latest)
                        return try await Self.moved(second, "behind")
                    } until: {
                        $0 >= 1
                    }
                    try await replica.administer("START SLAVE SQL_THREAD")
                    _ = try await Polling.observe {
                        try await Self.texts(second)
                    } until: {
                        $0 == ["a", "b"]
                    }

                    await servers.primary.kill()
                    for server in [first, second] {
                        _ = try await Polling.observe {
                            try await server.get("/notes", Self.position(latest))
                        } until: {
                            $0.status == 200 && $0.body.contains(#""b""#)
                        }
                        let write = try await Self.create("lost", server)
                        #expect(write.status == 503, "\(write)")
                        #expect(write.headers.first(name: "Retry-After") != nil)
                        _ = try await Polling.observe {
                            try await server.get("/health/ready").status
                        } until: {
                            $0 == 200
                        }
                    }
                    try await replica.administer("STOP SLAVE; SET GLOBAL read_only = 0")
                    let next = try await Polling.observe {
                        try await Self.create("c", second)
                    } until: {
                        $0.status == 201
                    }
                    let newest = next.headers.first(name: "Duet-Database-Position")
                    let metrics = try Exposition(try await second.get("/metrics").body)
                    #expect(metrics.value("duet_primary_changes_total") == 1)
                    _ = try await Polling.observe {
                        try await Self.create("d", first, newest)
                    } until: {
                        $0.status == 201
                    }
                    for server in [first, second] {
                        #expect(try await Self.texts(server, newest) == ["a", "b", "c", "d"])
                    }
                }
            }
        }

        @Test("Servers that cannot be combined are refused at the start")
        func refusals() async throws {
            try await TemporaryFolder.with { folder in
                for (arguments, variables, part) in [
                    (["--database", "sqlite:a", "--read-database", "sqlite:b"], [:], "replicas are possible only if"),
                    (["--database", "mariadb://a@b/c", "--read-database", "mariadb://a@b/c"], [:], "named twice"),
                    (["--database", "mariadb://a@b/c", "--database", "sqlite:b"], [:], "can be nodes of a cluster"),
                    (
                        ["--database", "mariadb://a@b/c", "--read-database", "mariadb://a@d/c", "--single-writer"], [:],
                        "--single-writer"
                    ),
                    (
                        ["--database", "mariadb://a@b/c", "--database", "mariadb://a@d/c"],
                        ["DUET_READ_DATABASE": "mariadb://a@e/c"], "DUET_READ_DATABASE"
                    ),
                    (
                        ["--database", "mariadb://a@b/c", "--read-database", "mariadb://a@d/c"],
                        ["DUET_SECRET": "short"], "DUET_SECRET must have at least 32 bytes"
                    ),
                ] as [([String], [String: String], String)] {
                    let result = try await Program.run(["serve"] + arguments, in: folder, environment: variables)
                    #expect(result.status == 64, "\(result.errors)")
                    #expect(result.errors.contains(part), "\(result.errors)")
                }
            }
        }
    }
}
