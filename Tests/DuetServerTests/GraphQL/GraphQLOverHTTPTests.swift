import DuetEmployees
import DuetGraphQL
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import DuetServer
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// GraphQL over HTTP, from request to response: statuses, media types and header fields.
@Suite("GraphQL over HTTP") struct GraphQLOverHTTPTests {
    private static let graphQLResponse = "application/graphql-response+json"

    @Test("POST and GET give the same response body. A GET response has an entity tag and can be compressed")
    func methods() async throws {
        try await withServer(.sqlite) { server in
            let expected = #"{"data":{"employee":{"lastName":"O'Brien"}}}"#
            let posted = try await server.client.graphQL(
                "query Q($id: ID!) { employee(id: $id) { lastName } }", ["id": 20001])
            #expect(posted.status == 200 && posted.text == expected)
            #expect(posted["Content-Type"] == "application/json; charset=utf-8")
            #expect(posted["Cache-Control"] == "max-age=60, public" && posted["ETag"] == nil)
            let target = APIClient.graphQLTarget([
                "query": "query Q($id: ID!) { employee(id: $id) { lastName } }", "variables": #"{"id":"20001"}"#,
            ])
            let got = try await server.client.get(target)
            #expect(got.status == 200 && got.text == expected)
            let tag = try #require(got["ETag"])
            let again = try await server.client.get(target, ["If-None-Match": tag])
            #expect(again.status == 304 && again.isEmpty && again["ETag"] == tag)
            let head = try await server.client.head(target)
            #expect(head.status == 200 && head["Content-Length"] == String(expected.utf8.count))
            #expect(got["Vary"] == "Accept, Accept-Encoding")
            let several = try await server.client.get(
                APIClient.graphQLTarget([
                    "query": "query A { __typename } query B { b: __typename }", "operationName": "B",
                ]))
            #expect(several.text == #"{"data":{"b":"Query"}}"#)
            let large = try await server.client.getCompressed(
                APIClient.graphQLTarget([
                    "query":
                        "{ employees(first: 12) { nodes { id firstName lastName birthDate hireDate gender titles { title } } } }"
                ]))
            #expect(large["Content-Encoding"] == "gzip" && large.text.hasPrefix(#"{"data":{"employees":{"nodes":["#))
        }
    }

    @Test("Accept determines the media type, and the media type determines the status if a request cannot be executed")
    func negotiation() async throws {
        try await withServer(.sqlite) { server in
            for (accept, type, status) in [
                (nil, "application/json", 200), ("*/*", "application/json", 200),
                ("application/*", "application/json", 200),
                ("application/json", "application/json", 200), (Self.graphQLResponse, Self.graphQLResponse, 400),
                ("application/json;q=0.5, \(Self.graphQLResponse)", Self.graphQLResponse, 400),
                ("\(Self.graphQLResponse);q=0.5, application/json", "application/json", 200),
            ] {
                let headers: HTTPHeaders = accept.map { ["Accept": $0] } ?? [:]
                let fine = try await server.client.graphQL("{ __typename }", nil, headers)
                #expect(fine.status == 200 && fine["Content-Type"] == "\(type); charset=utf-8", "\(accept ?? "-")")
                for query in ["{", "{ nothing }", "query($a: Int!) { employees(first: $a) { totalCount } }"] {
                    let wrong = try await server.client.graphQL(query, nil, headers)
                    #expect(wrong.status == status && wrong["Content-Type"] == "\(type); charset=utf-8")
                    #expect(wrong["Cache-Control"] == "no-store")
                    let body = try wrong.json()
                    #expect(body["data"] == nil && wrong.messages.count == 1)
                }
                // A request with an error in a field is executed, so the status is 200.
                let failed = try await server.client.graphQL("{ employee(id: \"x\") { id } }", nil, headers)
                #expect(failed.status == 200)
            }
            let none = try await server.client.graphQL("{ __typename }", nil, ["Accept": "text/csv"])
            #expect(none.status == 406 && none.codes == ["NOT_ACCEPTABLE"])
        }
    }

