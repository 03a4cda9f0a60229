import AsyncHTTPClient
import DuetSQLDatabase
import Foundation
import NIOCore
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Exports of whole tables")
    struct ExportTests {
        private static let limit = 32 * 1024 * 1024

        @Test(
            "Python and sqlite3 find all rows in a CSV export of one field, even if most values are NULL or empty",
            arguments: TestBackend.available)
        func nullsInCSV(_ backend: TestBackend) async throws {
            try await TestDatabase.with(backend, schema: false) { database in
                try await database.write { connection in
                    try connection.execute(
                        "CREATE TABLE tracks (id INTEGER NOT NULL PRIMARY KEY, composer VARCHAR(60))")
                    let inserter = try connection.bulkInserter(into: "tracks", columns: ["id", "composer"])
                    for id in 1...3_503 {
                        let composer: SQLValue =
                            switch id % 4 {
                            case 0: .text("AC/DC, \"Angus\" & Co.\r\n")
                            case 1: .text("")
                            default: .null
                            }
                        try inserter.append([.integer(Int64(id)), composer])
                    }
                    try inserter.finish()
                }
                let script = """
                    curl -H 'Accept: text/csv' "$BASE/tracks?fields=composer" >tracks.csv
                    python3 -c 'import csv
                    rows = list(csv.DictReader(open("tracks.csv", newline="")))
                    print(len(rows), sum(row["composer"] == "" for row in rows))'
                    sqlite3 tracks.db '.import --csv tracks.csv tracks' "SELECT count(*), sum(composer = '') FROM tracks"
                    """
                try await TemporaryFolder.with { folder in
                    try await Server.with(in: folder, environment: ["DUET_DATABASE": database.url.text]) { server in
                        let result = try await Program.shell(script, in: folder, environment: ["BASE": server.base])
                        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
                        #expect(result.output == "3503 2628\n3503|2628\n")
                    }
                }
            }
        }

        @Test(
            "Slow readers and long tables increase the memory of the server by less than 32 MiB")
        func boundedMemory() async throws {
            try await SampleDatabase.with(employees: 20_000) { folder, url in
                try await Server.with(["--database", url, "--pool-size", "8"], in: folder) { server in
                    let headers = ["Accept": "application/x-ndjson"]
                    // The first read allocates the memory that every export needs once, such as threads and the table
                    // of days.
                    _ = try await server.get("/salaries?first=1000", headers)
                    let before = try server.program.residentMemory()
                    var exports: [AsyncHTTPClient.HTTPClientResponse.Body.AsyncIterator?] = []
                    for _ in 0..<3 {
                        let export = try await server.stream("GET", "/salaries", headers)
                        #expect(export.status == .ok)
                        exports.append(export.body.makeAsyncIterator())
                    }
                    var bytes = 0
                    var most = before
                    // The three exports are read in turn, one piece at a time. Between two pieces, the server can
                    // produce more data, because another request completes first.
                    var rounds = 0
                    while exports.contains(where: { $0 != nil }) {
                        rounds += 1
                        for index in exports.indices {
                            let piece = try await exports[index]?.next()
                            if let piece { bytes += piece.readableBytes } else { exports[index] = nil }
                        }
                        guard rounds.isMultiple(of: 16) else { continue }
                        #expect(try await server.get("/health/live").status == 200)
                        most = max(most, try server.program.residentMemory())
                    }
                    most = max(most, try server.program.residentMemory())
                    #expect(bytes > Self.limit * 5 / 4, "the exports are larger than the limit of the memory")
                    #expect(most - before < Self.limit, "grew by \((most - before) >> 10) KiB")
                }
            }
        }
    }
}
