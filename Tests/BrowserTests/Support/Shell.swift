import ProcessTesting
import Testing

/// Runs shell commands and returns their output. `curl` shows no progress, and fails if the status of a response is an
/// error.
func output(of commands: String) async throws -> String {
    try await TemporaryFolder.with { folder in
        let result = try await Program.shell(commands, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        return result.output
    }
}
