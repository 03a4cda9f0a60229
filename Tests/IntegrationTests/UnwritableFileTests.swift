import Foundation
import NIOHTTP1
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet serve with a SQLite file that cannot be written")
    struct UnwritableFileTests {
        private static let patch = #"{"lastName":"Mine"}"#
        private static let mutation =
            #"{"query":"mutation { updateEmployee(input: {id: 10004, lastName: \"Mine\"}) { employee { id } } }"}"#

        @Test("With a read-only file, reads work, and writes return 503 until the file is writable")
        func readOnlyFile() async throws {
            try await SampleDatabase.with { folder, url in
                try setPermissions(0o444, of: folder)
                // File permissions do not restrict root unless the process drops the capability `dac_override`.
                let prefix = geteuid() == 0 ? "setpriv --bounding-set=-dac_override " : ""
                let script = "exec \(prefix)'\(Products.duet)' serve --port 0 --database '\(url)'"
                try await Program.with(["-c", script], of: "/bin/bash", in: folder) { program in
                    let server = try await Server(program)
                    for _ in 0..<3 {
                        try await expectRefusal(by: server, "database-read-only")
                    }
                    // The reads overlap, so that a connection to the file is always open.
                    let readers = (0..<4).map { _ in
                        Task { while !Task.isCancelled { _ = try await server.get("/employees?first=20") } }
                    }
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o644], ofItemAtPath: folder.appending(path: "sample.sqlite").path)
                    let written = try await server.send("PATCH", "/employees/10004", body: Self.patch)
                    #expect(written.status == 200, "\(written.body)")
                    for reader in readers {
                        reader.cancel()
                        // The last request of the task may have been canceled.
                        _ = await reader.result
                    }
                    let read = try await server.get("/employees/10004")
                    #expect(read.status == 200 && read.body.contains("Mine"))
                }
            }
        }

        @Test("If the file cannot grow, reads work, and writes return 503 until the file can grow")
        func failingWrites() async throws {
            try await SampleDatabase.with { folder, url in
                // The write-ahead log reaches this size after some writes. The system rejects larger files.
                let script =
                    "trap '' XFSZ; ulimit -S -f 64; echo $$ >pid; exec '\(Products.duet)' serve --port 0 --database '\(url)'"
                try await Program.with(["-c", script], of: "/bin/bash", in: folder) { program in
                    let server = try await Server(program)
                    var number = 0
                    while true {
                        number += 1
                        let write = try await server.send(
                            "PATCH", "/employees/10004", body: #"{"lastName":"Name \#(number)"}"#)
                        guard write.status != 200 else { continue }
                        #expect(write.status == 503 && write.body.contains(#""database-io-error""#), "\(write.body)")
                        break
                    }
                    #expect(number > 1)
                    try await expectRefusal(by: server, "database-io-error", lastName: "Name \(number - 1)")
                    let raised = try await Program.shell("prlimit --pid $(cat pid) --fsize=unlimited", in: folder)
                    #expect(raised.status == 0, "\(raised.errors)")
                    let written = try await server.send("PATCH", "/employees/10004", body: Self.patch)
                    #expect(written.status == 200, "\(written.body)")
                }
            }
        }

        private func expectRefusal(by server: Server, _ code: String, lastName: String = "Koblick") async throws {
            let write = try await server.send("PATCH", "/employees/10004", body: Self.patch)
            #expect(write.status == 503 && write.body.contains("\"\(code)\""), "\(write.body)")
            #expect(write.headers.contains(name: "Retry-After"))
            let mutation = try await server.send("POST", "/graphql", body: Self.mutation)
            let name = code.uppercased().replacing("-", with: "_")
            #expect(mutation.body.contains("\"\(name)\""), "\(mutation.body)")
            let read = try await server.get("/employees/10004")
            #expect(read.status == 200 && read.body.contains("\"\(lastName)\""), "\(read.body)")
        }

        /// Sets the permissions of the database file, the write-ahead log and the shared memory file.
        private func setPermissions(_ permissions: Int, of folder: URL) throws {
            for suffix in ["", "-wal", "-shm"] {
                let path = folder.appending(path: "sample.sqlite" + suffix).path
                guard FileManager.default.fileExists(atPath: path) else { continue }
                try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            }
        }
    }
}