    @Test("A mutation by GET and any request by PUT, PATCH or DELETE are a 405")
    func safety() async throws {
        try await withServer(.sqlite) { server in
            let mutation = "mutation M { deleteEmployee(input: {id: 20001}) { deletedId } }"
            for accept in ["application/json", Self.graphQLResponse] {
                let refused = try await server.client.get(
                    APIClient.graphQLTarget(["query": mutation]), ["Accept": accept])
                #expect(refused.status == 405 && refused["Allow"] == "POST" && refused.codes == ["METHOD_NOT_ALLOWED"])
            }
            // Only the selected operation determines the permitted methods.
            let query = try await server.client.get(
                APIClient.graphQLTarget(["query": "query Q { __typename } \(mutation)", "operationName": "Q"]))
            #expect(query.text == #"{"data":{"__typename":"Query"}}"#)
            #expect(try await server.client.get("/employees/20001").status == 200)
            for method in [HTTPMethod.PUT, .PATCH, .DELETE] {
                let refused = try await server.client.send(method, "/graphql", json: #"{"query":"{ __typename }"}"#)
                #expect(refused.status == 405 && refused["Allow"] == "GET, HEAD, POST, OPTIONS")
            }
        }
    }

    @Test(
        "A body whose Content-Type is not JSON in UTF-8 is a 415, so that a cross-origin POST needs a preflight"
    )
    func contentTypes() async throws {
        try await withServer(.sqlite) { server in
            let body = #"{"query":"{ __typename }"}"#
            for type in [
                nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                "application/graphql", "application/json; charset=iso-8859-1",
            ] {
                let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
                let refused = try await server.client.send(.POST, "/graphql", headers, body: body)
                #expect(refused.status == 415 && refused["Accept"] == "application/json", "\(type ?? "-")")
            }
            for type in ["application/json", "Application/JSON; Charset=\"UTF-8\"", "application/json;charset=utf-8"] {
                #expect(
                    try await server.client.send(.POST, "/graphql", ["Content-Type": type], body: body).status == 200)
            }
        }
    }

