import DuetClient
import DuetJSON
import DuetPersistedDocuments
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("Servers that permit only listed documents")
struct ListedDocumentTests {
    private static let listed = OperationDocument.unique()
    private static let renamed = OperationDocument.unique()

    /// Calls a closure with a server that permits only the documents in a manifest. DuetClient writes the manifest.
    private func withServer(
        _ manifest: PersistedQueryManifest, _ format: PersistedQueryManifest.Format = .apollo,
        _ body: (Server) async throws -> Void
    ) async throws {
        try await SampleDatabase.with { folder, url in
            try Data(manifest.json(format)).write(to: folder.appending(path: "manifest.json"))
            let arguments = ["--database", url, "--persisted-queries", "manifest.json", "--persisted-only"]
            try await Server.with(arguments, in: folder) { try await body($0) }
        }
    }

    private func manifest() throws -> PersistedQueryManifest {
        var manifest = PersistedQueryManifest()
        try manifest.add(Self.listed)
        try manifest.add(
            PersistedQueryManifest.Operation(id: "name-1", document: Self.renamed.text), from: "the test")
        return manifest
    }

    /// Returns the error code of a request that fails.
    private func failure(
        _ endpoint: GraphQLEndpoint, _ document: OperationDocument
    ) async throws -> GraphQLClientError.Code? {
        let error = await #expect(throws: GraphQLClientError.self) {
            try await endpoint.send(GraphQLRequest(document))
        }
        #expect(error?.message.isEmpty == false)
        return error?.code
    }

    @Test(
        "The client sends the hash or the identifier of a listed document, and rejects other documents",
        arguments: PersistedQueryManifest.Format.allCases)
    func listed(format: PersistedQueryManifest.Format) async throws {
        let manifest = try manifest()
        try await withServer(manifest, format) { server in
            let endpoint = try GraphQLEndpoint(server, .listed(manifest))
            let byHash = try await endpoint.send(GraphQLRequest(Self.listed))
            #expect(byHash.ways == [Way(.get, .hash)])
            #expect(byHash.text == OperationDocument.koblick)
            let byIdentifier = try await endpoint.send(GraphQLRequest(Self.renamed))
            #expect(byIdentifier.ways == [Way(.get, .identifier)])
            #expect(byIdentifier.text == OperationDocument.koblick)
            let unlisted = try await failure(endpoint, .unique())
            #expect(unlisted == .notListed)
            let derived = try await failure(endpoint, .unique(isRegistrable: false))
            #expect(derived == .notListed)
        }
    }

    @Test("A client without a manifest sends the hash of a document, and the server rejects unlisted documents")
    func withoutManifest() async throws {
        try await withServer(try manifest()) { server in
            for settings in [PersistedQuerySettings(.listedOnly, queryMethod: .post), PersistedQuerySettings()] {
                let endpoint = try GraphQLEndpoint(server, settings)
                #expect(try await endpoint.send(GraphQLRequest(Self.listed)).ways.map(\.content) == [.hash])
                let unlisted = try await failure(endpoint, .unique())
                #expect(unlisted == .notListed)
            }
        }
    }

    @Test("An identifier in the format of a hash is sent as a hash, even if it is not the hash of the document")
    func foreignHash() async throws {
        let hash = DocumentHash(of: "another text").description
        var manifest = PersistedQueryManifest()
        try manifest.add(
            PersistedQueryManifest.Operation(id: hash, document: Self.listed.text), from: "the test")
        try await withServer(manifest) { server in
            let reply = try await GraphQLEndpoint(server, .listed(manifest)).send(GraphQLRequest(Self.listed))
            #expect(reply.ways == [Way(.get, .hash)])
            #expect(reply.text == OperationDocument.koblick)
        }
    }

    @Test("A client reads a manifest that `duet persist` has written")
    func writtenByServer() async throws {
        let text = try await TemporaryFolder.with { folder in
            try Data("query Name($id: ID!) { employee(id: $id) { ...N } } fragment N on Employee { lastName }".utf8)
                .write(to: folder.appending(path: "name.graphql"))
            return try await Program.run(["persist", "name.graphql"], in: folder).output
        }
        var manifest = PersistedQueryManifest()
        try manifest.add(parsing: Array(text.utf8), named: "manifest.json")
        let operation = try #require(manifest.operations.first)
        let document = OperationDocument(text: operation.document, name: operation.name)
        #expect(operation.id == document.hash)
        var written = PersistedQueryManifest()
        try written.add(document)
        #expect(String(decoding: written.json(.apollo), as: UTF8.self) == text)
        try await withServer(manifest) { server in
            let endpoint = try GraphQLEndpoint(server, .listed(manifest))
            let reply = try await endpoint.send(GraphQLRequest(document, variables: ["id": 10004]))
            #expect(reply.ways == [Way(.get, .hash)])
            #expect(reply.text == OperationDocument.koblick)
        }
    }
}
