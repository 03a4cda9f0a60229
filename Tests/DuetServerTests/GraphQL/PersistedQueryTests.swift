import DuetEmployees
import DuetGraphQL
import DuetJSON
import DuetPersistedDocuments
import DuetPersistedQueries
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Automatic persisted queries and persisted documents over HTTP, as in Apollo's clients and in the draft of the
/// GraphQL over HTTP working group.
@Suite("Persisted queries") struct PersistedQueryTests {
    private static let query = "query Name($id: ID!) { employee(id: $id) { lastName } }"
    private static let graphQLResponse = "application/graphql-response+json"
    private static let neverStored = "private, no-cache, must-revalidate"

    /// Returns `extensions` with a hash.
    private static func extensions(_ hash: String, version: String = "1") -> String {
        #"{"persistedQuery":{"version":\#(version),"sha256Hash":"\#(hash)"}}"#
    }

    private static func hash(_ document: String) -> String { DocumentHash(of: document).description }

    /// Returns the request target of a query that is sent by its hash.
    private static func target(_ document: String, variables: String? = nil) -> String {
        variables.map {
            APIClient.graphQLTarget(["extensions": extensions(hash(document)), "variables": $0])
        } ?? APIClient.graphQLTarget(["extensions": extensions(hash(document))])
    }

    /// Returns a request body with a document and a hash. The default is the hash of the document.
    private static func body(_ document: String, hash: String? = nil, more: String = "") -> String {
        let query = JSONValue.string(document).compactText
        return "{\"query\":\(query),\"extensions\":\(extensions(hash ?? Self.hash(document)))\(more)}"
    }

