import ProcessTesting
import Testing

/// Starts one `duet serve` with sample data for all tests of a suite, because a start takes longer than most tests.
/// Each test that writes changes a different employee.
struct ServerTrait: SuiteTrait, TestScoping {
    /// The number of employees in the sample.
    let employees: Int
    /// The arguments of `duet serve` in addition to the port and the database.
    let arguments: [String]

    @TaskLocal fileprivate static var running: Server?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await TestSlots.without {
                try await SampleDatabase.with(employees: employees) { folder, url in
                    try await Server.with(arguments + ["--database", url], in: folder) { server in
                        try await Self.$running.withValue(server) { try await function() }
                    }
                }
            }
        }
    }
}

extension Trait where Self == ServerTrait {
    /// Starts a server for the suite. The tests access it as ``Server/shared``.
    static func server(employees: Int = 20, _ arguments: [String] = []) -> ServerTrait {
        ServerTrait(employees: employees, arguments: arguments)
    }
}

extension Server {
    /// The server of the suite.
    static var shared: Server {
        get throws { try #require(ServerTrait.running, "The suite has no trait .server().") }
    }
}
