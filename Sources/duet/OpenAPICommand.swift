import ArgumentParser
import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import NIOCore

/// `duet openapi`: prints the OpenAPI document of a server with default settings.
struct OpenAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI document that the server serves.")

    @Flag(help: "Print JSON instead of YAML.")
    var json = false
    @OptionGroup var api: APIOption

    func run() async throws {
        // The routes require a service. No request is sent, so the database of the service is never opened.
        let description = try api.description()
        let service = ResourceService(
            description.catalogue, database: Database(try DatabaseURL("sqlite:unused")),
            encoding: try EncodingOptions(source: "timeZone").encoding(of: description))
        let document = try RouteTable(service: service, settings: ServerSettings()).openAPI
        print(String(buffer: try document.text(json ? .json : .yaml)), terminator: json ? "\n" : "")
    }
}
