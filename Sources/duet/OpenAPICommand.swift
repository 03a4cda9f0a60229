import ArgumentParser
import DuetServer
import NIOCore

/// `duet openapi`: prints the document that the server serves.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI document that the server serves.")

    @Flag(help: "Print JSON instead of YAML.")
    var json = false

    func run() throws {
        let document = OpenAPIDocument()
        print(String(buffer: json ? try document.json : document.yaml), terminator: json ? "\n" : "")
    }
}
