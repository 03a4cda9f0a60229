import DuetJSON
import Foundation
import ProcessTesting
import Testing
import Yams

/// The files of the project that are not part of the program.
@Suite("Project files")
struct ProjectTests {
    private static let systemLicense = "/usr/share/common-licenses/Apache-2.0"

    @Test(
        "The license is the Apache License 2.0, word for word",
        .enabled(if: FileManager.default.fileExists(atPath: systemLicense), "needs Debian's copy of the license"))
    func license() throws {
        let original = try String(contentsOfFile: Self.systemLicense, encoding: .utf8)
        let owned = original.replacing(
            "Copyright [yyyy] [name of copyright owner]", with: "Copyright 2026 The Duet authors")
        #expect(owned != original)
        #expect(try Checkout.text("LICENSE") == owned)
    }

    /// Returns the packages of the build: the name of each package's folder, and its URL.
    private static func resolved() throws -> [(name: String, url: String)] {
        let file = try JSONValue(parsing: Data(Checkout.text("Package.resolved").utf8))
        guard case .array(let pins) = file["pins"] else { throw CocoaError(.coderValueNotFound) }
        return pins.compactMap { pin in
            guard case .string(let url) = pin["location"] else { return nil }
            let name = url.split(separator: "/").last.map(String.init) ?? ""
            return (name.replacing(/\.git$/, with: ""), url.replacing(/\.git$/, with: ""))
        }
    }

    @Test("THIRD-PARTY.md lists exactly the packages of the build, each with its license")
    func thirdParties() throws {
        let rows = DocumentTable.rows(of: try Checkout.text("THIRD-PARTY.md"))
        let listed = rows.filter { $0.cells["package"]?.contains("---") == false }
        let packages = try Self.resolved()
        #expect(packages.count > 20)
        #expect(Set(listed.compactMap { $0.cells["source"] }) == Set(packages.map { "<\($0.url)>" }))
        for (name, _) in packages {
            let row = try #require(listed.first { $0.cells["package"] == name }, "\(name)")
            let folder = Products.scratch.appending(path: "checkouts/\(name)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let file = try #require(files.first { $0.hasPrefix("LICENSE") }, "\(name)")
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            #expect(row.cells["license"] == Self.identifier(of: text), "\(name)")
        }
    }

    /// Returns the SPDX identifier of a license text; nil for a license other than MIT and Apache 2.0.
    private static func identifier(of text: String) -> String? {
        if text.contains("MIT License") { return "MIT" }
        guard text.contains(/Apache License\s+Version 2\.0/) else { return nil }
        return text.contains("Runtime Library Exception") ? "Apache-2.0 WITH Swift-exception" : "Apache-2.0"
    }

    @Test("THIRD-PARTY.md lists the C libraries that the targets link")
    func libraries() throws {
        let text = try Checkout.text("THIRD-PARTY.md")
        let targets = try Checkout.text("Package.swift").matches(of: /pkgConfig: "([^"]+)"/).map(\.1)
        #expect(targets.count == 3)
        for (target, name) in ["sqlite3": "libsqlite3", "libmariadb": "libmariadb", "zlib": "zlib"] {
            #expect(targets.contains { $0 == target } && text.contains(name))
        }
    }

    @Test("The container image includes the license and the list of third parties")
    func image() throws {
        let dockerfile = try Checkout.text("Dockerfile")
        #expect(dockerfile.contains("cp LICENSE THIRD-PARTY.md /licenses/"))
        #expect(dockerfile.contains("COPY --from=build /licenses/ /usr/local/share/doc/duet/"))
        let ignored = try Checkout.text(".dockerignore").split(separator: "\n")
        let markdown = try #require(ignored.firstIndex(of: "*.md"))
        #expect(ignored[markdown...].contains("!THIRD-PARTY.md") && !ignored.contains("LICENSE"))
    }

