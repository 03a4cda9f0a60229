package import Foundation

/// openapi-python-client, which generates Python clients from OpenAPI documents. Only `make check-tests` runs it. It is
/// installed once for all runs, because the installation takes longer than most suites.
package enum PythonClientGenerator {
    /// The reason why tests are disabled: they are not requested, or the generator cannot be installed.
    package static let requirement = "needs make check-tests, python3 with venv, and PyPI"

    private static let folder = Checkout.folder.appending(path: ".build/openapi-python-client").path

    /// The Python with the generator and the libraries of its clients.
    package static let python = "\(folder)/venv/bin/python"

    /// Installs the generator if the environment variable `DUET_TEST_GENERATED_CLIENTS` is set.
    /// - Returns: False if the variable is not set, or the installation is not possible.
    @Sendable package static func install() async throws -> Bool {
        guard ProcessInfo.processInfo.environment["DUET_TEST_GENERATED_CLIENTS"] != nil else { return false }
        return try await TemporaryFolder.with { folder in
            let result = try await shell(
                """
                mkdir -p "$PYTHON" && exec 9<"$PYTHON" && flock 9
                [[ -e $PYTHON/complete ]] && exit
                python3 -m venv --clear "$PYTHON/venv"
                "$PYTHON/venv/bin/pip" install --quiet --retries 0 --timeout 10 openapi-python-client ruff
                touch "$PYTHON/complete"
                """, in: folder)
            return result.status == 0
        }
    }

    /// Runs a command line in a shell that finds `openapi-python-client` and `python`.
    package static func shell(_ script: String, in folder: URL) async throws -> Program.Result {
        // The environment variables with which pip finds packages. Tests inherit no other variables.
        var environment = ProcessInfo.processInfo.environment.filter { name, _ in
            name.hasPrefix("PIP_") || name.lowercased().hasSuffix("_proxy")
                || ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"].contains(name)
        }
        environment["PYTHON"] = Self.folder
        return try await Program.shell(
            #"export PATH="$PYTHON/venv/bin:$PATH""# + "\n" + script, in: folder, environment: environment)
    }
}
