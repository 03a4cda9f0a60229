import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    /// The quick starts of the libraries: programs in `Snippets`, which the articles of the documentation explain.
    @Suite("Quick starts of the libraries")
    struct SnippetTests {
        private static let snippets = Checkout.files(in: "Snippets", suffix: ".swift")

        @Test("Each package line of the documentation requires the latest release and names the traits")
        func requiredVersion() throws {
            let changelog = try Checkout.text("CHANGELOG.md")
            let release = try #require(changelog.firstMatch(of: /\n## (\d+\.\d+\.\d+) -/)).1
            let manifest = try Checkout.text("Package.swift")
            let documents = ["Sources", "docs"].flatMap { Checkout.files(in: $0, suffix: ".md") }
            let lines = try documents.flatMap { document in
                try Checkout.text(document).matches(of: /\.package\(url:.*/).map { String($0.0) }
            }
            let own = lines.filter { $0.hasPrefix(".package(url: \"…\"") }
            #expect(own.count >= 4)
            for line in own {
                let version = line.prefixMatch(of: /\.package\(url: "…", from: "([^"]+)", traits: \[.*\]\)/)?.1
                #expect(version == release, "\(line)")
            }
            // Another package is a dependency of this repository, too, so its version is tested.
            for line in lines where !own.contains(line) { #expect(manifest.contains(line), "\(line)") }
        }

        @Test("The documentation names the version of Swift and the platforms that the manifest requires")
        func requirements() throws {
            let manifest = try Checkout.text("Package.swift")
            let version = try #require(manifest.firstMatch(of: /^\/\/ swift-tools-version: ([0-9.]+)\n/)).1
            let platforms = try #require(manifest.firstMatch(of: /\n    platforms: \[(.+)\],/)).1
            let libraries = try Checkout.text("docs/libraries.md")
            #expect(libraries.contains("Duet needs Swift \(version) or newer."))
            #expect(libraries.contains("`platforms: [\(platforms)]`"))
            let client = try Checkout.text("Sources/DuetClient/DuetClient.docc/Articles/GettingStarted.md")
            #expect(client.contains("requires Swift \(version) "))
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

        @Test("The programs of the quick starts exist")
        func found() {
            #expect(Self.snippets.count >= 7)
        }
    }
}