    @Test("The CI workflow runs .ci/run in the build image of the container")
    func workflow() throws {
        let text = try Checkout.text(".github/workflows/ci.yml")
        let job = try #require(try Yams.compose(yaml: text)?["jobs"]?["ci"])
        let image = try #require(try Checkout.text("Dockerfile").firstMatch(of: /^FROM (\S+) AS build/)).1
        #expect(job["container"]?.string == String(image))
        let commands = job["steps"]?.array().compactMap { $0["run"]?.string } ?? []
        #expect(commands.contains(".ci/run"))
        #expect(FileManager.default.isExecutableFile(atPath: Checkout.folder.appending(path: ".ci/run").path))
    }

    @Test("The nightly workflow runs each part of make check in the same image")
    func nightlyWorkflow() throws {
        let workflow = try Yams.compose(yaml: Checkout.text(".github/workflows/nightly.yml"))
        let job = try #require(workflow?["jobs"]?["check"])
        let image = try #require(try Checkout.text("Dockerfile").firstMatch(of: /^FROM (\S+) AS build/)).1
        #expect(job["container"]?.string == String(image))
        let targets = job["strategy"]?["matrix"]?["target"]?.array().compactMap(\.string)
        let parts = try #require(try Checkout.text("Makefile").firstMatch(of: /\ncheck: ([a-z -]+) ##/)).1
        #expect(targets == parts.split(separator: " ").map(String.init))
    }

    /// Returns the names of the library products, each of which is also the name of a target.
    static func libraries() throws -> [String] {
        try Checkout.text("Package.swift").matches(of: /\.library\(name: "([^"]+)"/).map { String($0.1) }
    }

    /// Returns the Swift files of a library, without the code of its documentation.
    private static func sources(of library: String) throws -> [SwiftSource] {
        let files = Checkout.files(in: "Sources/\(library)", suffix: ".swift")
        return try files.filter { !$0.contains(".docc/") }.map(SwiftSource.init)
    }

    @Test(
        "The Swift Package Index builds the documentation of each library, and docs/libraries.md describes each library"
    )
    func libraryProducts() throws {
        let products = Set(try Self.libraries())
        let configurations = try #require(try Yams.compose(yaml: Checkout.text(".spi.yml"))?["builder"]?["configs"])
        let documented = configurations[0]?["documentation_targets"]?.array().compactMap(\.string) ?? []
        #expect(Set(documented) == products)
        let rows = DocumentTable.rows(of: try Checkout.text("docs/libraries.md"))
        #expect(Set(rows.compactMap { $0.cells["product"] }).isSuperset(of: products.map { "`\($0)`" }))
    }

    @Test("The DocC catalogue of each library lists each public type of the library")
    func cataloguedTypes() throws {
        for library in try Self.libraries() {
            let catalogue = "Sources/\(library)/\(library).docc"
            let pages = try Checkout.files(in: catalogue, suffix: ".md").map(Checkout.text).joined(separator: "\n")
            let listed = Set(pages.matches(of: /(?m)^- ``(\w+)``/).map { String($0.1) })
            var types = 0
            for source in try Self.sources(of: library) {
                for type in source.publicTypes {
                    types += 1
                    #expect(listed.contains(type), "\(source.path): \(type) is in no topic of \(catalogue)")
                }
            }
            #expect(types > 0, "\(library)")
        }
    }

    @Test("Each case of a public enumeration has a documentation comment")
    func documentedCases() throws {
        let sources = try Self.libraries().flatMap(Self.sources)
        var cases = 0
        for source in sources {
            for element in try source.publicCases() {
                cases += 1
                let place = "\(source.path):\(element.line.number)"
                #expect(element.isDocumented, "\(place): \(element.enumeration): \(element.line.text)")
            }
        }
        #expect(cases > 400)
    }

    @Test(
        "Comment lines have at most 120 characters",
        arguments: ["Sources", "Tests", "Benchmarks", "Examples", "Snippets"])
    func commentLines(folder: String) throws {
        let sources = try Checkout.files(in: folder, suffix: ".swift").map(SwiftSource.init)
        #expect(sources.contains { !$0.comments.isEmpty })
        // The descriptions of a schema are the comments of generated code. The output of a snippet is one line.
        for source in sources where !source.isGenerated {
            for line in source.comments where !line.text.hasPrefix("// Prints: ") {
                #expect(line.length <= 120, "\(source.path):\(line.number) has \(line.length) characters")
            }
        }
    }

