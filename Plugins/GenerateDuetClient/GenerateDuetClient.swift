import Foundation
import PackagePlugin

/// `swift package generate-duet-client`: runs `duet generate` in the folder of the package, with the same options.
@main
struct GenerateDuetClient: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let tool = Process()
        tool.executableURL = try context.tool(named: "duet-generate").url
        tool.arguments = arguments
        tool.currentDirectoryURL = context.package.directoryURL
        try tool.run()
        tool.waitUntilExit()
        // The tool has printed the reason.
        guard tool.terminationStatus == 0 else { exit(tool.terminationStatus) }
    }
}
