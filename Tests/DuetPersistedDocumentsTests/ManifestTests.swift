import DuetJSON
import DuetPersistedDocuments
import Foundation
import Testing

@Suite("Manifests") struct ManifestTests {
    private static let hello = "query Hello { hello }"
    private static let bye = "mutation Bye { bye }"

    private static func read(_ texts: String...) throws -> PersistedQueryManifest {
        var manifest = PersistedQueryManifest()
        for (index, text) in texts.enumerated() {
            try manifest.add(parsing: Array(text.utf8), named: "\(index).json")
        }
        return manifest
    }

    private static let apollo = """
        {
          "format": "apollo-persisted-query-manifest",
          "version": 1,
          "operations": [
            {"id": "hello-1", "body": "\(hello)", "name": "Hello", "type": "query", "clientName": "web"},
            {"id": "\(DocumentHash(of: bye))", "body": "\(bye)", "name": "Bye", "type": "mutation"}
          ]
        }
        """

    @Test("A manifest has the format of Apollo or of older generators, or is an object that maps ids to documents")
    func forms() throws {
        let hash = DocumentHash(of: Self.bye)
        let output = """
            {"hello-1": {"name": "Hello", "source": "\(Self.hello)"}, "\(hash)": {"name": "Bye", "type": "mutation", "source": "\(Self.bye)"}}
            """
        let bare = """
            \u{FEFF}{"hello-1": "\(Self.hello)", "\(hash)": "\(Self.bye)"}
            """
        for text in [Self.apollo, output, bare] {
            let manifest = try Self.read(text)
            #expect(manifest.operations.map(\.id) == ["hello-1", hash.description])
            #expect(manifest.document(named: "hello-1") == Self.hello)
            #expect(manifest.document(named: "hello-2") == nil)
            #expect(manifest.document(named: hash.description) == Self.bye)
            #expect(manifest.document(hash) == Self.bye)
            // A document is found by the hash of its text, regardless of its id.
            #expect(manifest.document(DocumentHash(of: Self.hello)) == Self.hello)
            #expect(manifest.document(DocumentHash(of: "{ other }")) == nil)
            #expect(manifest.contains(Self.hello) && !manifest.contains(Self.hello + " "))
        }
        let manifest = try Self.read(Self.apollo)
        #expect(manifest.operations.map(\.name) == ["Hello", "Bye"])
        #expect(manifest.operations.map(\.type) == ["query", "mutation"])
    }

    @Test("A document is found by an id of 64 hexadecimal digits, even if the id is not the hash of the text")
    func foreignHash() throws {
        let id = String(repeating: "0a", count: 32)
        let manifest = try Self.read("{\"\(id)\": \"\(Self.hello)\"}")
        let hash = try #require(DocumentHash(hexadecimal: id))
        #expect(manifest.document(hash) == Self.hello)
        #expect(manifest.document(DocumentHash(of: Self.hello)) == Self.hello)
        #expect(manifest.document(named: id) == Self.hello)
    }

