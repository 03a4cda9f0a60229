import DuetClient
import DuetJSON
import DuetPersistedDocuments
import Foundation
import HTTPTypes
import ProcessTesting
import Testing

@Suite("Automatic persisted queries with the server", .server())
struct PersistedQueryTests {
    typealias Method = PersistedQuerySettings.Method

    private func method(_ method: Method) -> HTTPRequest.Method { method == .get ? .get : .post }

    @Test(
        "The client sends the hash of a query, and adds the document only if the server does not know the hash",
        arguments: [Method.get, .post], [Method.get, .post])
    func matrix(queryMethod: Method, retryMethod: Method) async throws {
        let endpoint = try GraphQLEndpoint(
            Server.shared, PersistedQuerySettings(queryMethod: queryMethod, retryMethod: retryMethod))
        let request = GraphQLRequest(OperationDocument.unique())
        let first = try await endpoint.send(request)
        #expect(first.ways == [Way(method(queryMethod), .hash), Way(method(retryMethod), .hashAndDocument)])
        #expect(first.head.status == .ok && first.text == OperationDocument.koblick)
        let second = try await endpoint.send(request)
        #expect(second.ways == [Way(method(queryMethod), .hash)])
        #expect(second.head.status == .ok && second.text == OperationDocument.koblick)
    }

    @Test("By default, the client sends the hash by GET and the document by POST")
    func defaults() async throws {
        let endpoint = try GraphQLEndpoint(Server.shared)
        let first = try await endpoint.send(GraphQLRequest(OperationDocument.unique()))
        #expect(first.ways == [Way(.get, .hash), Way(.post, .hashAndDocument)])
    }

    @Test("After one client registers a document, other clients send only the hash")
    func shared() async throws {
        let request = GraphQLRequest(OperationDocument.unique())
        _ = try await GraphQLEndpoint(Server.shared).send(request)
        let reply = try await GraphQLEndpoint(Server.shared).send(request)
        #expect(reply.ways == [Way(.get, .hash)])
    }

    @Test("A mutation is never sent by GET", arguments: [Method.get, .post])
    func mutation(queryMethod: Method) async throws {
        let endpoint = try GraphQLEndpoint(
            Server.shared, PersistedQuerySettings(queryMethod: queryMethod, retryMethod: queryMethod))
        let text =
            "mutation Rename($input: UpdateEmployeeInput!) { updateEmployee(input: $input) { employee { lastName } } }"
        let document = OperationDocument(text: "\(text) # \(UUID().uuidString)", .mutation, name: "Rename")
        let request = GraphQLRequest(document, variables: ["input": ["id": "10005", "lastName": "Maliniak"]])
        let first = try await endpoint.send(request)
        #expect(first.ways == [Way(.post, .hash), Way(.post, .hashAndDocument)])
        #expect(first.text == #"{"data":{"updateEmployee":{"employee":{"lastName":"Maliniak"}}}}"#)
        #expect(try await endpoint.send(request).ways == [Way(.post, .hash)])
    }

    @Test("Without persisted queries, each request contains the document", arguments: [Method.get, .post])
    func off(queryMethod: Method) async throws {
        let endpoint = try GraphQLEndpoint(
            Server.shared, PersistedQuerySettings(.off, queryMethod: queryMethod))
        let request = GraphQLRequest(OperationDocument.unique())
        for _ in 0..<2 {
            let reply = try await endpoint.send(request)
            #expect(reply.ways == [Way(method(queryMethod), .document)])
            #expect(reply.text == OperationDocument.koblick)
        }
        #expect(try await GraphQLEndpoint(Server.shared, .off).send(request).ways == [Way(.post, .document)])
    }

    @Test("A document that is not registrable is sent by POST without a hash, and the server does not register it")
    func derived() async throws {
        let derived = OperationDocument.unique(isRegistrable: false)
        let endpoint = try GraphQLEndpoint(Server.shared)
        for _ in 0..<2 {
            #expect(try await endpoint.send(GraphQLRequest(derived)).ways == [Way(.post, .document)])
        }
        let same = OperationDocument(text: derived.text, name: derived.name)
        #expect(try await endpoint.send(GraphQLRequest(same)).ways.count == 2)
    }

