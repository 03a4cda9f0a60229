import ArgumentParser
import DuetServer
import Employees
import NIOCore
import ResourceService
import ResultSetJSON
import SQLDatabase

/// `duet openapi`: prints the OpenAPI document of a server with default settings.
struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI document that the server serves.")

    @Flag(help: "Print JSON instead of YAML.")
    var json = false

    func run() throws {
        // The routes belong to a service. No request is made, so its database is never opened.
        let service = try ResourceService.employees(
            database: Database(try DatabaseURL("sqlite:unused")), encoding: try ServeCommand.standardEncoding)
        let document = try RouteTable(service: service, settings: ServerSettings()).openAPI
        print(String(buffer: json ? document.json : try document.yaml), terminator: json ? "\n" : "")
    }
}
