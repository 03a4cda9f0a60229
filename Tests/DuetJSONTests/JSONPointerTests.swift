import DuetJSON
import Testing

@Suite("JSON Pointers") struct JSONPointerTests {
    @Test("The text of a pointer has escapes (RFC 6901, section 5)")
    func text() {
        #expect(JSONPointer().description == "")
        #expect(JSONPointer(["foo", "0"]).description == "/foo/0")
        #expect(JSONPointer(["", "a/b", "m~n", " "]).description == "//a~1b/m~0n/ ")
    }
}