    @Test(
        "A hash becomes unknown when the document is neither in memory nor in the store",
        arguments: TestBackend.available)
    func forgotten(backend: TestBackend) async throws {
        var settings = ServerSettings()
        settings.graphQL.persistedQueries.configuration.maximumMemory = 0
        try await withServer(backend, settings: settings) { server in
            let target = Self.target(Self.query, variables: #"{"id":"20001"}"#)
            _ = try await server.client.send(.POST, "/graphql", json: Self.body(Self.query))
            for _ in 0..<2 { #expect(try await server.client.get(target).text.contains("O'Brien")) }
            try await server.database.write { try $0.execute("DELETE FROM duet_persisted_queries") }
            #expect(try await server.client.get(target).codes == ["PERSISTED_QUERY_NOT_FOUND"])
        }
    }

    @Test(
        "After a request with a document and its hash, clients can send only the hash",
        arguments: TestBackend.available)
    func flow(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let variables = #"{"id":"20001"}"#
            let target = Self.target(Self.query, variables: variables)
            let unknown = try await server.client.get(target)
            #expect(unknown.status == 200)
            #expect(
                unknown.text
                    == #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
            )
            #expect(unknown["Cache-Control"] == Self.neverStored && unknown["ETag"] == nil)
            let unknownToGraphQL = try await server.client.get(target, ["Accept": Self.graphQLResponse])
            #expect(unknownToGraphQL.status == 404 && unknownToGraphQL.codes == ["PERSISTED_QUERY_NOT_FOUND"])
            #expect(unknownToGraphQL["Cache-Control"] == Self.neverStored)

            let expected = #"{"data":{"employee":{"lastName":"O'Brien"}}}"#
            let registered = try await server.client.send(
                .POST, "/graphql", json: Self.body(Self.query, more: ",\"variables\":\(variables)"))
            #expect(registered.status == 200 && registered.text == expected)

            let found = try await server.client.get(target)
            #expect(found.status == 200 && found.text == expected)
            let tag = try #require(found["ETag"])
            #expect(try await server.client.get(target, ["If-None-Match": tag]).status == 304)
            #expect(try await server.client.head(target)["Content-Length"] == String(expected.utf8.count))
            let posted = try await server.client.send(
                .POST, "/graphql",
                json: "{\"extensions\":\(Self.extensions(Self.hash(Self.query))),\"variables\":\(variables)}")
            #expect(posted.text == expected)
            // The variables are not part of the stored query.
            let other = try await server.client.get(Self.target(Self.query, variables: #"{"id":"99999"}"#))
            #expect(other.text == #"{"data":{"employee":null}}"#)
        }
    }

    @Test("A document with the hash of another document is rejected for every Accept field, and is not registered")
    func mismatch() async throws {
        try await withServer(.sqlite) { server in
            let other = "{ departments { departmentName } }"
            for accept in ["application/json", Self.graphQLResponse] {
                let refused = try await server.client.send(
                    .POST, "/graphql", json: Self.body(Self.query, hash: Self.hash(other)), ["Accept": accept])
                #expect(refused.status == 400 && refused.messages == ["provided sha does not match query"])
            }
            for document in [Self.query, other] {
                let unknown = try await server.client.get(Self.target(document))
                #expect(unknown.codes == ["PERSISTED_QUERY_NOT_FOUND"])
            }
        }
    }

    @Test("A malformed hash or version is a 400 without a database lookup")
    func malformed() async throws {
        try await withServer(.sqlite) { server in
            let hash = Self.hash(Self.query)
            #expect(
                try await server.client.send(
                    .POST, "/graphql", json: Self.body(Self.query, more: #","variables":{"id":1}"#)
                ).status == 200)
            server.statements.removeAll()
            for (extensions, part) in [
                (Self.extensions(hash.uppercased()), "64 hexadecimal digits in lower case"),
                (Self.extensions(String(hash.dropLast())), "64 hexadecimal"),
                (Self.extensions(hash + "0"), "64 hexadecimal"), (Self.extensions(""), "64 hexadecimal"),
                (Self.extensions(String(hash.dropLast()) + "g"), "64 hexadecimal"),
                (Self.extensions(String(hash.dropLast()) + "é"), "64 hexadecimal"),
                (#"{"persistedQuery":{"version":1}}"#, "64 hexadecimal"),
                (#"{"persistedQuery":{"version":1,"sha256Hash":7}}"#, "64 hexadecimal"),
                (Self.extensions(hash, version: "2"), "Unsupported persisted query version"),
                (Self.extensions(hash, version: "\"1\""), "Unsupported persisted query version"),
                (Self.extensions(hash, version: "1.5"), "Unsupported persisted query version"),
                ("{\"persistedQuery\":{\"sha256Hash\":\"\(hash)\"}}", "Unsupported persisted query version"),
                (#"{"persistedQuery":"x"}"#, "must be an object"), (#"{"persistedQuery":[]}"#, "must be an object"),
            ] {
                let got = try await server.client.get(APIClient.graphQLTarget(["extensions": extensions]))
                let posted = try await server.client.send(.POST, "/graphql", json: "{\"extensions\":\(extensions)}")
                for refused in [got, posted] {
                    #expect(refused.status == 400, "\(extensions)")
                    #expect(refused.messages.first?.contains(part) == true, "\(extensions): \(refused.text)")
                    #expect(refused["Cache-Control"] == "no-store")
                }
            }
            #expect(server.statements.take().isEmpty)
            // A null member is equivalent to an absent member.
            let none = try await server.client.send(
                .POST, "/graphql", json: #"{"query":"{ __typename }","extensions":{"persistedQuery":null}}"#)
            #expect(none.text == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    @Test(
        "Only documents that parse, are valid and have the requested operation are stored",
        arguments: TestBackend.available)
    func onlyGoodOnes(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            let bad = [
                "{", "{ nothing }", "fragment F on Employee { id }", "query A { __typename } query B { __typename }",
            ]
            for document in bad {
                let refused = try await server.client.send(.POST, "/graphql", json: Self.body(document))
                #expect(refused.messages.count == 1, "\(document)")
                #expect(try await server.client.get(Self.target(document)).codes == ["PERSISTED_QUERY_NOT_FOUND"])
            }
            // With an operation name, the last of these documents is accepted.
            let named = try await server.client.send(
                .POST, "/graphql", json: Self.body(bad[3], more: #","operationName":"B""#))
            #expect(named.text == #"{"data":{"__typename":"Query"}}"#)
            let found = try await server.client.get(
                APIClient.graphQLTarget([
                    "extensions": Self.extensions(Self.hash(bad[3])), "operationName": "A",
                ]))
            #expect(found.text == #"{"data":{"__typename":"Query"}}"#)
            // A document is also stored if the variables of its request are invalid.
            let wrong = try await server.client.send(.POST, "/graphql", json: Self.body(Self.query))
            #expect(wrong.codes == ["BAD_USER_INPUT"])
            let right = try await server.client.get(Self.target(Self.query, variables: #"{"id":1}"#))
            #expect(right.text == #"{"data":{"employee":null}}"#)
        }
    }

    @Test("A mutation that is requested by its hash runs only by POST")
    func mutations() async throws {
        try await withServer(.sqlite) { server in
            let mutation = "mutation { deleteEmployee(input: {id: 20001}) { deletedId } }"
            let both = APIClient.graphQLTarget([
                "query": mutation, "extensions": Self.extensions(Self.hash(mutation)),
            ])
            #expect(try await server.client.get(both).status == 405)
            #expect(try await server.client.get(Self.target(mutation)).codes == ["PERSISTED_QUERY_NOT_FOUND"])
            let first = try await server.client.send(.POST, "/graphql", json: Self.body(mutation))
            #expect(first.text == #"{"data":{"deleteEmployee":{"deletedId":"20001"}}}"#)
            let got = try await server.client.get(Self.target(mutation))
            #expect(got.status == 405 && got["Allow"] == "POST")
            let again = try await server.client.send(
                .POST, "/graphql", json: "{\"extensions\":\(Self.extensions(Self.hash(mutation)))}")
            #expect(again.text == #"{"data":{"deleteEmployee":{"deletedId":null}}}"#)
        }
    }

    @Test(
        "A document that one server registers is found by another server and after a restart",
        arguments: TestBackend.available)
    func shared(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            try await runServer(database) { first in
                try await runServer(database) { second in
                    let target = Self.target("{ __typename }")
                    #expect(try await second.client.get(target).codes == ["PERSISTED_QUERY_NOT_FOUND"])
                    _ = try await first.client.send(.POST, "/graphql", json: Self.body("{ __typename }"))
                    #expect(try await second.client.get(target).text == #"{"data":{"__typename":"Query"}}"#)
                }
            }
            try await runServer(database) { third in
                let found = try await third.client.get(Self.target("{ __typename }"))
                #expect(found.text == #"{"data":{"__typename":"Query"}}"#)
            }
        }
    }

    @Test("The limits of depth and size apply to a document that is found by its hash")
    func limits() async throws {
        try await TestDatabase.with(.sqlite) { database in
            let deep = "{ employees { nodes { titles { title } } } }"
            try await runServer(database) { server in
                let registered = try await server.client.send(.POST, "/graphql", json: Self.body(deep))
                #expect(registered.status == 200)
                let found = try await server.client.get(Self.target(deep))
                #expect(found.codes.isEmpty)
            }
            var shallow = ServerSettings()
            shallow.graphQL.limits.depth = 2
            try await runServer(database, settings: shallow) { server in
                let found = try await server.client.get(Self.target(deep))
                #expect(found.messages.count == 1 && found.codes != ["PERSISTED_QUERY_NOT_FOUND"])
            }
            var short = ServerSettings()
            short.graphQL.parserLimits.sourceBytes = 20
            try await runServer(database, settings: short) { server in
                let found = try await server.client.get(Self.target(deep))
                #expect(found.codes == ["GRAPHQL_PARSE_FAILED"])
            }
        }
    }

    @Test(
        "If the document store fails, the server executes requests with a document and caches the document",
        arguments: TestBackend.available)
    func storeDown(backend: TestBackend) async throws {
        try await withServer(backend) { server in
            try await server.database.write { try $0.executeScript("DROP TABLE duet_persisted_queries") }
            let unknown = try await server.client.get(Self.target("{ __typename }"))
            #expect(unknown.status == 200 && unknown.codes == ["PERSISTED_QUERY_NOT_FOUND"])
            let registered = try await server.client.send(.POST, "/graphql", json: Self.body("{ __typename }"))
            #expect(registered.text == #"{"data":{"__typename":"Query"}}"#)
            let found = try await server.client.get(Self.target("{ __typename }"))
            #expect(found.text == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    @Test("If persisted queries are disabled, each request with a hash is the error PersistedQueryNotSupported")
    func off() async throws {
        var settings = ServerSettings()
        settings.graphQL.persistedQueries.isAutomatic = false
        try await withServer(.sqlite, settings: settings) { server in
            let asked = try await server.client.get(Self.target("{ __typename }"))
            #expect(asked.status == 200 && asked.messages == ["PersistedQueryNotSupported"])
            #expect(asked.codes == ["PERSISTED_QUERY_NOT_SUPPORTED"])
            let registered = try await server.client.send(
                .POST, "/graphql", json: Self.body("{ __typename }"), ["Accept": Self.graphQLResponse])
            #expect(registered.status == 400 && registered.messages == ["PersistedQueryNotSupported"])
            #expect(try await server.client.graphQL("{ __typename }").text == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    private static func listed(exclusive: Bool) throws -> ServerSettings {
        var settings = ServerSettings()
        settings.graphQL.persistedQueries.isExclusive = exclusive
        for (id, document) in [(hash(query), query), ("departments-3", "{ departments { departmentNumber } }")] {
            try settings.graphQL.persistedQueries.manifest.add(
                PersistedQueryManifest.Operation(id: id, document: document), from: "a test")
        }
        return settings
    }

    @Test("A request for an unlisted document by its hash or identifier counts as a miss")
    func refusalsAreCounted() async throws {
        try await withServer(.sqlite, settings: try Self.listed(exclusive: true)) { server in
            for target in [
                Self.target("{ unlisted }"), "/graphql?documentId=sha256:\(Self.hash("{ unlisted }"))",
                "/graphql?documentId=unlisted",
            ] {
                #expect(try await server.client.get(target).codes == ["PERSISTED_QUERY_NOT_IN_LIST"])
            }
            for target in [Self.target(Self.query, variables: #"{"id":"20001"}"#), "/graphql?documentId=departments-3"]
            {
                #expect(try await server.client.get(target).codes.isEmpty)
            }
            let metrics = try await server.client.metrics()
            #expect(metrics.value("duet_persisted_query_misses_total") == 3)
            #expect(metrics.value("duet_persisted_query_hits_total", ["level": "manifest"]) == 2)
        }
    }

    @Test("If a document is listed under the hash of another document, the other document is not permitted")
    func foreignHash() async throws {
        var settings = ServerSettings()
        settings.graphQL.persistedQueries.isExclusive = true
        let listed = "query Name($id: ID!) { a: employee(id: $id) { __typename } }"
        try settings.graphQL.persistedQueries.manifest.add(
            PersistedQueryManifest.Operation(id: Self.hash(Self.query), document: listed), from: "a test")
        try await withServer(.sqlite, settings: settings) { server in
            let (variables, expected) = (#"{"id":"20001"}"#, #"{"data":{"a":{"__typename":"Employee"}}}"#)
            let named = try await server.client.get(Self.target(Self.query, variables: variables))
            #expect(named.text == expected)
            for body in ["{\"query\":\(JSONValue.string(Self.query).compactText)}", Self.body(Self.query)] {
                let refused = try await server.client.send(.POST, "/graphql", json: body)
                #expect(refused.codes == ["PERSISTED_QUERY_NOT_IN_LIST"], "\(refused.text)")
            }
            let posted = try await server.client.graphQL(listed, ["id": "20001"])
            #expect(posted.text == expected)
        }
    }

    @Test("At start, the log names each document of the manifest that cannot be executed")
    func unusable() async throws {
        var settings = ServerSettings()
        for (id, document) in [("good", "{ __typename }"), ("bad", "{ wages }"), ("worse", "{ wages")] {
            try settings.graphQL.persistedQueries.manifest.add(
                PersistedQueryManifest.Operation(id: id, document: document), from: "app.json")
        }
        try await TestDatabase.with(.sqlite) { [settings] database in
            let recorder = LogRecorder()
            try await runServer(database, settings: settings, logger: recorder.logger()) { _ in
                let lines = recorder.lines.filter { $0.hasPrefix("warning") }
                #expect(lines.count == 2 && lines.allSatisfy { $0.contains("app.json") }, "\(lines)")
                #expect(lines.contains { $0.contains("bad") && $0.contains("Cannot query field \"wages\"") })
                #expect(lines.contains { $0.contains("worse") && $0.contains("Syntax Error") })
            }
        }
    }

    @Test("Failures of the document store are logged at most once per interval")
    func failingStore() async throws {
        try await TestDatabase.with(.sqlite) { database in
            let recorder = LogRecorder()
            try await runServer(database, logger: recorder.logger()) { server in
                try await database.write { try $0.executeScript("DROP TABLE duet_persisted_queries") }
                for number in 0..<20 {
                    let answer = try await server.client.get(Self.target("{ a\(number): __typename }"))
                    #expect(answer.codes == ["PERSISTED_QUERY_NOT_FOUND"])
                }
                // At most one line in ten seconds is logged, regardless of the duration of the requests.
                let lines = recorder.lines.filter { $0.hasPrefix("warning") && $0.contains("lookup") }
                #expect((1..<20).contains(lines.count), "\(lines)")
                let failures = try await server.client.metrics()
                    .value("duet_persisted_query_store_failures_total", ["purpose": "lookup"])
                #expect(failures == 20)
            }
        }
    }

    @Test("A GET by hash for a query of 140 lines is at least 88 % smaller than a POST, and has the same response")
    func size() async throws {
        let employees = (0..<12).map { number in
            "  e\(number): employee(id: \(20001 + number % 3)) {\n"
                + (["employeeNumber", "firstName", "lastName", "hireDate", "titles {", "  title", "}", "manager {"]
                    .map { "    \($0)\n" }.joined() + "      lastName\n    }\n  }\n")
        }
        let document = "query Screen {\n\(employees.joined())}\n"
        #expect((140...160).contains(document.split(separator: "\n").count))
        try await withServer(.sqlite) { server in
            _ = try await server.client.send(.POST, "/graphql", json: Self.body(document))
            let full = "{\"query\":\(JSONValue.string(document).compactText)}"
            let posted = try await server.client.send(.POST, "/graphql", json: full)
            let hashed = try await server.client.get(Self.target(document))
            #expect(hashed.status == 200 && hashed.text == posted.text && !posted.text.contains("errors"))
            let (by, instead) = (Self.target(document).utf8.count, "/graphql".utf8.count + full.utf8.count)
            #expect(100 * by <= 12 * instead, "\(by) bytes instead of \(instead)")
        }
    }

    @Test("Clients can request the documents of a manifest by hash or by identifier without registration")
    func manifest() async throws {
        try await withServer(.sqlite, settings: try Self.listed(exclusive: false)) { server in
            let expected = #"{"data":{"employee":{"lastName":"O'Brien"}}}"#
            let variables = #"{"id":"20001"}"#
            #expect(try await server.client.get(Self.target(Self.query, variables: variables)).text == expected)
            let byID = APIClient.graphQLTarget([
                "documentId": "sha256:\(Self.hash(Self.query))", "variables": variables,
            ])
            #expect(try await server.client.get(byID).text == expected)
            let posted = try await server.client.send(
                .POST, "/graphql", json: #"{"documentId":"departments-3"}"#, ["Accept": Self.graphQLResponse])
            #expect(posted.status == 200 && posted.text.hasPrefix(#"{"data":{"departments":[{"departmentNumber":"d0"#))
            let unknown = try await server.client.get(
                "/graphql?documentId=departments-4", ["Accept": Self.graphQLResponse])
            #expect(unknown.status == 404 && unknown.codes == ["PERSISTED_QUERY_NOT_FOUND"])
            #expect(unknown["Cache-Control"] == Self.neverStored)
            // Clients can register other documents, and can request them by the identifier that the draft specifies.
            _ = try await server.client.send(.POST, "/graphql", json: Self.body("{ __typename }"))
            let registered = try await server.client.get(
                "/graphql?documentId=sha256:\(Self.hash("{ __typename }"))")
            #expect(registered.text == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    @Test("A documentId that is invalid, or that is sent together with a query or a hash, is a 400")
    func identifiers() async throws {
        try await withServer(.sqlite) { server in
            let hash = Self.hash("{ __typename }")
            for (body, part) in [
                (#"{"documentId":"sha256:x"}"#, "64 hexadecimal"),
                ("{\"documentId\":\"sha256:\(hash.uppercased())\"}", "64 hexadecimal"),
                (#"{"documentId":7}"#, "must be a string"),
                ("{\"documentId\":\"sha256:\(hash)\",\"query\":\"{ __typename }\"}", "or omit it"),
                ("{\"documentId\":\"x\",\"extensions\":\(Self.extensions(hash))}", "or omit it"),
            ] {
                let refused = try await server.client.send(.POST, "/graphql", json: body)
                #expect(refused.status == 400 && refused.messages.first?.contains(part) == true, "\(refused.text)")
            }
        }
    }

    @Test("A server that permits only listed documents rejects other documents by text, hash and identifier")
    func exclusive() async throws {
        try await withServer(.sqlite, settings: try Self.listed(exclusive: true)) { server in
            let listed = try await server.client.graphQL(Self.query, ["id": 20001])
            #expect(listed.text == #"{"data":{"employee":{"lastName":"O'Brien"}}}"#)
            let withHash = try await server.client.send(
                .POST, "/graphql", json: Self.body(Self.query, more: #","variables":{"id":1}"#))
            #expect(withHash.text == #"{"data":{"employee":null}}"#)
            let byID = try await server.client.get("/graphql?documentId=departments-3")
            #expect(byID.status == 200 && byID.codes.isEmpty)
            var refusals = [try await server.client.graphQL("{ __typename }")]
            // The document differs from the listed one only in a space.
            refusals.append(try await server.client.graphQL(Self.query + " ", ["id": 20001]))
            refusals.append(try await server.client.send(.POST, "/graphql", json: Self.body("{ __typename }")))
            refusals.append(try await server.client.get(Self.target("{ __typename }")))
            refusals.append(try await server.client.get("/graphql?documentId=other"))
            refusals.append(try await server.client.get("/graphql?query=%7B__schema%7Btypes%7Bname%7D%7D%7D"))
            for refused in refusals {
                #expect(refused.status == 200 && refused.codes == ["PERSISTED_QUERY_NOT_IN_LIST"], "\(refused.text)")
            }
            let strict = try await server.client.graphQL("{ __typename }", nil, ["Accept": Self.graphQLResponse])
            #expect(strict.status == 400)
        }
    }

    @Test("Each request of a batch can have a hash instead of a document")
    func batches() async throws {
        var settings = ServerSettings()
        settings.graphQL.maximumBatchSize = 3
        try await withServer(.sqlite, settings: settings) { server in
            let hashAlone = "{\"extensions\":\(Self.extensions(Self.hash("{ __typename }")))}"
            let answered = try await server.client.send(
                .POST, "/graphql", json: "[\(hashAlone),\(Self.body("{ __typename }")),\(hashAlone)]")
            let data = #"{"data":{"__typename":"Query"}}"#
            #expect(answered.text.hasSuffix(",\(data),\(data)]") && answered.text.hasPrefix(#"[{"errors":"#))
        }
    }
}
