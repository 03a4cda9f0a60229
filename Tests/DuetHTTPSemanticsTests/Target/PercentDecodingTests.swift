import DuetHTTPSemantics
import Testing

@Suite struct PercentDecodingTests {
    @Test(
        "Percent-decoding a path segment retains plus signs",
        arguments: [
            ("", ""), ("d005", "d005"), ("a%2Fb%2fc", "a/b/c"), ("a+b%2Bc", "a+b+c"), ("%e2%82%AC", "€"),
            ("ü%25", "ü%"), ("%00", "\0"),
        ])
    func decoded(segment: String, text: String) {
        #expect(segment.percentDecoded == text)
    }

    @Test(
        "A segment with an incomplete percent escape or with bytes that are not UTF-8 cannot be decoded",
        arguments: ["%", "a%2", "%zz", "%+1", "%1g", "%%41", "%FF", "%C3", "%ED%A0%80", "%C0%80"])
    func malformed(segment: String) {
        #expect(segment.percentDecoded == nil)
    }
}
