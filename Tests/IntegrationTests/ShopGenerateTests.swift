import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    @Suite("duet generate for writes")
    struct ShopGenerateTests {
        @Test(
            "The generated code for writes of a described database is that in the DuetClient tests (DUET_UPDATE_EXPECTATIONS=1 updates it)"
        )
        func shop() async throws {
            let isUpdate = ProcessInfo.processInfo.environment["DUET_UPDATE_EXPECTATIONS"] != nil
            let samples = "Tests/DuetOperationGeneratorTests/Samples/shop"
            let schema = try await Program.run(["schema", "--api", samples + "/api.yaml"], in: Checkout.folder)
            try #require(schema.status == 0, "\(schema.errors)")
            try await TemporaryFolder.with { folder in
                let file = folder.appending(path: "schema.graphql")
                try Data(schema.output.utf8).write(to: file)
                let result = try await Program.run(
                    [
                        "generate", "--schema", file.path, samples + "/operations.graphql", "--namespace", "ShopAPI",
                        "--scalar", "Date=String", "--scalar", "Decimal=String", "--output",
                        "Tests/DuetClientTests/Generated/ShopAPI.swift",
                    ] + (isUpdate ? [] : ["--check"]), in: Checkout.folder)
                #expect(result.status == 0, "\(result.errors)")
            }
        }
    }
}
