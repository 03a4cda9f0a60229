import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet check")
    struct CheckTests {
        private static let schema = """
            type Query { employee(id: ID!): Employee }
            type Employee { employeeNumber: Int! lastName: String! salaries(current: Boolean): [Salary!]! }
            type Salary { salary: Int! }
            """

        /// Runs `duet check` in a folder with the given files.
        private func check(
            _ files: [String: String], schema: String = schema, _ arguments: [String] = ["queries"]
        ) async throws -> Program.Result {
            try await TemporaryFolder.with { folder in
                try Data(schema.utf8).write(to: folder.appending(path: "schema.graphql"))
                for (name, text) in files {
                    let file = folder.appending(path: name)
                    try FileManager.default.createDirectory(
                        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(text.utf8).write(to: file)
                }
                return try await Program.run(["check", "--schema", "schema.graphql"] + arguments, in: folder)
            }
        }

        @Test("For valid documents, the exit status is 0, even if fragments are in other files")
        func valid() async throws {
            let result = try await check([
                "queries/one.graphql": "query One($id: ID!) { employee(id: $id) { ...Name ...Pay } }",
                "queries/parts/name.gql": "fragment Name on Employee { lastName ...Number }",
                "queries/parts/number.graphql": "fragment Number on Employee { employeeNumber }",
                "queries/pay.graphql": "fragment Pay on Employee { salaries { salary } }",
                "queries/notes.txt": "{ this is not read",
            ])
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output == "4 documents, no errors\n")
        }

        @Test("An error is printed with its location and its source line, and the exit status is 1")
        func invalid() async throws {
            let result = try await check(["queries/one.graphql": "query One {\n\temployee(id: 1) { lastNam }\n}\n"])
            #expect(result.status == 1)
            #expect(
                result.output == """
                    queries/one.graphql:2:20: error: Cannot query field "lastNam" on type "Employee". Did you mean "lastName"?
                        2 | \temployee(id: 1) { lastNam }
                          | \t                  ^
                    1 error in 1 document

                    """)
        }

        @Test("An error in a fragment is reported once, in the file of the fragment")
        func errorInFragment() async throws {
            let result = try await check([
                "queries/a.graphql": "query A { employee(id: 1) { ...Pay } }",
                "queries/b.graphql": "query B { employee(id: 2) { ...Pay } }",
                "queries/pay.graphql": "fragment Pay on Employee { salaries(current: 1) { salary } }",
            ])
            #expect(result.status == 1)
            #expect(
                result.output.contains(
                    "queries/pay.graphql:1:46: error: Boolean cannot represent a non boolean value: 1"))
            #expect(result.output.hasSuffix("1 error in 3 documents\n"))
        }

        @Test("duet check reports syntax errors, unused fragments and duplicate operation names")
        func others() async throws {
            let result = try await check([
                "queries/a.graphql": "query A { employee(id: 1) { lastName }",
                "queries/b.graphql":
                    "query B { employee(id: 1) { lastName } } fragment Unused on Employee { lastName }",
                "queries/c.graphql": "query B { employee(id: 1) { lastName } }",
            ])
            #expect(result.status == 1)
            #expect(result.output.contains("queries/a.graphql:1:39: error: Syntax Error: Expected Name, found <EOF>."))
            #expect(result.output.contains(#"queries/b.graphql:1:42: error: Fragment "Unused" is never used."#))
            #expect(result.output.contains(#"error: The operation name "B" is already used by queries/b.graphql."#))
            #expect(result.output.hasSuffix("3 errors in 3 documents\n"))
        }

        @Test("An invalid schema has exit status 1, and missing files have exit status 66")
        func unusable() async throws {
            let broken = try await check(["queries/a.graphql": "{ a }"], schema: "type Query { a: Nothing }")
            #expect(broken.status == 1 && broken.output.contains("schema.graphql:1:17: error: Unknown type"))
            let empty = try await check(["queries/a.txt": ""])
            #expect(empty.status == 66 && empty.errors.contains("queries"))
            let missing = try await check([:], ["nowhere"])
            #expect(missing.status == 66 && missing.errors.contains("nowhere"))
        }

        @Test("The schema or a document can come from standard input or from any readable file")
        func standardInput() async throws {
            try await TemporaryFolder.with { folder in
                try Data(Self.schema.utf8).write(to: folder.appending(path: "schema.graphql"))
                try Data("{ employee(id: 1) { lastName } }".utf8).write(to: folder.appending(path: "right.graphql"))
                try Data("{ nobody }".utf8).write(to: folder.appending(path: "wrong.graphql"))
                for schema in ["-", "/dev/stdin", "<(cat schema.graphql)"] {
                    let result = try await Program.shell(
                        "cat schema.graphql | duet check --schema \(schema) right.graphql", in: folder)
                    #expect(result.status == 0, "\(schema): \(result.output)\(result.errors)")
                    #expect(result.output == "1 document, no errors\n")
                }
                let wrong = try await Program.shell(
                    "cat wrong.graphql | duet check --schema schema.graphql right.graphql -", in: folder)
                #expect(wrong.status == 1)
                #expect(wrong.output.hasPrefix("<stdin>:1:3: error: Cannot query field \"nobody\" on type \"Query\"."))
                #expect(wrong.output.hasSuffix("1 error in 2 documents\n"))
                let both = try await Program.shell("duet check --schema - -", in: folder)
                #expect(both.status == 64 && both.errors.contains("not both"))
            }
        }
    }
}