    @Test("A malformed request is a 400 for every accepted media type, and the message names the fault")
    func malformed() async throws {
        try await withServer(.sqlite) { server in
            for (body, part) in [
                ("", "body is empty"), ("{", "not JSON"), ("[]", "separately"), ("null", "must be a JSON object"),
                ("{}", #"no "query""#), (#"{"query":null}"#, #"no "query""#),
                (#"{"query":1}"#, #""query" must be a string"#),
                (#"{"query":"{a}","variables":[]}"#, #""variables" must be an object"#),
                (#"{"query":"{a}","variables":"{}"}"#, #""variables" must be an object"#),
                (#"{"query":"{a}","operationName":{}}"#, #""operationName" must be a string"#),
                (#"{"query":"{a}","extensions":[]}"#, #""extensions" must be an object"#),
                (#"{"query":"{a}","query":"{b}"}"#, "query"),
                (#"{"query":"{a}","variables":{"a":1,"a":2}}"#, "not JSON"),
                (#"[{"query":"{__typename}"}]"#, "separately"), (#"{"query":"{a}"} x"#, "not JSON"),
            ] {
                for accept in ["application/json", Self.graphQLResponse] {
                    let refused = try await server.client.send(
                        .POST, "/graphql", json: body, ["Accept": accept])
                    #expect(refused.status == 400, "\(body)")
                    #expect(refused.messages.first?.contains(part) == true, "\(body): \(refused.text)")
                    #expect(refused.codes == ["BAD_REQUEST"])
                }
            }
            let fields = "%7B__typename%7D"
            for query in [
                "", "?query=", "?variables=%7B%7D", "?query=\(fields)&variables=1", "?query=\(fields)&extensions=x",
                "?query=\(fields)&query=\(fields)", "?query=%ff",
            ] {
                #expect(try await server.client.get("/graphql\(query)").status == 400, "\(query)")
            }
            #expect(try await server.client.exchange("GET", "/graphql?query=%zz").hasPrefix("HTTP/1.1 400 "))
            // Unknown members are ignored, and a null member is equivalent to an absent member.
            let fine = try await server.client.send(
                .POST, "/graphql",
                json: "\u{FEFF}"
                    + #"{"query":"{ __typename }","id":7,"variables":null,"operationName":null,"extensions":null}"#)
            #expect(fine.text == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    @Test("The response to a batch is a list of responses. A batch above the maximum size is a 400")
    func batches() async throws {
        var settings = ServerSettings()
        settings.graphQL.maximumBatchSize = 3
        try await withServer(.sqlite, settings: settings) { server in
            let batch =
                #"[{"query":"{ employee(id: 20001) { lastName } }"},{"query":"{ nothing }"},{"query":"query($i:ID!){employee(id:$i){id}}","variables":{"i":20002}}]"#
            let response = try await server.client.send(.POST, "/graphql", json: batch)
            let items = try response.array()
            #expect(response.status == 200 && items.count == 3)
            #expect(items[0].compactText == #"{"data":{"employee":{"lastName":"O'Brien"}}}"#)
            #expect(items[1]["errors"] != nil && items[1]["data"] == nil)
            #expect(items[2].compactText == #"{"data":{"employee":{"id":"20002"}}}"#)
            #expect(response["Server-Timing"]?.contains(";desc=\"2\"") == true)
            for body in [
                "[]", #"[{"query":"{a}"},1]"#,
                "[\(Array(repeating: #"{"query":"{__typename}"}"#, count: 4).joined(separator: ","))]",
            ] {
                #expect(try await server.client.send(.POST, "/graphql", json: body).status == 400)
            }
        }
    }

    @Test("A request has the same response alone and in a batch, for every media type")
    func batchedAlike() async throws {
        var settings = ServerSettings()
        settings.graphQL.maximumBatchSize = 3
        try await withServer(.sqlite, settings: settings) { server in
            for body in [
                #"{"query":"query($i:ID!){employee(id:$i){id}}"}"#, #"{"query":"{ nothing }"}"#, #"{"query":"{"}"#,
                #"{"query":"{ employee(id: \"x\") { id } }"}"#, #"{"query":"{ __typename }"}"#,
            ] {
                for accept in ["application/json", Self.graphQLResponse, "multipart/mixed"] {
                    let alone = try await server.client.send(.POST, "/graphql", json: body, ["Accept": accept])
                    let batch = try await server.client.send(.POST, "/graphql", json: "[\(body)]", ["Accept": accept])
                    #expect(batch["Content-Type"] == alone["Content-Type"])
                    let document = try #require(alone.text.firstMatch(of: /\{[^\r]*\}/)).output
                    #expect(batch.text == alone.text.replacing(document, with: "[\(document)]"))
                }
            }
        }
    }

    @Test("Server-Timing lists the phases of a request. A cached document is not validated again")
    func timing() async throws {
        try await withServer(.sqlite) { server in
            let query = "{ employees(first: 2) { nodes { id titles { title } } } }"
            let first = try await server.client.graphQL(query)
            let phases = try #require(first["Server-Timing"])
            #expect(
                phases.wholeMatch(
                    of:
                        /parse;dur=[0-9.]+, validate;dur=[0-9.]+, plan;dur=[0-9.]+, sql;dur=[0-9.]+;desc="2", encode;dur=[0-9.]+/
                )
                    != nil, "\(phases)")
            let second = try #require(try await server.client.graphQL(query)["Server-Timing"])
            #expect(!second.contains("validate"))
            let introspection = try await server.client.graphQL("{ __schema { queryType { name } } }")
            #expect(introspection["Server-Timing"]?.contains(";desc=\"0\"") == true)
        }
    }

    @Test("Deferred fields are sent in a later part if the client accepts multipart/mixed")
    func parts() async throws {
        try await withServer(.sqlite) { server in
            let query =
                "{ employee(id: 20001) { lastName } ... @defer(label: \"rest\") { departments { departmentName } } }"
            let response = try await server.client.graphQL(query, nil, ["Accept": "multipart/mixed, application/json"])
            #expect(response.status == 200)
            #expect(response["Content-Type"]?.hasPrefix("multipart/mixed; boundary=\"-\"") == true)
            let parts = response.text.components(separatedBy: "\r\n---").dropFirst().map {
                $0.components(separatedBy: "\r\n\r\n").last ?? ""
            }
            #expect(
                parts.first
                    == #"{"data":{"employee":{"lastName":"O'Brien"}},"pending":[{"id":"0","path":[],"label":"rest"}],"hasNext":true}"#
            )
            #expect(
                parts.dropFirst().first?.contains(#""data":{"departments":[{"departmentName":"Development"}"#) == true,
                "\(response.text)")
            #expect(response.text.hasSuffix("\"hasNext\":false}\r\n-----\r\n"))
            let whole = try await server.client.graphQL(query)
            #expect(whole.text.hasPrefix(#"{"data":{"employee":{"lastName":"O'Brien"},"departments":[{"#))
        }
    }

    @Test("A response includes the plan only if debugging is enabled")
    func plan() async throws {
        var settings = ServerSettings()
        let body = #"{"query":"{ employee(id: 20001) { lastName } }","extensions":{"plan":true}}"#
        try await withServer(.sqlite) { server in
            let response = try await server.client.send(.POST, "/graphql", json: body)
            #expect(response.text == #"{"data":{"employee":{"lastName":"O'Brien"}}}"#)
        }
        settings.graphQL.isDebugging = true
        try await withServer(.sqlite, settings: settings) { server in
            let response = try await server.client.send(.POST, "/graphql", json: body)
            guard case .string(let plan)? = try response.json()["extensions"]?["plan"] else {
                Issue.record("\(response.text)")
                return
            }
            #expect(plan.contains("employee") && plan.contains("subtree"))
        }
    }

    @Test("If introspection is disabled, introspection queries are rejected and errors have no suggestions")
    func introspection() async throws {
        var settings = ServerSettings()
        try await withServer(.sqlite) { server in
            let answer = try await server.client.graphQL(IntrospectionQuery.standard)
            #expect(try answer.data()["__schema"]?["queryType"]?["name"] == "Query")
            let wrong = try await server.client.graphQL("{ employe { id } }")
            #expect(wrong.messages.first?.contains("Did you mean") == true)
        }
        settings.graphQL.isIntrospectionEnabled = false
        try await withServer(.sqlite, settings: settings) { server in
            let answer = try await server.client.graphQL("{ __schema { queryType { name } } }")
            #expect(answer.messages.first?.contains("introspection has been disabled") == true)
            let wrong = try await server.client.graphQL("{ employe { id } }")
            #expect(wrong.messages.first?.contains("Did you mean") == false)
            #expect(try await server.client.graphQL("{ __typename }").text == #"{"data":{"__typename":"Query"}}"#)
        }
    }

    @Test("The served schema is valid, and describes every type, field and argument")
    func schema() async throws {
        try await withServer(.sqlite) { server in
            let response = try await server.client.get("/schema.graphql")
            #expect(response["Content-Type"] == "application/graphql; charset=utf-8")
            let schema = try DuetGraphQL.Schema(sdl: response.text)
            // Every type and every field has a description.
            for type in schema.types where !type.name.hasPrefix("__") {
                #expect(type.description?.isEmpty == false, "\(type.name)")
                for field in type.fields ?? [] {
                    #expect(field.description?.isEmpty == false, "\(type.name).\(field.name)")
                    for argument in field.arguments { #expect(argument.description?.isEmpty == false) }
                }
            }
        }
    }

    @Test(
        "The response and the log name a missing table. The response contains no SQL and no database message",
        arguments: TestBackend.available)
    func inside(backend: TestBackend) async throws {
        try await TestDatabase.with(backend) { database in
            try await TestData.crew.load(into: database)
            let recorder = LogRecorder()
            try await runServer(database, logger: recorder.logger()) { server in
                try await database.write { connection in try connection.executeScript("DROP TABLE salaries") }
                let response = try await server.client.graphQL("{ employee(id: 20001) { id salaries { salary } } }")
                #expect(response.status == 200)
                #expect(response.codes == ["DATABASE_UNAVAILABLE"], "\(response.text)")
                #expect(response.text.contains("the database has no table salaries"))
                #expect(!response.text.contains("SELECT") && !response.text.contains("no such table"))
                #expect(!response.text.contains("doesn't exist"))
            }
            #expect(recorder.lines.contains { $0.hasPrefix("error") && $0.contains("salaries") })
        }
    }
}
