import Foundation
import ProcessTesting
import Testing

/// The scripts with which `make test` and `.ci/run` build.
@Suite("Scripts for builds") struct BuildScriptTests {
    // The names are composed, because these sources must not contain them.
    private static let (json, cache) = ("DuetJSON" + "Tests", "DuetBoundedCache" + "Tests")

    @Test(
        "A filter selects the test targets whose sources have each name of one of its alternatives",
        arguments: [
            (json, json), ("\(json)|\(cache)", "\(cache),\(json)"), ("BuildScriptTests/targets", "IntegrationTests"),
            ("IntegrationTests.BuildScriptTests", "IntegrationTests"), ("ProjectTests.swift", "IntegrationTests"),
            ("", ""), ("^Duet.*", ""), ("BuildScriptTests|", ""), ("ProjectTests.swift.12", ""),
        ])
    func targets(filter: String, expected: String) async throws {
        let script = Checkout.folder.appending(path: "scripts/test-targets.sh").path
        let result = try await Program.run([filter], of: script, in: Checkout.folder)
        #expect(result.output == expected && result.status == 0, "\(result.output) \(result.errors)")
    }

    /// Runs the script for the build cache in a checkout whose build is the given shell script. The script prints the
    /// output of the builds, of the command, and of the runs that the command starts.
    private static func run(build: String, _ command: String) async throws -> Program.Result {
        try await TemporaryFolder.with { folder in
            let checkout = folder.appending(path: "checkout")
            for part in ["scripts", "Fuzzing"] {
                try FileManager.default.createDirectory(
                    at: checkout.appending(path: part), withIntermediateDirectories: true)
            }
            for file in ["scripts/with-build-cache.sh", "Package.swift", "Fuzzing/Package.swift"] {
                try FileManager.default.copyItem(
                    at: Checkout.folder.appending(path: file), to: checkout.appending(path: file))
            }
            try Data("build:\n\t@bash build.sh\n".utf8).write(to: checkout.appending(path: "Makefile"))
            try Data(build.utf8).write(to: checkout.appending(path: "build.sh"))
            return try await Program.shell(
                "cached() { scripts/with-build-cache.sh bash -c \"$1\"; }; export -f cached\n\(command)", in: checkout,
                environment: ["DUET_BUILD_CACHE": folder.appending(path: "cache").path])
        }
    }

    /// A build that creates a file once.
    private static let build = """
        mkdir -p "$TEST_SCRATCH"
        [[ -e $TEST_SCRATCH/product ]] || { echo builds; touch "$TEST_SCRATCH/product"; }
        """

    @Test("A run with the build cache uses the folder of an earlier run, but not of a run at the same time")
    func folders() async throws {
        let result = try await Self.run(
            build: Self.build, "cached 'echo first; cached \"echo second\"'; cached 'echo third'")
        #expect(result.output == "builds\nfirst\nbuilds\nsecond\nthird\n", "\(result.errors)")
    }

    @Test(
        "If a cached build fails without an error of the checkout, everything is built again",
        arguments: ["error: a database is damaged", "$PWD/a.swift:1:8: error: no such module 'NIOCore'"])
    func damage(message: String) async throws {
        let result = try await Self.run(
            build: #"[[ ! -e $TEST_SCRATCH/damage ]] || { echo "\#(message)"; exit 1; }"# + "\n" + Self.build,
            "cached 'touch $TEST_SCRATCH/damage'; cached 'echo passed'")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "builds" && lines.suffix(2) == ["builds", "passed"], "\(result.errors)")
        #expect(result.output.contains("may be damaged"))
    }

    @Test(
        "If a source file of the checkout has an error, a cached build is not repeated, and the command does not run",
        arguments: ["$PWD/a.swift:1:2: error: wrong", "macro expansion #expect:1:22: error: wrong"])
    func errors(message: String) async throws {
        let result = try await Self.run(
            build: #"[[ ! -e error ]] || { echo "\#(message)"; exit 1; }"# + "\n" + Self.build,
            "cached 'touch error'; cached 'echo passed' || echo failed; rm error; cached 'echo again'")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first == "builds" && lines.suffix(2) == ["failed", "again"], "\(result.errors)")
        #expect(!result.output.contains("passed") && !result.output.contains("may be damaged"))
    }
}
