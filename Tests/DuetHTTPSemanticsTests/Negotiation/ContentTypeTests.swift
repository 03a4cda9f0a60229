import DuetHTTPSemantics
import Testing

@Suite struct ContentTypeTests {
    @Test(
        "The media type and the charset of a Content-Type are converted to lower case",
        arguments: [
            ("application/json", "application/json", nil), (" Text/HTML ; Charset=UTF-8", "text/html", "utf-8"),
            ("text/plain;a=\"b;charset=x\";charset=\"us-ascii\"", "text/plain", "us-ascii"),
            ("text/plain;;", "text/plain", nil),
        ] as [(String, String, String?)])
    func parsed(value: String, mediaType: String, charset: String?) throws {
        let type = try #require(ContentType(value))
        #expect(type.mediaType == mediaType)
        #expect(type.charset == charset)
    }

    @Test(
        "A malformed Content-Type has no media type",
        arguments: ["", ";charset=utf-8", "text/plain charset", "text/plain;charset", "text/plain;a=\"b", "a/b;c=\"\\"])
    func malformed(value: String) {
        #expect(ContentType(value) == nil)
    }
}
