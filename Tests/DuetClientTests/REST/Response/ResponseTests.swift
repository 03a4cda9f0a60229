import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import Testing

@Suite("Responses that WebServiceProxy receives")
struct ResponseTests {
    struct Employee: Codable, Equatable {
        struct Title: Codable, Equatable {
            let title: String
            let fromDate: Date
        }
        let lastName: String
        let titles: [Title]
    }

    private func service(_ transport: ScriptedTransport) throws -> WebServiceProxy {
        WebServiceProxy(baseURL: try #require(URL(string: "https://example.org/api")), transport: transport)
    }

    private func service(
        _ status: HTTPResponse.Status = .ok, type: String = "application/json", fields: HTTPFields = [:], body: String
    ) throws -> WebServiceProxy {
        var fields = fields
        fields[.contentType] = type
        return try service(ScriptedTransport(status, fields, body))
    }

    @Test("JSON content is decoded. A date in the content is a number of milliseconds")
    func decoding() async throws {
        let service = try service(
            body: #"{"lastName":"Koblick","titles":[{"title":"Engineer","fromDate":533797200000}]}"#)
        let employee: Employee = try await service.invoke(.get, "employees/10004")
        #expect(
            employee
                == Employee(
                    lastName: "Koblick",
                    titles: [.init(title: "Engineer", fromDate: Date(timeIntervalSince1970: 533_797_200))]))
    }

    @Test("Missing content is nil for an optional type, and an error for any other type")
    func noContent() async throws {
        let service = try service(ScriptedTransport(.noContent))
        let none: Employee? = try await service.invoke(.get, "employees/1")
        #expect(none == nil)
        let error = await #expect(throws: WebServiceError.self) {
            let _: Employee = try await service.invoke(.get, "employees/1")
        }
        #expect(error?.code == .undecodable)
    }

    @Test(
        "The error for undecodable content contains the location of the mistake",
        arguments: [
            (#"{"lastName":1,"titles":[]}"#, WebServiceError.Place.member("lastName")),
            (#"{"lastName":"a"}"#, .member("titles")),
            (#"{"lastName":"a","titles":[{"title":"b"}]}"#, .member("titles[0].fromDate")),
            (#"{"lastName":"a","titles":[null]}"#, .member("titles[0]")),
            ("[]", .member("")),
            ("{\"lastName\":\n  \"a\" \"titles\"}", .text(line: 2, column: 7)),
            (#"{"lastName":"a","titles":["#, .text(line: 1, column: 27)),
            ("<html>", .text(line: 1, column: 1)),
            ("", .text(line: 1, column: 1)),
        ])
    func place(content: String, place: WebServiceError.Place) async throws {
        let service = try service(body: content)
        let error = await #expect(throws: WebServiceError.self) {
            let _: Employee = try await service.invoke(.get, "employees/1")
        }
        #expect(error?.code == .undecodable)
        #expect(error?.place == place)
        #expect(error?.status == .ok)
        #expect(error?.underlyingError is DecodingError)
    }

    @Test("A handler receives the whole response. The Accept field of the request has the handler's media type")
    func handler() async throws {
        let transport = ScriptedTransport(.ok, [.contentType: "text/csv"], "a,b\n1,2\n")
        let rows = try await service(transport).invoke(.get, "rows", accept: "text/csv") { response in
            #expect(response.head.headerFields[.contentType] == "text/csv")
            return String(decoding: response.content, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        #expect(rows == ["a,b", "1,2"])
        #expect(transport.requests.first?.head.headerFields[.accept] == "text/csv")
    }

    @Test("The error of a handler is the underlying error of the thrown error")
    func handlerError() async throws {
        struct NoPicture: Error {}
        let service = try service(body: "{}")
        let error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.get, "picture", accept: "image/*") { _ in throw NoPicture() }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.underlyingError is NoPicture)
    }

    @Test("A stream delivers all received parts before it throws the error of a lost connection")
    func stream() async throws {
        let transport = ScriptedTransport { _ throws(TransportError) in
            TransportResponse(
                HTTPResponse(status: .ok),
                body: ResponseBody(parts: ["1\n", "2\n"], failure: TransportError(.connectionLost, "gone")))
        }
        let response = try await service(transport).stream(.get, "rows", accept: "application/x-ndjson")
        var parts: [String] = []
        do throws(TransportError) {
            for try await part in response.content { parts.append(String(decoding: part, as: UTF8.self)) }
            Issue.record("The stream is cut off, but has no error.")
        } catch {
            #expect(error.code == .connectionLost)
        }
        #expect(parts == ["1\n", "2\n"])
    }

    @Test("A problem document has the members of RFC 9457. Its other members are extensions in their original order")
    func problem() async throws {
        let service = try service(
            .unprocessableContent, type: "application/problem+json; charset=utf-8",
            body:
                #"{"type":"/problems/v","title":"Not valid","status":422,"detail":"see b","instance":"/1","z":[{"a":1}],"code":"v"}"#
        )
        let error = await #expect(throws: WebServiceError.self) { try await service.invoke(.post, "employees") }
        let problem = try #require(error?.problem)
        #expect(error?.code == .unsuccessful)
        #expect(error?.status == .unprocessableContent)
        #expect(problem.type == "/problems/v")
        #expect(problem.title == "Not valid")
        #expect(problem.status == 422)
        #expect(problem.detail == "see b")
        #expect(problem.instance == "/1")
        #expect(problem.extensions == ["z": [["a": 1]], "code": "v"])
        #expect(
            error?.description
                == "The server responded to POST /api/employees with 422 Unprocessable Content: Not valid: see b")
    }

    @Test("Members of a wrong type in a problem document are ignored. The default type is about:blank")
    func otherTypes() async throws {
        let service = try service(
            .conflict, type: "Application/Problem+JSON", body: #"{"type":1,"title":null,"status":"409","detail":[]}"#)
        let error = await #expect(throws: WebServiceError.self) { try await service.invoke(.post, "employees") }
        #expect(error?.problem == Problem(JSONObject()))
        #expect(error?.problem?.type == "about:blank")
    }

    @Test(
        "The error for an error response without a valid problem document contains the body",
        arguments: [
            ("text/html", "<h1>Bad Gateway</h1>"), ("application/problem+json", "{"),
            ("application/problem+json", "[]"),
        ])
    func noProblem(type: String, body: String) async throws {
        let service = try service(.badGateway, type: type, body: body)
        let error = await #expect(throws: WebServiceError.self) { try await service.invoke(.get, "employees") }
        #expect(error?.problem == nil)
        #expect(error?.body == Data(body.utf8))
        #expect(error?.status == .badGateway)
    }

    @Test("The error for a long or truncated error response contains the beginning of the body")
    func longBody() async throws {
        let part = String(repeating: "x", count: 50_000)
        let transport = ScriptedTransport { _ throws(TransportError) in
            TransportResponse(HTTPResponse(status: .badGateway), body: ResponseBody(parts: [part, part, part]))
        }
        var error = await #expect(throws: WebServiceError.self) {
            try await service(transport).invoke(.get, "employees")
        }
        #expect(error?.body?.count == 65_536)
        let cutOff = ScriptedTransport { _ throws(TransportError) in
            TransportResponse(
                HTTPResponse(status: .badGateway),
                body: ResponseBody(parts: ["Bad"], failure: TransportError(.connectionLost, "gone")))
        }
        error = await #expect(throws: WebServiceError.self) { try await service(cutOff).invoke(.get, "employees") }
        #expect(error?.code == .unsuccessful)
        #expect(error?.body == Data("Bad".utf8))
    }

    @Test("The error message does not contain the URL query, which can contain a secret")
    func secret() async throws {
        let service = try service(.forbidden, body: "{}")
        let error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.get, "employees", arguments: ["token": "secret"])
        }
        #expect(error?.description == "The server responded to GET /api/employees with 403 Forbidden.")
    }

    @Test("The error for a request without a response contains the transport's error")
    func noResponse() async throws {
        let transport = ScriptedTransport { _ throws(TransportError) in throw TransportError(.cannotConnect, "refused")
        }
        let error = await #expect(throws: WebServiceError.self) {
            try await service(transport).invoke(.get, "employees")
        }
        #expect(error?.code == .noResponse)
        #expect(error?.transportError?.code == .cannotConnect)
    }