    @Test("A request whose URL would exceed 8,000 bytes is sent by POST")
    func longAddress() async throws {
        let endpoint = try GraphQLEndpoint(Server.shared, PersistedQuerySettings(retryMethod: .get))
        let text =
            "query Name($text: String) { employees(first: 1, filter: { name: $text }) { totalCount } }"
        let document = OperationDocument(text: "\(text) # \(UUID().uuidString)", name: "Name")
        _ = try await endpoint.send(GraphQLRequest(document, variables: ["text": "a"]))
        let short = try await endpoint.send(GraphQLRequest(document, variables: ["text": "b"]))
        #expect(short.ways == [Way(.get, .hash)])
        let long = String(repeating: "c", count: 8000)
        let reply = try await endpoint.send(GraphQLRequest(document, variables: ["text": .string(long)]))
        #expect(reply.ways == [Way(.post, .hash)])
        let padded = OperationDocument(
            text: OperationDocument.unique().text + String(repeating: "#", count: 8000), name: "Name")
        #expect(
            try await endpoint.send(GraphQLRequest(padded)).ways == [Way(.get, .hash), Way(.post, .hashAndDocument)])
    }

    @Test("A request with the hash of a 140-line document is at least 88 % smaller than a request with the document")
    func size() async throws {
        let fields = (0..<136).map { "    title\($0): lastName" }.joined(separator: "\n")
        let text = "query Long {\n  employee(id: 10004) {\n\(fields.replacing("title", with: "name"))\n  }\n}\n"
        let document = OperationDocument(text: "\(text)# \(UUID().uuidString)\n", name: "Long")
        let reply = try await GraphQLEndpoint(Server.shared).send(GraphQLRequest(document))
        let (byHash, withDocument) = (reply.exchanges[0].sentBytes, reply.exchanges[1].sentBytes)
        #expect(byHash * 100 <= withDocument * 12)
    }

    @Test("The response to a GET request with a hash is cacheable and has an entity tag")
    func cacheable() async throws {
        let endpoint = try GraphQLEndpoint(Server.shared)
        let request = GraphQLRequest(OperationDocument.unique())
        _ = try await endpoint.send(request)
        let reply = try await endpoint.send(request)
        #expect(reply.head.headerFields[.cacheControl]?.contains("max-age") == true)
        #expect(reply.head.headerFields[.eTag] != nil)
    }

    @Test("The server reports the errors of an invalid document and does not register the document")
    func invalidDocument() async throws {
        let endpoint = try GraphQLEndpoint(Server.shared)
        let request = GraphQLRequest(OperationDocument(text: "{ nothing } # \(UUID().uuidString)"))
        for _ in 0..<2 {
            let reply = try await endpoint.send(request)
            #expect(reply.ways == [Way(.get, .hash), Way(.post, .hashAndDocument)])
            #expect(reply.head.status == .badRequest && reply.text.contains("nothing"))
        }
    }
}

@Suite("A server without automatic persisted queries", .server(["--no-automatic-persisted-queries"]))
struct PersistedQueriesNotSupportedTests {
    @Test(
        "After the server rejects a hash, the client sends only documents and no further hashes",
        arguments: [PersistedQuerySettings.Method.get, .post])
    func notSupported(queryMethod: PersistedQuerySettings.Method) async throws {
        let endpoint = try GraphQLEndpoint(Server.shared, PersistedQuerySettings(queryMethod: queryMethod))
        let request = GraphQLRequest(OperationDocument.unique())
        let first = try await endpoint.send(request)
        #expect(first.ways == [Way(queryMethod == .get ? .get : .post, .hash), Way(.post, .document)])
        #expect(first.text == OperationDocument.koblick)
        for request in [request, GraphQLRequest(OperationDocument.unique())] {
            let reply = try await endpoint.send(request)
            #expect(reply.ways == [Way(.post, .document)])
            #expect(reply.text == OperationDocument.koblick)
        }
    }
}
