import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import DuetServer
import Foundation
import NIOCore
import ProcessTesting
import SeededTesting
import TestSupport
import Testing

@Suite("OpenAPI documents of odd schemas") struct OddContractTests {
    /// Each schema, paired with each available database that supports it.
    private static let cases = OddSchema.all.flatMap { schema in
        TestBackend.available.filter { schema.script($0) != nil }.map { (schema, $0) }
    }

    /// Prints the duplicate identifiers of operations, and the duplicate parameters of an operation.
    private static let duplicates = """
        import collections, json, pathlib

        for path in sorted(pathlib.Path(".").glob("*.openapi.json")):
            document = json.loads(path.read_text())
            operations = [operation for item in document["paths"].values() for method, operation in item.items()
                          if method != "parameters"]
            names = collections.Counter(operation["operationId"] for operation in operations)
            for operation in operations:
                parameters = [reference.get("$ref", "").split("/")[-1] for reference in operation.get("parameters", [])]
                resolved = [document["components"]["parameters"][name] for name in parameters if name]
                names.update(collections.Counter(
                    (operation["operationId"], parameter["in"], parameter["name"]) for parameter in resolved))
            for name, count in names.items():
                if count > 1:
                    print(path.name, name, count)

        """

    /// Generates a client from each document in one Python process, and imports all modules of the clients.
    private static let generator = """
        import contextlib, importlib, io, pathlib, pkgutil, sys
        from openapi_python_client.cli import app

        for path in sorted(pathlib.Path(".").glob("*.openapi.json")):
            name = path.name.split(".")[0]
            said = io.StringIO()
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                try:
                    app(["generate", "--path", str(path), "--config", "config.yaml", "--meta", "none",
                         "--output-path", name], standalone_mode=False)
                except BaseException as error:
                    print(repr(error))
            text = said.getvalue()
            if "warning" in text.lower() or "error" in text.lower():
                print(path.name + ":", text)
                continue
            sys.path.insert(0, str(path.parent))
            package = importlib.import_module(name)
            for module in pkgutil.walk_packages(package.__path__, name + "."):
                importlib.import_module(module.name)

        """

    @Test("Each operation has a unique identifier and no duplicate parameter")
    func identifiers() async throws {
        try await Self.withDocuments(of: Self.cases) { folder in
            let found = try await Program.shell("python3 - <<'END'\n\(Self.duplicates)END\n", in: folder)
            #expect(found.status == 0, "\(found.errors)")
            #expect(found.output == "")
        }
    }

    /// Writes the OpenAPI documents of schemas into a folder.
    private static func withDocuments(
        of cases: [(OddSchema, TestBackend)], _ body: (URL) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            for (index, (schema, backend)) in cases.enumerated() {
                let document = try await OddService.with(backend, schema.script(backend) ?? "") { service in
                    try OpenAPIDocument(
                        RouteTable(service.catalogue, settings: ServerSettings()),
                        dates: service.service.encoding.dates
                    ).text(.json)
                }
                try Data(document.readableBytesView).write(to: folder.appending(path: "schema\(index).openapi.json"))
            }
            try await body(folder)
        }
    }

    @Test(
        "openapi-python-client generates a client from each document without a warning",
        .enabled("\(PythonClientGenerator.requirement)", PythonClientGenerator.install))
    func python() async throws {
        let all = Self.cases
        let count = min(TestScale.count(15), all.count)
        try await Self.withDocuments(of: (0..<count).map { all[$0 * all.count / count] }) { folder in
            try Self.generator.write(to: folder.appending(path: "generate.py"), atomically: true, encoding: .utf8)
            // Enumeration classes do not support names that differ only in case, which some schemas have. The empty
            // list of hooks omits the formatting of the clients, which would take most of the time.
            let configuration =
                try Checkout.text("openapi/python-client.yaml") + "literal_enums: true\npost_hooks: []\n"
            try configuration.write(to: folder.appending(path: "config.yaml"), atomically: true, encoding: .utf8)
            let generated = try await PythonClientGenerator.shell("python generate.py", in: folder)
            #expect(generated.status == 0, "\(generated.errors)")
            #expect(generated.output == "")
        }
    }
}
