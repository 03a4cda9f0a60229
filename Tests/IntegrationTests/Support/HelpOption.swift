import DuetJSON
import Foundation
import ProcessTesting

/// An option of a command, from the output of `--experimental-dump-help`.
struct HelpOption: Sendable {
    let command: String
    /// The name without dashes.
    let name: String
    /// The help text.
    let text: String

    /// The variable and the default at the end of the help text.
    var setting: (variable: String, defaultText: String)? {
        text.firstMatch(of: /\(environment: (DUET_[A-Z0-9_]+); default: (.+)\)$/).map { (String($0.1), String($0.2)) }
    }

    /// Returns the options of all commands, in the order of the help.
    static func all() async throws -> [HelpOption] {
        let dump = try await TemporaryFolder.with { try await Program.run(["--experimental-dump-help"], in: $0) }
        let description = try JSONValue(parsing: Data(dump.output.trimmingCharacters(in: .newlines).utf8))
        guard case .array(let commands) = description["command"]?["subcommands"] else {
            throw CocoaError(.coderValueNotFound)
        }
        return commands.flatMap { command -> [HelpOption] in
            guard case .string(let name) = command["commandName"], name != "help",
                case .array(let arguments) = command["arguments"]
            else { return [] }
            return arguments.compactMap { argument in
                guard case .string(let option) = argument["preferredName"]?["name"] else { return nil }
                guard case .string(let text) = argument["abstract"] else {
                    return HelpOption(command: name, name: option, text: "")
                }
                return HelpOption(command: name, name: option, text: text)
            }
        }
    }
}
