import Testing

@testable import DuetServer

@Suite("The settings of the collector") struct OTLPSettingsTests {
    @Test(
        "The path of traces is appended to the base URL",
        arguments: [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://otlp.example.com/", "https://otlp.example.com/v1/traces"),
            ("HTTPS://otlp.example.com/tenant/7", "HTTPS://otlp.example.com/tenant/7/v1/traces"),
        ])
    func url(endpoint: String, url: String) throws {
        #expect(try OTLPSettings(endpoint: endpoint).url == url)
    }

    @Test(
        "Any other URL is refused, without its text in the message",
        arguments: [
            "", "localhost:4318", "secret", "grpc://secret:4317", "http://", "http://user:secret@host",
            "http://h?secret", "http://h#secret", "http://127.0.0.1:65536", "http://h:0", "http://[::1]:99999",
        ])
    func invalid(endpoint: String) {
        #expect {
            _ = try OTLPSettings(endpoint: endpoint)
        } throws: { error in
            error is OTLPSettings.Unusable && !"\(error)".contains("secret")
        }
    }

    @Test("Header fields are names and percent-encoded values")
    func headers() throws {
        var settings = try OTLPSettings(endpoint: "http://h")
        try settings.setHeaders("Authorization=Basic%20YTpi, x-tenant = 7,")
        #expect(settings.headers.map(\.name) == ["Authorization", "x-tenant"])
        #expect(settings.headers.map(\.value) == ["Basic YTpi", "7"])
    }

    @Test(
        "Other header fields are refused, without their text in the message",
        arguments: [
            "secret", "a b=secret", "a=", "a=secret%0D%0Ab: c", "a=secret%", "Content-Type=secret", "host=secret",
        ])
    func invalidHeaders(list: String) throws {
        var settings = try OTLPSettings(endpoint: "http://h")
        #expect {
            try settings.setHeaders(list)
        } throws: { error in
            error is OTLPSettings.Unusable && !"\(error)".contains("secret")
        }
    }
}
