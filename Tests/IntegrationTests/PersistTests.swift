import DuetJSON
import DuetPersistedDocuments
import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet persist")
    struct PersistTests {
        private static let schema = """
            type Query { employee(id: ID!): Employee departments: [Department!]! }
            type Mutation { delete(id: ID!): Boolean }
            type Employee { employeeNumber: Int! lastName: String! }
            type Department { departmentName: String! }
            """

        /// Runs `duet persist` in a folder with the given files.
        private func persist(
            _ files: [String: String], _ arguments: [String] = ["queries", "--schema", "schema.graphql"],
            _ body: (Program.Result, URL) throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                var files = files
                files["schema.graphql"] = Self.schema
                for (name, text) in files {
                    let file = folder.appending(path: name)
                    try FileManager.default.createDirectory(
                        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: file)
                }
                try body(try await Program.run(["persist"] + arguments, in: folder), folder)
            }
        }

        private static let files = [
            "queries/z.graphql": """
            # In the manifest, the second operation of this file precedes the first.
            query Name( $id : ID! ) { employee(id:$id) { ...Name } }
            query Departments { departments { departmentName } }
            """,
            "queries/a.graphql": "mutation Remove { delete(id: 1) } fragment Number on Employee { employeeNumber }",
            "queries/parts/name.gql": "fragment Name on Employee { lastName, ...Number }",
        ]

        private static let documents = [
            "query Departments {\n  departments {\n    departmentName\n  }\n}",
            """
            query Name($id: ID!) {
              employee(id: $id) {
                ...Name
              }
            }

            fragment Name on Employee {
              lastName
              ...Number
            }

            fragment Number on Employee {
              employeeNumber
            }
            """,
            "mutation Remove {\n  delete(id: 1)\n}",
        ]

        @Test(
            "The manifest has all operations, sorted by name, with their fragments from any file and their hashes"
        )
        func operations() async throws {
            for format in ["apollo", "operation-ids"] {
                try await persist(
                    Self.files, ["queries", "--schema", "schema.graphql", "--format", format, "--output", "out.json"]
                ) { result, folder throws in
                    #expect(result.status == 0, "\(result.output)\(result.errors)")
                    #expect(result.output == "3 operations in out.json\n")
                    let file = folder.appending(path: "out.json")
                    let manifest = try PersistedQueryManifest(contentsOf: [file.path])
                    #expect(manifest.operations.map(\.name) == ["Departments", "Name", "Remove"])
                    #expect(manifest.operations.map(\.type) == ["query", "query", "mutation"])
                    #expect(manifest.operations.map(\.document) == Self.documents)
                    #expect(
                        manifest.operations.map(\.id) == Self.documents.map { DocumentHash(of: $0).description })
                    let object = try JSONValue(parsing: try Data(contentsOf: file))
                    #expect((object["format"] != nil) == (format == "apollo"))
                    // No temporary file remains, and the manifest has the same read permissions as other files.
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
                    let mode = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
                    #expect(try mode(file.path) == mode(folder.appending(path: "schema.graphql").path))
                }
            }
        }

        @Test("Without --output, the manifest is printed, and does not depend on the names and layout of the files")
        func deterministic() async throws {
            var other = Self.files
            other["queries/a.graphql"] =
                "\nfragment Number on Employee\n{ employeeNumber }\n\nmutation Remove { delete(id: 1,) }"
            other["queries/1.graphql"] = other.removeValue(forKey: "queries/z.graphql")
            var outputs: [String] = []
            for files in [Self.files, other] {
                try await persist(files) { result, _ throws in
                    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
                    outputs.append(result.output)
                }
            }
            #expect(outputs.count == 2 && outputs.first == outputs.last)
            #expect(outputs.first?.hasPrefix("{\n  \"format\": \"apollo-persisted-query-manifest\",\n") == true)
        }

        @Test("Without --schema, the documents are validated against the schema that duet serves")
        func ownSchema() async throws {
            try await persist(["q.graphql": "query Name { employee(id: 1) { lastName } }"], ["q.graphql"]) {
                result, _ throws in
                #expect(result.status == 0 && result.output.contains("\"name\": \"Name\""), "\(result.errors)")
            }
            try await persist(["q.graphql": "query Name { employee(id: 1) { lastNam } }"], ["q.graphql"]) {
                result, _ throws in
                #expect(result.status == 1 && result.output.isEmpty)
                #expect(
                    result.errors.contains(
                        "q.graphql:1:32: error: Cannot query field \"lastNam\" on type \"Employee\"."))
            }
        }

        @Test(
            "Errors and anonymous operations in documents are reported with their locations, and no file is written"
        )
        func errors() async throws {
            let output = ["queries", "--schema", "schema.graphql", "--output", "out.json"]
            try await persist(
                [
                    "queries/a.graphql":
                        "query A { employee(id: 1) { lastName } }\n  { departments { departmentName } }",
                    "out.json": "before",
                ], output
            ) { result, folder throws in
                #expect(result.status == 1 && result.output.isEmpty)
                #expect(result.errors.contains("queries/a.graphql:2:3: error: This operation has no name"))
                #expect(result.errors.contains("query Name { … }"))
                #expect(try String(contentsOf: folder.appending(path: "out.json"), encoding: .utf8) == "before")
            }
            try await persist(
                [
                    "queries/a.graphql": "query A { nobody }",
                    "queries/b.graphql": "query A { departments { departmentName } }",
                ],
                output
            ) { result, folder throws in
                #expect(result.status == 1)
                #expect(result.errors.contains("error: Cannot query field \"nobody\""))
                #expect(result.errors.contains("The operation name \"A\" is already used by queries/a.graphql."))
                #expect(result.errors.hasSuffix("2 errors in 2 documents\n"))
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "out.json").path))
            }
        }

        @Test("A missing file has exit status 66, an unwritable manifest 73 and a usage error 64")
        func statuses() async throws {
            try await persist([:], ["nowhere"]) { result, _ throws in
                #expect(result.status == 66 && result.errors.contains("nowhere"))
            }
            try await persist(Self.files, ["queries", "--schema", "schema.graphql", "--output", "no/out.json"]) {
                result, _ throws in
                #expect(
                    result.status == 73 && result.errors.contains("no/out.json cannot be written"), "\(result.errors)")
            }
            try await persist(Self.files, ["queries", "--format", "relay"]) { result, _ throws in
                #expect(result.status == 64 && result.errors.contains("operation-ids"))
            }
            try await persist([:], ["-", "--schema", "-"]) { result, _ throws in
                #expect(result.status == 64 && result.errors.contains("not both"))
            }
        }

        @Test("The command of docs/persisted-queries.md writes a manifest with the query on the page")
        func documented() async throws {
            let blocks = try DocumentBlock.all(of: "docs/persisted-queries.md")
            let command = try #require(blocks.first { $0.commands == ["duet"] })
            let queries = blocks.compactMap { $0.text.firstMatch(of: /"query":"([^"]+)"/)?.1 }
            let query = try #require(queries.first)
            try await TemporaryFolder.with { folder in
                let queries = folder.appending(path: "Sources/Queries")
                try FileManager.default.createDirectory(at: queries, withIntermediateDirectories: true)
                try Data(query.utf8).write(to: queries.appending(path: "employee.graphql"))
                let result = try await Program.shell(command.text, in: folder)
                #expect(result.status == 0, "\(result.errors)")
                let manifest = try PersistedQueryManifest(contentsOf: [folder.appending(path: "manifest.json").path])
                #expect(manifest.operations.map(\.name) == ["Employee"])
                // The manifest has the same query in another layout.
                let document = manifest.operations.first?.document.filter { !$0.isWhitespace }
                #expect(document == query.filter { !$0.isWhitespace })
            }
        }

        @Test("A document can come from standard input")
        func standardInput() async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.shell(
                    "echo 'query D { departments { nodes: departmentName } }' | duet persist -", in: folder)
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains("nodes: departmentName"))
            }
        }
    }
}
