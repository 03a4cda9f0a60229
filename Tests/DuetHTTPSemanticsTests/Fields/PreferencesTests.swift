import DuetHTTPSemantics
import HTTPTypes
import Testing

@Suite("Preferences of requests")
struct PreferencesTests {
    private func value(_ name: String, _ fields: String...) -> String? {
        var headers = HTTPFields()
        for field in fields { headers.append(HTTPField(name: .prefer, value: field)) }
        return Preferences(headers).value(of: name)
    }

    @Test(
        "A preference has a name and an optional value",
        arguments: [
            ("return=minimal", "minimal"), ("RETURN = Minimal", "minimal"), ("return=\"minimal\"", "minimal"),
            ("respond-async, return=minimal", "minimal"), ("return=minimal; foo=\"a, b\";bar", "minimal"),
            ("return", ""), ("return=", ""), ("return=\"\"", ""), (",, return=minimal ,", "minimal"),
            ("return; return=minimal", ""),
        ])
    func values(field: String, expected: String) {
        #expect(value("return", field) == expected)
    }

    @Test("The first preference with a name counts, also if it is in another field")
    func repetition() {
        #expect(value("return", "return=minimal, return=representation") == "minimal")
        #expect(value("return", "wait=10", "return=representation", "Return=minimal") == "representation")
    }

    @Test(
        "Malformed elements are ignored",
        arguments: ["=minimal, return=a", "\"return\", return=a", "wait=\"1, return=b", "wait 10, return=a"])
    func malformed(field: String) {
        #expect(value("return", field) == (field.contains("=a") ? "a" : nil))
        #expect(value("wait", field) == nil)
    }

    @Test("A request without the field has no preference")
    func absent() {
        #expect(value("return") == nil)
        #expect(value("return", "") == nil)
    }
}