    @Test("The names of the targets that products need begin with the name of the package")
    func targetNames() throws {
        let manifest = try Checkout.text("Package.swift")
        // SwiftPM does not build two packages if products of both need targets with the same name. No product needs
        // the targets of tests, benchmarks and examples, which are in other folders.
        let folder = Checkout.folder.appending(path: "Sources").path
        let targets = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }
        #expect(targets.count > 20)
        for target in targets {
            #expect(manifest.contains("name: \"\(target)\""), "\(target)")
            #expect(target.hasPrefix("Duet") || target.hasPrefix("CDuet") || target.hasPrefix("duet"), "\(target)")
        }
    }

    @Test(
        "The database module and the adapter do not mention employees",
        arguments: ["DuetSQLDatabase", "DuetResultSetJSON"])
    func independentModules(name: String) throws {
        let files = [".swift", ".md"].flatMap { Checkout.files(in: "Sources/\(name)", suffix: $0) }
        #expect(files.count > 20)
        for file in files {
            let text = try Checkout.text(file).lowercased()
            #expect(!text.contains("employee"), "\(file)")
        }
    }

    @Test("The issue forms have the fields that GitHub requires", arguments: ["bug", "feature"])
    func issueForm(name: String) throws {
        let form = try #require(try Yams.compose(yaml: Checkout.text(".github/ISSUE_TEMPLATE/\(name).yml")))
        #expect(form["name"]?.string != nil && form["description"]?.string != nil)
        let fields = form["body"]?.array() ?? []
        var identifiers: Set<String> = []
        for field in fields {
            let attributes = try #require(field["attributes"])
            let kind = try #require(field["type"]?.string)
            #expect(["markdown", "textarea", "input", "dropdown", "checkboxes"].contains(kind))
            guard kind != "markdown" else {
                #expect(attributes["value"]?.string != nil)
                continue
            }
            #expect(attributes["label"]?.string != nil)
            #expect(identifiers.insert(try #require(field["id"]?.string)).inserted)
            #expect(kind != "dropdown" || attributes["options"]?.array().isEmpty == false)
        }
        #expect(!identifiers.isEmpty)
    }

    @Test("The changelog begins with unreleased changes, and lists releases from newest to oldest")
    func changelog() throws {
        let headings = try Checkout.text("CHANGELOG.md").matches(of: /\n## (.+)/).map(\.1)
        #expect(headings.first == "Unreleased")
        let releases = headings.dropFirst().map { $0.firstMatch(of: /^(\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/)?.1 }
        #expect(!releases.isEmpty && !releases.contains(nil))
        let versions = releases.compactMap { $0.map(String.init) }
        #expect(versions == versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending })
    }

    @Test("The links of the documents refer to existing files")
    func links() throws {
        for document in try Checkout.documents() {
            let folder = Checkout.folder.appending(path: document).deletingLastPathComponent()
            for link in try Checkout.text(document).matches(of: /\]\(([^)#\s]+)[^)\s]*\)/).map(\.1)
            where !link.hasPrefix("http") {
                let path = folder.appending(path: String(link)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(document): \(link)")
            }
        }
    }

    @Test(
        "The Makefile has each target that CONTRIBUTING.md and .ci/run use",
        arguments: ["CONTRIBUTING.md", ".ci/run"])
    func makeTargets(file: String) throws {
        let makefile = try Checkout.text("Makefile")
        let targets = Set(try Checkout.text(file).matches(of: /(?:`|\n|limit.sh [0-9]+ )make ([a-z-]+)/).map(\.1))
        #expect(targets.isSuperset(of: ["test", "lint", "fuzz"]))
        for target in targets { #expect(makefile.contains("\n.PHONY: \(target)\n\(target):"), "make \(target)") }
    }
}
