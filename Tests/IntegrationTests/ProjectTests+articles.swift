import Foundation
import ProcessTesting
import Testing

extension ProjectTests {
    /// The articles of the libraries, from the view of a newcomer.
    @Suite("Articles of the libraries")
    struct Articles {
        private static let pages = Checkout.files(in: "Sources", suffix: ".md").filter { $0.contains(".docc/") }
        private static let articles = pages.filter {
            $0.contains(".docc/Articles/") && ((try? Checkout.text($0).contains("```swift")) ?? true)
        }

        /// The modules of the toolchain. Users of a library import them.
        private static let toolchain: Set = ["Foundation", "FoundationNetworking", "Testing"]

        @Test("Each library exports the modules of other packages and targets whose types are in its interface")
        func exports() throws {
            for library in try ProjectTests.libraries() {
                let files = Checkout.files(in: "Sources/\(library)", suffix: ".swift").filter { !$0.contains(".docc/") }
                let text = try files.map(Checkout.text).joined(separator: "\n")
                func modules(_ imports: Regex<(Substring, Substring)>) -> Set<String> {
                    Set(text.matches(of: imports).map { String($0.1) })
                }
                let used = modules(/(?m)^ *public import (?:\w+ )?(\w+)/).subtracting(Self.toolchain)
                let exported = modules(/(?m)^ *@_exported public import (?:\w+ )?(\w+)/)
                #expect(exported.isSuperset(of: used), "\(library): \(used.subtracting(exported))")
            }
        }

        /// The products, traits and imports of an article.
        private struct Requirements {
            var products: Set<String>
            let traits: String
            let imports: Set<String>

            init(_ article: String) throws {
                let paragraph = /(?s)\nProducts?: (.*?)\.? Traits?:\s(.*?)\.\sImports?:?\s(.*?)\n\n/
                let named = try #require(article.firstMatch(of: paragraph))
                func names(_ text: Substring) -> Set<String> { Set(text.matches(of: /`(\w+)`/).map { String($0.1) }) }
                let own = names(named.1)
                #expect(own.isSubset(of: try ProjectTests.libraries()))
                traits = String(try #require(named.2.firstMatch(of: /traits: (\[.*?\])/)).1)
                // The article may add other packages.
                let others = article.matches(of: /\.product\(name: "(\w+)", package: "(\S+)"\)/)
                    .filter { $0.2 != "duet" }.map { String($0.1) }
                products = own.union(others)
                // "Import the modules of the same names."
                imports = (names(named.3).isEmpty ? own : names(named.3)).union(others)
            }
        }

        @Test(
            "An article names the products, traits and imports of its code, and make check-libraries compiles it with these"
        )
        func packages() async throws {
            try await TemporaryFolder.with { folder in
                let script = Checkout.folder.appending(path: "scripts/article-packages.sh").path
                let result = try await Program.run([folder.path], of: script, in: folder)
                #expect(result.status == 0, "\(result.errors)")
                let packages = try result.output.split(separator: "\n").map {
                    (folder: $0, manifest: try String(contentsOfFile: "\($0)/Package.swift", encoding: .utf8))
                }
                for article in Self.articles {
                    let text = try Checkout.text(article)
                    let requirements = try Requirements(text)
                    #expect(
                        requirements.products.isSuperset(of: requirements.imports.subtracting(Self.toolchain)),
                        "\(article)")
                    let name = URL(fileURLWithPath: article).deletingPathExtension().lastPathComponent
                    var code = ""
                    for (package, manifest) in packages where manifest.contains("traits: \(requirements.traits))") {
                        for target in manifest.matches(
                            of: /arget\(name: "(\w+?)\d*", dependencies: \[(.*)\], path: "(.*)"\)/)
                        where target.1 == name && Self.products(target.2) == requirements.products {
                            let sources = "\(package)/\(target.3)"
                            for file in try FileManager.default.contentsOfDirectory(atPath: sources) {
                                code += try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
                            }
                        }
                    }
                    #expect(!code.isEmpty, "\(article)")
                    let imports = Set(code.matches(of: /(?m)^import (\w+)/).map { String($0.1) })
                    #expect(imports.isSubset(of: requirements.imports.union(["Foundation"])), "\(article)")
                    code = Self.dense(code)
                    for block in text.matches(of: /(?s)```swift\n(.*?)```/).map(\.1) {
                        #expect(code.contains(Self.dense(block)), "\(article): \(block)")
                    }
                }
            }
        }

        @Test("Each Swift block on another page of the documentation is part of a program")
        func pages() throws {
            let programs = Checkout.files(in: "Snippets", suffix: ".swift")
            let code = Self.dense(try programs.map(Checkout.text).joined())
            for page in Self.pages where !page.contains(".docc/Articles/") {
                for block in try Checkout.text(page).matches(of: /(?s)```swift\n(.*?)```/).map(\.1) {
                    #expect(code.contains(Self.dense(block)), "\(page): \(block)")
                }
            }
            #expect(Self.articles.count >= 20)
            #expect(try Checkout.text("scripts/check-libraries.sh").contains("scripts/article-packages.sh"))
        }

        private static func products(_ text: Substring) -> Set<String> {
            Set(text.matches(of: /name: "(\w+)"/).map { String($0.1) })
        }

        private static func dense(_ text: some StringProtocol) -> String {
            String(text.filter { !$0.isWhitespace })
        }
    }
}
