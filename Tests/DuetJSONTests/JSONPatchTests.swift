import DuetJSON
import Testing

@Suite("Differences as JSON Patch")
struct JSONPatchTests {
    /// Returns the document with the members of objects in the order of their names.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(object.members.sorted { $0.key < $1.key }.map { ($0.key, sorted($0.value)) }))
        case .array(let elements): .array(elements.map(sorted))
        default: value
        }
    }

    @Test(
        "A patch changes the first document to the second",
        arguments: [
            (#"{"a":1,"b":"x"}"#, #"{"a":2,"b":"x"}"#, #"[{"op":"replace","path":"/a","value":2}]"#),
            (#"{"a":1}"#, #"{"b":null}"#, #"[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":null}]"#),
            (#"{"a/b~":{"c":1}}"#, #"{"a/b~":{"c":2}}"#, #"[{"op":"replace","path":"/a~1b~0/c","value":2}]"#),
            ("[1,2,3,4]", "[1,4]", #"[{"op":"remove","path":"/1"},{"op":"remove","path":"/1"}]"#),
            ("[1,4]", "[1,2,3,4]", #"[{"op":"add","path":"/1","value":2},{"op":"add","path":"/2","value":3}]"#),
            (#"[{"a":1},{"a":2}]"#, #"[{"a":1},{"a":3}]"#, #"[{"op":"replace","path":"/1/a","value":3}]"#),
            ("[1,1]", "[1]", #"[{"op":"remove","path":"/1"}]"#),
            ("[]", "{}", #"[{"op":"replace","path":"","value":{}}]"#),
            ("[1]", "[1]", "[]"),
        ])
    func examples(_ old: String, _ new: String, _ patch: String) throws {
        let (old, new) = (try JSONValue(parsing: old.utf8), try JSONValue(parsing: new.utf8))
        let operations = try #require(JSONPatch.operations(from: old, to: new))
        #expect(JSONValue.array(operations).compactText == patch)
        let patched = try JSONPatch.apply(operations, to: old)
        #expect(patched == new)
    }

    @Test("The patch between random documents changes the first to the second")
    func random() throws {
        var generator = SystemRandomNumberGenerator()
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
            case 0: .integer(.random(in: 0...2, using: &generator))
            case 1: .string(["", "a", "b"].randomElement(using: &generator) ?? "")
            case 2: .null
            case 3, 4: .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth - 1) })
            default:
                .object(
                    JSONObject(
                        ["a", "b/c", "~"].filter { _ in Bool.random(using: &generator) }.map { ($0, value(depth - 1)) })
                )
            }
        }
        for _ in 0..<500 {
            let (old, new) = (value(3), value(3))
            let operations = try #require(JSONPatch.operations(from: old, to: new))
            let patched = try JSONPatch.apply(operations, to: old)
            #expect(
                Self.sorted(patched) == Self.sorted(new),
                "\(old.compactText) -> \(new.compactText)")
        }
    }

    @Test("Documents with numbers that may be rounded have no patch")
    func rounded() throws {
        let old = try JSONValue(parsing: #"{"a":[0.1]}"#.utf8)
        #expect(JSONPatch.operations(from: old, to: [:]) == nil)
        #expect(JSONPatch.operations(from: [:], to: old) == nil)
    }

    @Test(
        "A patch that does not fit the document is an error",
        arguments: [
            (#"{"op":"replace","path":"/3","value":1}"#, "[]"), (#"{"op":"remove","path":"/a"}"#, "{}"),
            (#"{"op":"replace","path":"/a/b","value":1}"#, #"{"a":1}"#),
            (#"{"op":"add","path":"/2","value":1}"#, "[1]"),
            (#"{"op":"add","path":"/-1","value":1}"#, "[1]"), (#"{"op":"add","path":"/a"}"#, "{}"),
            (#"{"op":"replace","path":"/a","value":1}"#, "{}"), (#"{"op":"remove"}"#, "{}"),
        ])
    func mismatch(_ operation: String, _ document: String) throws {
        let (operation, document) = (try JSONValue(parsing: operation.utf8), try JSONValue(parsing: document.utf8))
        #expect(throws: JSONPatch.Mismatch.self) { try JSONPatch.apply([operation], to: document) }
    }
}
