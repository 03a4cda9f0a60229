import ArgumentParser
import DuetAPIDescription
import DuetEmployees
import DuetResourceService
import DuetResultSetJSON
import DuetServer
import NIOCore

/// `duet openapi`: prints the OpenAPI document of a server with default settings.
struct OpenAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI document that the server serves.",
        discussion: "With --role, it is the document that the callers of this role see.")

    @Flag(help: "Print JSON instead of YAML.")
    var json = false
    @OptionGroup var api: APIOption
    @OptionGroup var role: RoleOption

    func run() async throws {
        let description = try api.description()
        var settings = ServerSettings()
        settings.representations = [.employeeThumbnail]
        let document = OpenAPIDocument(
            RouteTable(try role.catalogue(of: description), settings: settings),
            dates: try EncodingOptions(source: "timeZone").encoding(of: description).dates)
        print(String(buffer: try document.text(json ? .json : .yaml)), terminator: json ? "\n" : "")
    }
}
