import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("Settings")
    struct SettingTests {
        /// The options that can be set only on the command line, because they have no environment variable.
        private static let unset: Set = [
            "help", "version", "json", "schema", "output", "format", "baseline", "manifest", "scalar", "import",
            "namespace", "access", "tasks", "field-lists", "check", "data", "print-schema", "rows", "all-rows",
            "no-rows", "writes", "live", "role", "claims", "variables", "body", "fail-on", "print",
        ]

        @Test("The help describes every option of each command, with its environment variable and its default")
        func help() async throws {
            let options = try await HelpOption.all()
            #expect(Set(options.map(\.command)).count == 14)
            for option in options {
                #expect(!option.text.isEmpty, "\(option.command) --\(option.name)")
                guard !Self.unset.contains(option.name) else { continue }
                // A flag and its negation share one variable.
                let name = option.name.replacing(/^no-/, with: "")
                let variable = "DUET_" + name.uppercased().replacing("-", with: "_")
                #expect(option.setting?.variable == variable, "\(option)")
            }
            let settings = options.filter { $0.command == "serve" && $0.setting != nil }
            #expect(settings.count > 40)
            #expect(settings.first { $0.name == "port" }?.setting?.defaultText == "8080")
            #expect(settings.first { $0.name == "acquire-timeout" }?.setting?.defaultText == "5")
            #expect(settings.first { $0.name == "pool-size" }?.setting?.defaultText == "4 for SQLite, 8 for MariaDB")
        }

        @Test("The printed help has the text of every option", arguments: ["serve", "sample", "import", "compare"])
        func printed(command: String) async throws {
            try await TemporaryFolder.with { folder in
                let result = try await Program.run([command, "--help"], in: folder)
                #expect(result.status == 0)
                // The help is wrapped at the width of the terminal.
                let text = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                for option in try await HelpOption.all() where option.command == command {
                    #expect(text.contains("--\(option.name)"), "\(option)")
                    let lines = option.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(text.contains(lines), "\(option)")
                }
            }
        }

        @Test("The tables in the documentation name existing options with the defaults of the help")
        func tables() async throws {
            let options = try await HelpOption.all()
            var defaults = 0
            for file in try Checkout.documents() where file != Self.page {
                for row in DocumentTable.rows(of: try Checkout.text(file)) {
                    for name in row.text.matches(of: /`--([a-z-]+)/).map(\.1) {
                        let found = options.filter { $0.name == name }
                        #expect(!found.isEmpty, "\(file): --\(name)")
                        guard let shown = row.cells["default"] else { continue }
                        let texts = found.compactMap(\.setting?.defaultText)
                        #expect(texts.contains(Self.plain(shown)), "\(file): --\(name) has the defaults \(texts)")
                        defaults += 1
                    }
                }
            }
            #expect(defaults >= 10)
        }

        /// The document with all settings.
        private static let page = "docs/settings.md"

        @Test("docs/settings.md is the page that `make settings` writes")
        func settingsPage() async throws {
            let expected = Self.text(of: try await HelpOption.all())
            if ProcessInfo.processInfo.environment["DUET_WRITE_SETTINGS"] != nil {
                try Data(expected.utf8).write(to: Checkout.folder.appending(path: Self.page))
            }
            #expect(try Checkout.text(Self.page) == expected, "run make settings")
        }

        private static func text(of options: [HelpOption]) -> String {
            var text = """
                # Settings

                `make settings` writes this page from the help of the program. A setting is an option of the command line or a variable of the environment; the
                command line has precedence. `make run` passes options: `make run PORT=9000 ARGS='--dates iso'`. An option that concerns a single call, such as
                `--output`, has no variable; `duet help` followed by the name of a command lists all options. The second option of a row is the negation of the first one.

                """
            for command in options.map(\.command).reduce(into: [String](), { if $0.last != $1 { $0.append($1) } }) {
                let settings = options.filter { $0.command == command && $0.setting != nil }
                if settings.isEmpty { continue }
                text += "\n## duet \(command)\n\n| option | variable | default | meaning |\n|---|---|---|---|\n"
                let known = Set(settings.map(\.name))
                for option in settings {
                    guard let setting = option.setting else { continue }
                    // A flag and its negation have one row, because the help of both describes the flag.
                    if option.name.hasPrefix("no-"), known.contains(String(option.name.dropFirst(3))) { continue }
                    let negation = known.contains("no-\(option.name)") ? ", `--no-\(option.name)`" : ""
                    let names = "`--\(option.name)`\(negation)"
                    let end = option.text.ranges(of: "(environment: ").last?.lowerBound ?? option.text.endIndex
                    let words = option.text[..<end].split(whereSeparator: \.isWhitespace)
                    let meaning = words.joined(separator: " ").replacing("|", with: "\\|")
                    text += "| \(names) | `\(setting.variable)` | \(setting.defaultText) | \(meaning) |\n"
                }
            }
            return text
        }

        @Test("The README and the container use the defaults of the help")
        func mentioned() async throws {
            let options = try await HelpOption.all()
            func defaultText(_ command: String, _ name: String) throws -> String {
                try #require(options.first { $0.command == command && $0.name == name }?.setting).defaultText
            }
            let readme = try Checkout.text("README.md").replacing(",", with: "")
            let port = try defaultText("serve", "port")
            #expect(readme.contains("\(try defaultText("serve", "host")):\(port)"))
            #expect(readme.contains("a sample of \(try defaultText("sample", "employees")) employees"))
            #expect(try Checkout.text("Dockerfile").contains("DUET_PORT=\(port)"))
            #expect(try Checkout.text("scripts/healthy.sh").contains("${DUET_PORT:-\(port)}"))
        }

        /// Returns a default as the help shows it: without thousands separators, units of bytes and remarks after a
        /// colon.
        private static func plain(_ text: String) -> String {
            let text = text.replacing(",", with: "").prefix { $0 != ":" }
            for (unit, factor) in [(" MiB", 1 << 20), (" KiB", 1 << 10)] where text.hasSuffix(unit) {
                return Int(text.dropLast(unit.count)).map { String($0 * factor) } ?? String(text)
            }
            return String(text)
        }
    }
}
