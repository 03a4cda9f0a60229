import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    /// The quick starts of the libraries: programs in `Snippets`, which the articles of the documentation explain.
    @Suite("Quick starts of the libraries")
    struct SnippetTests {
        private static let snippets = Checkout.files(in: "Snippets", suffix: ".swift")
        /// The programs that articles explain.
        private static let programs = snippets + ["Examples/behind-hummingbird/main.swift"]
        private static let articles = ["DuetGraphQL", "DuetResultSetJSON", "DuetSQLDatabase"].flatMap {
            Checkout.files(in: "Sources/\($0)/\($0).docc", suffix: ".md")
        }

        @Test("The package lines of docs/libraries.md and of the articles require the latest release")
        func requiredVersion() throws {
            let changelog = try Checkout.text("CHANGELOG.md")
            let release = try #require(changelog.firstMatch(of: /\n## (\d+\.\d+\.\d+) -/)?.1)
            let lines = try (Self.articles + ["docs/libraries.md"]).flatMap { document in
                try Checkout.text(document).matches(of: /\.package\(url: "…", (.+?), traits/).map { String($0.1) }
            }
            #expect(lines.count == 3 && Set(lines) == ["from: \"\(release)\""])
        }

        @Test("Each program prints the output in its comments", arguments: snippets)
        func output(snippet: String) async throws {
            let text = try Checkout.text(snippet)
            let expected = text.matches(of: /(?m)^ *\/\/ Prints: (.*)$/).map { String($0.1) }
            let name = URL(fileURLWithPath: snippet).deletingPathExtension().lastPathComponent
            try await TemporaryFolder.with { folder in
                let result = try await Program.run(
                    [], of: Products.folder.appending(path: name).path, in: folder)
                #expect(result.status == 0, "\(result.errors)")
                #expect(!expected.isEmpty)
                let printed = result.output.split(whereSeparator: \.isNewline).map(String.init)
                #expect(printed == expected)
            }
        }

        @Test("The program with Hummingbird answers GET and POST, and rejects introspection and large bodies")
        func behindHummingbird() async throws {
            let program = Products.folder.appending(path: "behind-hummingbird").path
            try await TemporaryFolder.with { folder in
                try await Program.with([], of: program, in: folder) { program in
                    try await program.errors.wait(for: "listening on 127.0.0.1:")
                    let port = try #require(program.errors.text.firstMatch(of: /listening on 127.0.0.1:(\d+)/)).1
                    let result = try await Program.shell(
                        """
                        url=http://127.0.0.1:\(port)/graphql
                        curl -G "$url" --data-urlencode 'query={ greeting(name: "Ada") }'; echo
                        curl "$url" --json '{"query":"{ greeting }"}'; echo
                        curl --no-fail-with-body -o answer.json -w '%{http_code}\\n' "$url" --json '{"query":"{ gretting }"}' \\
                            -H 'Accept: application/graphql-response+json'
                        curl --no-fail-with-body -o answer.json -w '%{http_code}\\n' "$url" -d 'query={greeting}'
                        curl --no-fail-with-body -o answer.json -w '%{http_code}\\n' "$url" --json '{"query":"{ __schema { description } }"}' \\
                            -H 'Accept: application/graphql-response+json'
                        head -c 300000 /dev/zero | curl --no-fail-with-body -o answer.json -w '%{http_code}\\n' "$url" \\
                            -H 'Content-Type: application/json' -H 'Expect:' --data-binary @-
                        """, in: folder)
                    #expect(
                        result.output
                            == """
                            {"data":{"greeting":"Hello, Ada"}}
                            {"data":{"greeting":"Hello, world"}}
                            400
                            415
                            400
                            413

                            """, "\(result.errors)")
                }
            }
        }

        @Test("Each Swift block in an article is part of a program", arguments: articles)
        func blocks(article: String) throws {
            func dense(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
            let code = dense(try Self.programs.map(Checkout.text).joined())
            for block in try Checkout.text(article).matches(of: /(?s)```swift\n(.*?)```/).map(\.1) {
                #expect(code.contains(dense(block)), "\(block)")
            }
        }

        @Test("The programs and articles of the quick starts exist")
        func found() {
            #expect(Self.snippets.count >= 7)
            #expect(Self.articles.count >= 8)
        }
    }
}