    @Test("A response above the size limit is rejected")
    func tooLarge() async throws {
        var service = try service(body: #"["abcdef"]"#)
        service.maximumResponseLength = 9
        let error = await #expect(throws: WebServiceError.self) {
            let _: [String] = try await service.invoke(.get, "a")
        }
        #expect(error?.transportError?.code == .tooLarge)
    }

    @Test("Only a strong entity tag can be used as a precondition")
    func unchanged() async throws {
        let strong: WebServiceResponse<[Int]> = try await service(fields: [.eTag: #""a""#], body: "[]").invoke(
            .get, "a")
        #expect(try strong.unchanged == .ifMatch(try #require(EntityTag(#""a""#))))
        for fields in [[.eTag: #"W/"a""#], [.eTag: "a"], [:]] as [HTTPFields] {
            let response: WebServiceResponse<[Int]> = try await service(fields: fields, body: "[]").invoke(.get, "a")
            #expect(throws: WebServiceError.self) { try response.unchanged }
        }
    }

    @Test(
        "A link in the Link field is found by its relation type",
        arguments: [
            (#"</api/employees?after=W10>; rel="next""#, "https://example.org/api/employees?after=W10"),
            (
                #"<a,b;c>; title="x, \"y\"; rel=z"; rel="prev NEXT"; rel="self", <d>; rel=next"#,
                "https://example.org/api/a,b;c"
            ),
            (#"<a>; rel=prev ,, <b>;rel=next;x"#, "https://example.org/api/b"),
            (#"<a>;rel=prev"#, nil),
            (#"a; rel=next"#, nil),
            (#"<a"#, nil),
        ] as [(String, String?)])
    func link(field: String, expected: String?) async throws {
        let name = try #require(HTTPField.Name("Link"))
        let response: WebServiceResponse<[Int]> = try await service(fields: [name: field], body: "[]").invoke(
            .get, "employees")
        #expect(response.link("next")?.absoluteString == expected)
    }
}
