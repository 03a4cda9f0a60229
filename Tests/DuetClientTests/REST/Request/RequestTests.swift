import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Requests that WebServiceProxy sends")
struct RequestTests {
    private let transport = ScriptedTransport(.ok, [.contentType: "application/json"], "{}")

    private func service(_ base: String = "https://example.org/api") throws -> WebServiceProxy {
        WebServiceProxy(baseURL: try #require(URL(string: base)), transport: transport)
    }

    @Test(
        "A path is appended to the base URL",
        arguments: [
            ("https://example.org", "employees", "https", "example.org", "/employees"),
            ("https://example.org/", "/employees", "https", "example.org", "/employees"),
            ("http://127.0.0.1:8080/api", "employees/1", "http", "127.0.0.1:8080", "/api/employees/1"),
            ("HTTP://[::1]:8080/api/", "", "http", "[::1]:8080", "/api/"),
            ("https://EXAMPLE.org/a%20b", "ä b?c#d%20", "https", "example.org", "/a%20b/%C3%A4%20b%3Fc%23d%2520"),
        ])
    func path(base: String, path: String, scheme: String, authority: String, expected: String) throws {
        let request = try service(base).request(.get, ResourcePath(path))
        #expect(request.scheme == scheme)
        #expect(request.authority == authority)
        #expect(request.path == expected)
    }

    @Test("An interpolated value in a path is encoded as one segment")
    func segment() throws {
        let department = "d/0?0#5 ä.."
        let request = try service().request(.get, "employees/\(10_004)/departments/\(department)", arguments: ["a": 1])
        #expect(request.path == "/api/employees/10004/departments/d%2F0%3F0%235%20%C3%A4..?a=1")
    }

    @Test("A path value that would address another resource is rejected", arguments: ["", ".", ".."])
    func traversal(value: String) async throws {
        let service = try service()
        let error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.delete, "employees/\(value)")
        }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "A base URL with a wrong scheme, a user or a query, or without a host, is rejected",
        arguments: ["/api", "ftp://example.org", "https:///api", "https://me@example.org", "https://example.org?key=1"])
    func baseAddress(base: String) throws {
        let service = try service(base)
        let error = #expect(throws: WebServiceError.self) { try service.request(.get, "employees") }
        #expect(error?.code == .invalidRequest)
    }

    @Test("A link with the origin of the base URL is used as the URL of the request")
    func sameOrigin() throws {
        let link = try #require(URL(string: "https://example.org:443/api/employees?after=W10%3D"))
        let request = try service().request(.get, ResourcePath(link), arguments: ["first": 5])
        #expect(request.path == "/api/employees?after=W10%3D&first=5")
    }

    @Test(
        "A link to another origin is rejected, because that origin would receive the header fields",
        arguments: ["http://example.org/api", "https://example.com/api", "https://example.org:8443/api", "employees"])
    func otherOrigin(link: String) throws {
        let link = try #require(URL(string: link))
        let service = try service()
        let error = #expect(throws: WebServiceError.self) { try service.request(.get, ResourcePath(link)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test("Header fields of a call replace the header fields of WebServiceProxy with equal names")
    func headerFields() async throws {
        var service = try service()
        service.headerFields = [.userAgent: "app", .authorization: "Bearer 1"]
        try await service.invoke(.get, "a", headerFields: [.authorization: "Bearer 2", .accept: "text/csv"])
        let fields = try #require(transport.requests.first).head.headerFields
        #expect(fields == [.userAgent: "app", .authorization: "Bearer 2", .accept: "text/csv"])
    }

    @Test("JSON content is sent with its media type, and a date is encoded as milliseconds since 1970")
    func json() async throws {
        struct Input: Encodable {
            let lastName = "Koblick/é"
            let hireDate = Date(timeIntervalSince1970: 533_797_200.000_4)
        }
        try await service().invoke(.post, "employees", content: .json(Input()))
        try await service().invoke(
            .patch, "employees", content: .json(["a": 1], type: "application/merge-patch+json"))
        let requests = transport.requests
        #expect(
            requests.map(\.head.headerFields[.contentType]) == ["application/json", "application/merge-patch+json"])
        #expect(requests.first?.body == Data(#"{"hireDate":533797200000,"lastName":"Koblick/é"}"#.utf8))
    }

    @Test("A custom encoder encodes the JSON content of a request")
    func encoder() async throws {
        var service = try service()
        service.encoder = JSONEncoder()
        service.encoder.dateEncodingStrategy = .iso8601
        try await service.invoke(.post, "dates", content: .json([Date(timeIntervalSince1970: 0)]))
        #expect(transport.requests.first?.body == Data(#"["1970-01-01T00:00:00Z"]"#.utf8))
    }

    @Test("A value that cannot be encoded is rejected")
    func unencodable() async throws {
        let service = try service()
        let error = await #expect(throws: WebServiceError.self) {
            try await service.invoke(.post, "numbers", content: .json([Double.nan]))
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.underlyingError is EncodingError)
        #expect(transport.requests.isEmpty)
    }

    @Test("A form is encoded like the query of a URL")
    func form() async throws {
        try await service().invoke(.post, "form", content: .form(["b": "x y", "a": [1, 2]]))
        #expect(transport.requests.first?.body == Data("a=1&a=2&b=x%20y".utf8))
        #expect(transport.requests.first?.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test("A precondition is sent as If-Match or If-None-Match")
    func precondition() async throws {
        let tag = try #require(EntityTag(#""abc""#))
        for condition in [Precondition.ifMatch(tag), .ifMatchAny, .ifNoneMatch(tag), .ifNoneMatchAny] {
            try await service().invoke(.put, "a", precondition: condition)
        }
        let fields = transport.requests.map(\.head.headerFields)
        #expect(fields.map { $0[.ifMatch] } == [#""abc""#, "*", nil, nil])
        #expect(fields.map { $0[.ifNoneMatch] } == [nil, nil, #""abc""#, "*"])
    }

    @Test("A request has the timeout of its WebServiceProxy")
    func timeout() async throws {
        var service = try service()
        service.timeout = .seconds(3)
        try await service.invoke(.get, "a")
        #expect(transport.requests.first?.timeout == .seconds(3))
    }
}
