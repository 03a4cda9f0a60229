import Foundation
import PackagePlugin

/// The command `swift package generate-duet-client`. It runs `duet-generate` in the folder of the package and passes
/// its own options unchanged.
@main
struct GenerateDuetClient: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let tool = Process()
        tool.executableURL = try context.tool(named: "duet-generate").url
        tool.arguments = arguments
        tool.currentDirectoryURL = context.package.directoryURL
        try tool.run()
        tool.waitUntilExit()
        // The tool has already printed the reason for the failure.
        guard tool.terminationStatus == 0 else { exit(tool.terminationStatus) }
    }
}
