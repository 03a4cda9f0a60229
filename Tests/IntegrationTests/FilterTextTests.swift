import DuetSQLDatabase
import Foundation
import ProcessTesting
import TestSupport
import Testing

extension ProgramTests {
    @Suite("Names and patterns in filters")
    struct FilterTextTests {
        private static let names = ["first", "after", "sort", "fields", "filter", "details", "count", "api", "page"]

        @Test(
            "A field with the name of a parameter is filtered with an operator, and an error of the parameter suggests it",
            arguments: TestBackend.available)
        func filters(_ backend: TestBackend) async throws {
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    let columns = Self.names.map { "`\($0)` VARCHAR(9)" }.joined(separator: ", ")
                    let values = ["x", "y"].map { letter in
                        Self.names.map { _ in "'\(letter)'" }.joined(separator: ", ")
                    }
                    try await database.write {
                        try $0.executeScript(
                            """
                            CREATE TABLE odds (id INTEGER NOT NULL PRIMARY KEY, \(columns));
                            INSERT INTO odds VALUES (1, \(values[0])), (2, \(values[1]))
                            """)
                    }
                    try await Server.with(["--database", database.url.text], in: folder) { server in
                        for name in Self.names {
                            let found = try await server.get("/odds?\(name).eq=y&\(name).like=y*&fields=id")
                            #expect(found.body == #"[{"id":2}]"#, "\(name)")
                            let wrong = try await server.get("/odds?\(name)=y")
                            #expect(wrong.status == 400)
                            let isKnown = !["api", "details", "page"].contains(name)
                            let hint = isKnown ? "to compare the field \(name), write \(name).eq=" : "\(name).eq"
                            #expect(wrong.body.contains(hint), "\(wrong.body)")
                        }
                        // Without a field of this name, there is no suggestion.
                        let other = try await server.get("/odds?id=x")
                        #expect(other.status == 400 && !other.body.contains("write "), "\(other.body)")
                    }
                }
            }
        }

        @Test("A pattern matches as docs/filters.md describes", arguments: TestBackend.available)
        func patterns(_ backend: TestBackend) async throws {
            let texts = ["50%", "50x", "a*b", #"a\b"#, "axb", "a_b", "AXB", #"a\"#]
            let cases: [(pattern: String, matches: [Int])] = [
                ("50%*", [0]), ("50*", [0, 1]), ("a*b", [2, 3, 4, 5]), (#"a\*b"#, [2]), (#"a\\b"#, [3]), (#"a\b"#, [3]),
                (#"a\"#, [7]), (#"a\\*"#, [3, 7]), ("a_b", [5]), ("a?b", []), ("[a]xb", []), ("axb", [4]), ("x", []),
            ]
            try await TemporaryFolder.with { folder in
                try await TestDatabase.with(backend, schema: false) { database in
                    try await database.write { connection in
                        try connection.executeScript(
                            "CREATE TABLE texts (id INTEGER NOT NULL PRIMARY KEY, t VARCHAR(9))")
                        for (id, text) in texts.enumerated() {
                            try connection.execute("INSERT INTO texts VALUES (:id, :text)", ["id": id, "text": text])
                        }
                    }
                    try await Server.with(["--database", database.url.text], in: folder) { server in
                        for (pattern, matches) in cases {
                            let value = pattern.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                            let found = try await server.get("/texts?fields=id&t.like=\(value)")
                            let expected = matches.map { #"{"id":\#($0)}"# }.joined(separator: ",")
                            #expect(found.body == "[\(expected)]", "\(pattern)")
                        }
                    }
                }
            }
        }
    }
}
