import DuetJSON
import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet generate")
    struct GenerateTests {
        private static let schema = """
            type Query { item(id: ID!): Item }
            type Item { id: ID! name: String old: Int @deprecated(reason: "Use name.") }
            """
        private static let files = [
            "schema.graphql": schema,
            "queries/item.graphql": "query Item($id: ID!) { item(id: $id) { ...Name } }",
            "queries/name.gql": "fragment Name on Item { name }",
        ]

        /// Calls a closure with a folder that has these files.
        private func withFiles(
            _ files: [String: String] = files, _ body: (URL) async throws -> Void
        ) async throws {
            try await TemporaryFolder.with { folder in
                for (name, text) in files {
                    let file = folder.appending(path: name)
                    try FileManager.default.createDirectory(
                        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: file)
                }
                try await body(folder)
            }
        }

        private static let arguments = ["generate", "--schema", "schema.graphql", "queries", "--output", "API.swift"]

        @Test(
            "The output of duet generate is equal to the generated code in the DuetClient tests (DUET_UPDATE_EXPECTATIONS=1 updates it)",
            arguments: [
                [
                    "openapi/schema.graphql", "employees", "EmployeesAPI", "--scalar", "Date=EpochDate",
                    "--field-lists",
                ],
                ["Tests/DuetOperationGeneratorTests/Samples/traps/schema.graphql", "traps", "TrapsAPI"],
            ])
        func samples(sample: [String]) async throws {
            let isUpdate = ProcessInfo.processInfo.environment["DUET_UPDATE_EXPECTATIONS"] != nil
            let documents = "Tests/DuetOperationGeneratorTests/Samples/\(sample[1])"
            let result = try await Program.run(
                [
                    "generate", "--schema", sample[0],
                    sample[1] == "traps" ? documents + "/operations.graphql" : documents,
                    "--namespace", sample[2], "--output", "Tests/DuetClientTests/Generated/\(sample[2]).swift",
                ] + sample.dropFirst(3) + (isUpdate ? [] : ["--check"]), in: Checkout.folder)
            #expect(result.status == 0, "\(result.errors)")
        }

        @Test("duet generate does not rewrite a file that is up to date")
        func unchanged() async throws {
            try await withFiles { folder in
                let first = try await Program.run(Self.arguments, in: folder)
                #expect(first.output == "API.swift: 1 operation, 1 fragment\n")
                let file = folder.appending(path: "API.swift").path
                let written = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
                let second = try await Program.run(Self.arguments, in: folder)
                #expect(second.output == "API.swift is up to date: 1 operation, 1 fragment\n")
                #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == written)
                #expect(try await Program.run(Self.arguments + ["--check"], in: folder).status == 0)
                try Data("fragment Name on Item { id name }".utf8).write(to: folder.appending(path: "queries/name.gql"))
                let checked = try await Program.run(Self.arguments + ["--check"], in: folder)
                #expect(checked.status == 1)
                #expect(checked.errors == "duet: API.swift is not up to date; run the command without --check\n")
            }
        }

        @Test("duet generate uses the same hashes as duet persist, and writes the same manifest")
        func manifest() async throws {
            try await withFiles { folder in
                let generated = try await Program.run(Self.arguments + ["--manifest", "manifest.json"], in: folder)
                #expect(generated.status == 0)
                let persisted = try await Program.run(["persist", "queries", "--schema", "schema.graphql"], in: folder)
                let manifest = try String(contentsOf: folder.appending(path: "manifest.json"), encoding: .utf8)
                #expect(manifest == persisted.output)
                let source = try String(contentsOf: folder.appending(path: "API.swift"), encoding: .utf8)
                let operations = try JSONValue(parsing: manifest.utf8)["operations"]
                guard case .array(let list)? = operations, case .string(let id)? = list.first?["id"] else {
                    Issue.record("the manifest has no operations: \(manifest)")
                    return
                }
                #expect(source.contains("static let hash = \"\(id)\""))
            }
        }

        @Test("Errors in documents are reported with their locations, and no file is written")
        func errors() async throws {
            var files = Self.files
            files["queries/bad.graphql"] = "query Bad {\n  item(id: 1) { nme }\n}"
            try await withFiles(files) { folder in
                let result = try await Program.run(Self.arguments, in: folder)
                #expect(result.status == 1)
                #expect(
                    result.errors.hasPrefix(
                        "queries/bad.graphql:2:17: error: Cannot query field \"nme\" on type \"Item\". Did you mean \"name\"?\n"
                    ))
                #expect(result.errors.hasSuffix("1 error in 3 documents\n"))
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "API.swift").path))
            }
        }

        @Test("duet generate warns about deprecated fields")
        func deprecation() async throws {
            var files = Self.files
            files["queries/name.gql"] = "fragment Name on Item { old }"
            try await withFiles(files) { folder in
                let result = try await Program.run(Self.arguments, in: folder)
                #expect(result.status == 0)
                #expect(
                    result.errors.hasPrefix(
                        "queries/name.gql:1:25: warning: The field Item.old is deprecated. Use name.\n"))
            }
        }

        @Test(
            "Unreadable input, unwritable output and invalid options are rejected with a message that explains why",
            arguments: [
                (
                    ["--schema", "none.graphql", "queries"], 66,
                    "duet: none.graphql cannot be read; check that it is a file"
                ),
                (["--schema", "schema.graphql", "none"], 66, "duet: there is no file or folder none"),
                (
                    ["--schema", "schema.graphql", "queries", "--output", "queries"], 73,
                    "duet: queries cannot be written"
                ),
                (
                    ["--schema", "queries/name.gql", "queries"], 1,
                    "queries/name.gql:1:18: error: Unknown type \"Item\"."
                ),
                (["--schema", "schema.graphql"], 64, "Error: Specify documents, or pass --field-lists."),
                (
                    ["--schema", "-", "-"], 64,
                    "Error: Only the schema or one document can be the standard input, not both."
                ),
                (
                    ["--schema", "schema.graphql", "queries", "--check"], 64,
                    "Error: --check requires the file to compare with: --output FILE."
                ),
                (
                    ["--schema", "schema.graphql", "queries", "--scalar", "Date"], 64,
                    "Error: --scalar Date does not have the form name=type, as in Date=EpochDate."
                ),
                (
                    ["--schema", "schema.graphql", "queries", "--scalar", "Date=Day"], 1,
                    "schema.graphql: error: The schema has no scalar or enumeration Date; correct the option --scalar."
                ),
                (
                    ["--schema", "schema.graphql", "queries", "--namespace", "my api"], 64,
                    "Error: my api cannot be the name of a Swift enumeration or module."
                ),
            ] as [([String], Int32, String)])
        func refusals(arguments: [String], status: Int32, message: String) async throws {
            try await withFiles { folder in
                let result = try await Program.run(["generate"] + arguments, in: folder)
                #expect(result.status == status)
                #expect(result.errors.hasPrefix(message), "\(result.errors)")
            }
        }
    }
}
