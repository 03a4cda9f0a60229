import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Multipart forms")
struct MultipartFormTests {
    private let transport = ScriptedTransport(.noContent)

    /// Returns the content that a server receives, with the random boundary replaced by `BOUNDARY`.
    private func send(_ form: MultipartForm, limit: Int = 1024 * 1024) async throws -> String {
        var service = WebServiceProxy(baseURL: try #require(URL(string: "https://example.org")), transport: transport)
        service.maximumFormLength = limit
        try await service.invoke(.post, "form", content: .multipart(form))
        let request = try #require(transport.requests.last)
        let type = try #require(request.head.headerFields[.contentType])
        let boundary = try #require(type.split(separator: "multipart/form-data; boundary=").last)
        return String(decoding: try #require(request.body), as: UTF8.self).replacing(boundary, with: "BOUNDARY")
    }

    @Test("Each field value and each file is a part of the form")
    func parts() async throws {
        let form = MultipartForm(
            ["name": "Anna", "tags": ["a", "b"]],
            files: [.file("photo", Data("<svg/>".utf8), fileName: "a.svg", type: "image/svg+xml")])
        let expected = """
            --BOUNDARY
            Content-Disposition: form-data; name="name"

            Anna
            --BOUNDARY
            Content-Disposition: form-data; name="tags"

            a
            --BOUNDARY
            Content-Disposition: form-data; name="tags"

            b
            --BOUNDARY
            Content-Disposition: form-data; name="photo"; filename="a.svg"
            Content-Type: image/svg+xml

            <svg/>
            --BOUNDARY--

            """
        #expect(try await send(form) == expected.replacing("\n", with: "\r\n"))
    }

    @Test("Quotation marks and line breaks in names, and line breaks in media types, are percent-encoded")
    func names() async throws {
        let form = MultipartForm(
            [:], files: [.file("a\"b", Data(), fileName: "ä\r\nX: \".txt", type: "text/plain\r\nX: 1")])
        let content = try await send(form)
        #expect(
            content.contains(
                "name=\"a%22b\"; filename=\"ä%0D%0AX: %22.txt\"\r\nContent-Type: text/plain%0D%0AX: 1\r\n\r\n"))
    }

    @Test("A file on disk is read when the request is sent")
    func file() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        let form = MultipartForm([:], files: [.file("rows", contentsOf: file, type: "text/csv")])
        try Data("a,b\n".utf8).write(to: file)
        #expect(
            try await send(form).contains(
                "filename=\"\(file.lastPathComponent)\"\r\nContent-Type: text/csv\r\n\r\na,b\n\r\n"))
    }

    @Test("A missing file and a form that is too long are rejected")
    func refused() async throws {
        let missing = MultipartForm(
            [:], files: [.file("rows", contentsOf: URL(fileURLWithPath: "/nonexistent/rows.csv"))])
        var error = await #expect(throws: WebServiceError.self) { try await send(missing) }
        #expect(error?.code == .invalidRequest)
        let long = MultipartForm(["a": String(repeating: "x", count: 1000)])
        error = await #expect(throws: WebServiceError.self) { try await send(long, limit: 1000) }
        #expect(error?.code == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }
}