    @Test("Ids are compared by their bytes")
    func idsByByte() throws {
        let manifest = try Self.read(#"{"\u00e9": "{ one }", "e\u0301": "{ two }"}"#)
        #expect(manifest.document(named: "\u{E9}") == "{ one }")
        #expect(manifest.document(named: "e\u{301}") == "{ two }")
    }

    @Test("An operation can occur in several files, and one document can have several ids")
    func repeated() throws {
        let manifest = try Self.read(
            Self.apollo, Self.apollo, "{\"hello-1\": \"\(Self.hello)\", \"hello-2\": \"\(Self.hello)\"}")
        #expect(manifest.operations.map(\.id) == ["hello-1", DocumentHash(of: Self.bye).description, "hello-2"])
        #expect(manifest.document(named: "hello-2") == Self.hello)
    }

    private static let hash = DocumentHash(of: "{ a }").description

    @Test(
        "An invalid manifest is rejected with the file, the error and a remedy",
        arguments: [
            ("", ["this is not JSON", "line 1, column 1"]),
            ("{\"a\": \"{ a }\",}", ["this is not JSON", "line 1, column 15"]),
            ("[{\"id\": \"a\"}]", ["this is an array", "\"format\": \"apollo-persisted-query-manifest\""]),
            ("{\"a\": 1}", ["the value of \"a\" is a number", "{\"name\", \"source\"}"]),
            ("{\"a\": {\"name\": \"A\"}}", ["the value of \"a\" has no member \"source\""]),
            (
                "{\"a\": {\"name\": 1, \"source\": \"{ a }\"}}",
                ["\"name\" of the value of \"a\" is a number", "a string"]
            ),
            ("{\"a\": \"{ a }\", \"a\": \"{ b }\"}", ["the name \"a\" occurs twice"]),
            ("{\"a\": \" \\n\"}", ["the document of the id \"a\" is empty; set the document, or remove the operation"]),
            ("{\"\": \"{ a }\"}", ["the id of an operation is empty"]),
            ("{\"operations\": []}", ["\"format\" is missing", "apollo-persisted-query-manifest"]),
            ("{\"format\": \"relay\", \"operations\": []}", ["\"format\" is \"relay\""]),
            (
                "{\"format\": \"apollo-persisted-query-manifest\", \"version\": 2, \"operations\": []}",
                ["\"version\" must be 1"]
            ),
            ("{\"format\": \"apollo-persisted-query-manifest\", \"version\": 1}", ["\"operations\" must be an array"]),
            (
                "{\"format\": \"apollo-persisted-query-manifest\", \"version\": 1, \"operations\": [{\"id\": \"a\"}]}",
                ["operations[0] has no member \"body\""]
            ),
            (
                "{\"format\": \"apollo-persisted-query-manifest\", \"version\": 1, \"operations\": [null]}",
                ["operations[0] is null"]
            ),
            (
                """
                {"format": "apollo-persisted-query-manifest", "version": 1,
                "operations": [{"id": "a", "body": "{ a }"}, {"id": "a", "body": "{ b }"}]}
                """, ["the id \"a\" already identifies another document", "change its id"]
            ),
            (
                "{\"\(hash)\": \"{ b }\", \"x\": \"{ a }\"}",
                ["have different documents", "\"x\"", "\"\(hash)\"", "SHA-256"]
            ),
            (
                "{\"x\": \"{ a }\", \"\(hash)\": \"{ b }\"}",
                ["have different documents", "\"x\"", "\"\(hash)\"", "SHA-256"]
            ),
        ])
    func refused(text: String, parts: [String]) throws {
        let error = try #require(throws: PersistedQueryManifestError.self) { _ = try Self.read(text) }
        #expect(error.source == "0.json")
        #expect(error.description.hasPrefix("0.json: "))
        #expect(!error.description.contains("\n"))
        for part in parts { #expect(error.message.contains(part), "\(error.message)") }
    }

    @Test("The error for two contradictory files names both files, and the error for a missing file names that file")
    func files() throws {
        let error = try #require(throws: PersistedQueryManifestError.self) {
            _ = try Self.read("{\"a\": \"{ a }\"}", "{\"a\": \"{ b }\"}")
        }
        #expect(error.description.hasPrefix("1.json: the id \"a\" already identifies another document in 0.json"))

        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "manifest.json").path
        let missing = try #require(throws: PersistedQueryManifestError.self) {
            _ = try PersistedQueryManifest(contentsOf: [path])
        }
        #expect(missing.source == path && missing.message.contains("cannot be read"))
        try Data(Self.apollo.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try PersistedQueryManifest(contentsOf: [path]).operations.count == 2)
    }

    @Test("A manifest is read back unchanged from both formats, and is always written with the same bytes")
    func written() throws {
        let text = "query A { a(b: \"\\\"\\\\\u{8}\u{1F600}\") }\n# \u{1}"
        var manifest = try Self.read(Self.apollo)
        try manifest.add(
            .init(id: "\"quoted\"\n", document: text, name: "A", type: "query"), from: "test")
        for format in PersistedQueryManifest.Format.allCases {
            var read = PersistedQueryManifest()
            try read.add(parsing: manifest.json(format), named: "written")
            #expect(read.operations == manifest.operations)
            #expect(manifest.json(format) == read.json(format))
        }
        #expect(
            String(decoding: try Self.read("{\"x\": \"{ a }\"}").json(.apollo), as: UTF8.self) == """
                {
                  "format": "apollo-persisted-query-manifest",
                  "version": 1,
                  "operations": [
                    {
                      "id": "x",
                      "body": "{ a }"
                    }
                  ]
                }

                """)
        #expect(String(decoding: PersistedQueryManifest().json(.operationIDs), as: UTF8.self) == "{}\n")
    }
}
