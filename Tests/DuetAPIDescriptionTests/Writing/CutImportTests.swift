import DuetJSON
import NIOHTTP1
import ProcessTesting
import TestSupport
import Testing

@Suite("Cut imports") struct CutImportTests {
    @Test(
        "If a body ends anywhere in a row, nothing is written, and the error has the line",
        arguments: TestBackend.available)
    func cuts(_ backend: TestBackend) async throws {
        let bodies = [
            ("application/x-ndjson", "{\"id\":3,\"name\":\"é\\n\"}\n{\"name\":\"Dan\",\"id\":4}\n"),
            ("text/csv", "\u{FEFF}name,id,email\r\n\"Cleo, \"\"C\",3,\r\nDan,4,\"x\"\r\n"),
        ]
        try await WritableShop.with(backend) { (shop: WritableShop) async throws in
            for (type, body) in bodies {
                let bytes = Array(body.utf8)
                for end in 0..<bytes.count {
                    // A cut character is not UTF-8.
                    let cut = String(validating: bytes[..<end], as: UTF8.self)
                    guard let cut else { continue }
                    let name = "\(type), \(end) bytes"
                    let answer = try await shop.server.send("POST", "/customers", ["Content-Type": type], body: cut)
                    let rows = try await shop.send("GET", "/customers?fields=id&id.gt=2")
                    guard answer.status != 200 else {
                        // The body ends after a whole row, or in the last value of a line of CSV.
                        guard case .integer(let count)? = try answer.json["created"] else { continue }
                        #expect(
                            rows.body == (count == 0 ? "[]" : count == 1 ? #"[{"id":3}]"# : #"[{"id":3},{"id":4}]"#))
                        let lines = cut.split(whereSeparator: \.isNewline).count - (type == "text/csv" ? 1 : 0)
                        #expect(count == max(lines, 0), "\(name): \(answer.body)")
                        _ = try await shop.send("DELETE", "/customers?id.gt=2")
                        continue
                    }
                    #expect([400, 422].contains(answer.status), "\(name): \(answer.body)")
                    #expect(rows.body == "[]", "\(name)")
                    let line = Int64(cut.count { $0.isNewline } + 1)
                    #expect(try answer.json["line"] == .integer(line), "\(name): \(answer.body)")
                }
            }
        }
    }
}
