import DuetJSON
import Foundation
import SeededTesting
import Testing

@Suite("Parsing JSON")
struct JSONParsingTests {
    private func read(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

    @Test(
        "JSON that RFC 8259 permits is read",
        arguments: [
            ("null", .null), (" true\r\n", .bool(true)), ("\tfalse", .bool(false)), ("0", 0), ("-0", 0), ("12", 12),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .double(9_223_372_036_854_775_808)), ("1.5", 1.5), ("1e3", .double(1_000)),
            ("-1.25E-2", -0.0125), ("1E+2", .double(100)), ("0.0", .double(0)), ("1e-400", .double(0)),
            (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\u6771""#, "é東"),
            (#""\uD83D\uDE00""#, "😀"), (#""\u0000""#, "\u{0}"), ("\"\u{7F}é東😀\"", "\u{7F}é東😀"),
            ("[]", []), ("[ ]", []), ("[1 , [2],{}]", [1, [2], [:]]), ("{}", [:]),
            ("{ \"a\" : 1 , \"b\":[] }", ["a": 1, "b": []]),
            (#"{"":{"":null}}"#, ["": ["": nil]]),
        ] as [(String, JSONValue)])
    func allowed(_ text: String, _ value: JSONValue) throws {
        #expect(try read(text) == value)
        #expect(try JSONTape(parsing: Array(text.utf8)).root.json == value)
    }

    @Test(
        "Text that is not JSON is rejected",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1",
            "1_000",
            "1e999", "\"", "\"a", #""\"#, #""\x""#, #""\u12""#, #""\u12G4""#, #""\u+123""#, "\"\u{1}\"", "\"a\nb\"",
            #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uD800x""#, #""\uDC00\uD800""#, "[", "[1", "[1,", "[1,]",
            "[,1]", "[1 2]", "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{'a':1}",
            "{\"a\" 1}", "{1:1}", "{\"a\":1 \"b\":2}", "1 2", "[]]", "{}{}", "// no\n1", "/* no */ 1", "'a'",
            "\u{FEFF}1",
            "[1}", "{\"a\":1]", "\u{A0}1", "tru", "falsey", "nan",
        ])
    func refused(_ text: String) throws {
        let error = try #require(throws: JSONError.self) { try read(text) }
        #expect(throws: error) { _ = try JSONTape(parsing: Array(text.utf8)) }
    }

    @Test(
        "Text that is not UTF-8 is rejected",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0xFF], [0x22, 0xE6, 0x9D],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    }

    @Test(
        "The error for invalid JSON contains the location",
        arguments: [
            ("[1,\n  x]", 2, 3), ("", 1, 1), ("{\"a\":1,\n\n \"a\":2}", 3, 2), ("[\n1\n", 3, 1), ("\"é\u{1}\"", 1, 4),
            ("01", 1, 1),
            ("[1] x", 1, 5), ("\n\n\"open", 3, 1),
        ])
    func place(_ text: String, _ line: Int, _ column: Int) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.description.hasSuffix("at line \(line), column \(column)") == true)
    }

    @Test("A duplicate name is an error that contains the name")
    func duplicate() {
        let error = #expect(throws: JSONError.self) { try read(#"{"name":1,"other":{"name":2},"\u006eame":3}"#) }
        #expect(error?.message.contains("\"name\"") == true)
        #expect(error?.column == 30)
        // A repeated name is reported before the repeated names in its value.
        let outer = #expect(throws: JSONError.self) { try read(#"{"a":1,"a":{"b":1,"b":2}}"#) }
        #expect(outer?.message.contains("\"a\"") == true)
        #expect(outer?.column == 8)
        let names = (0..<100).map { "\"\($0)\":\($0)" }
        #expect(throws: JSONError.self) { try read("{\((names + ["\"99\":0"]).joined(separator: ","))}") }
        #expect(throws: Never.self) { try read("{\(names.joined(separator: ","))}") }
    }

    @Test("A tape permits duplicate names, and has the first member")
    func duplicateOnTape() throws {
        let tape = try JSONTape(parsing: Array(#"{"a":1,"b":[{"c":2,"c":[3]}],"a":[4]}"#.utf8))
        #expect(tape.root.json == ["a": 1, "b": [["c": 2]]])
        #expect(tape.root["a"]?.integer == 1)
    }

    @Test(
        "The error for invalid JSON says what is expected",
        arguments: [
            ("", "the text ends where a value is expected"), ("[", "the text ends where a value is expected"),
            ("{", "a name in quotes is expected"), ("[1", "a comma or ] is expected"),
            ("{\"a\"", "a colon is expected"), ("{\"a\":1", "a comma or } is expected"),
            (#""\x""#, "an unknown escape sequence"), (#""\u12G4""#, "four hexadecimal digits are expected"),
            (#""\uD800\u0041""#, "an unpaired surrogate"), (#""\uD800""#, "an unpaired surrogate"),
            ("\"a", "the string is not terminated"), ("1e999", "the number is too large"),
            ("01", "a number must not have leading zeros"), ("1 2", "unexpected text follows the value"),
        ])
    func messages(_ text: String, _ message: String) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.message == message)
    }

    @Test("The nesting depth of JSON is limited")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try read(nested(64))
        #expect(throws: JSONError.self) { try read(nested(65)) }
        #expect(throws: JSONError.self) { try read(String(repeating: "{\"a\":", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try read(String(repeating: "[", count: 1_000_000)) }
        _ = try JSONValue(parsing: "[[]]".utf8, maximumDepth: 2)
        #expect(throws: JSONError.self) { try JSONValue(parsing: "[[]]".utf8, maximumDepth: 1) }
        // Adjacent arrays do not increase the nesting depth.
        _ = try read("[" + Array(repeating: "[[]]", count: 1_000).joined(separator: ",") + "]")
    }

    @Test("Members of an object retain their order and can be changed")
    func members() throws {
        guard case .object(var object) = try read(#"{"z":1,"a":2,"m":3}"#) else {
            Issue.record("no object")
            return
        }
        #expect(object.members.map(\.key) == ["z", "a", "m"])
        object["a"] = "new"
        object["z"] = nil
        object["b"] = 4
        object["none"] = nil
        #expect(object.members.map(\.key) == ["a", "m", "b"])
        #expect(object["a"] == "new")
        #expect(JSONValue.object(object)["b"] == 4)
        #expect(JSONValue.null["b"] == nil)
        #expect(
            [JSONValue.null, true, 1, 1.5, "", [], [:]].map(\.typeName) == [
                "null", "a boolean", "a number", "a number", "a string", "an array", "an object",
            ])
    }

    @Test("Written random values are read back unchanged, and Foundation reads them as equal values")
    func roundTrip() throws {
        let seed = TestScale.seeds(1).lowerBound
        var generator = SplitMix64(seed: seed)
        for _ in 0..<TestScale.count(500) {
            let value = randomValue(depth: 4, &generator)
            let bytes = value.compactBytes
            if try JSONValue(parsing: bytes) != value {
                Issue.record("seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            }
            let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            if !isSame(value, theirs) {
                Issue.record("seed \(seed), Foundation: \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    private func randomText(_ generator: inout SplitMix64) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "é", "東", "😀", "\u{7F}", "\u{FFFD}", "\u{2028}", " ",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
        }
        return text
    }

    private func randomValue(depth: Int, _ generator: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2:
            return .integer(Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
        // The double has a fraction, because a double without a fraction is read back as an integer.
        case 3: return .double(Double(Int32.random(in: .min ... .max, using: &generator)) + 0.5)
        case 4: return .string(randomText(&generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in randomValue(depth: depth - 1, &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                object[randomText(&generator)] = randomValue(depth: depth - 1, &generator)
            }
            return .object(object)
        }
    }

    private func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: theirs is NSNull
        case .bool(let value): (theirs as? Bool) == value
        case .integer(let value): (theirs as? NSNumber)?.int64Value == value
        case .double(let value): (theirs as? NSNumber)?.doubleValue == value
        case .string(let value): (theirs as? String) == value
        case .array(let values):
            (theirs as? [Any]).map { theirs in
                theirs.count == values.count && zip(values, theirs).allSatisfy { isSame($0, $1) }
            } ?? false
        case .object(let object):
            (theirs as? [String: Any]).map { theirs in
                theirs.count == object.members.count
                    && object.members.allSatisfy { member in
                        theirs[member.key].map { isSame(member.value, $0) } ?? false
                    }
            } ?? false
        }
    }
}
