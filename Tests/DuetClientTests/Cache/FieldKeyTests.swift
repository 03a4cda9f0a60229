import DuetClient
import DuetJSON
import Testing

@Suite("Keys of fields and objects")
struct FieldKeyTests {
    @Test(
        "A field has different keys for different arguments",
        arguments: [
            (["a": 1], ["a": "1"]), (["a": nil], ["a": "null"]), (["a": nil], [:]),
            (["a": "x,b:y"], ["a": "x", "b": "y"]), (["a": true], ["a": "true"]), (["a": [1, 2]], ["a": [[1, 2]]]),
            (["a": ["b": 1]], ["a": [["b": 1]]]), (["a": "\u{e9}"], ["a": "e\u{301}"]), (["a": #"\""#], ["a": "\""]),
            (["a": "x\",\"b\":\"y"], ["a": "x", "b": "y"]),
        ] as [(JSONObject, JSONObject)])
    func different(left: JSONObject, right: JSONObject) {
        #expect(FieldKey("f", arguments: left) != FieldKey("f", arguments: right))
    }

    @Test("The order of arguments and of input object fields does not change the key of a field")
    func order() {
        #expect(
            FieldKey("f", arguments: ["a": 1, "b": ["c": 2, "d": 3]])
                == FieldKey("f", arguments: ["b": ["d": 3, "c": 2], "a": 1]))
    }

    @Test("The key of a field without arguments is the name of the field")
    func plain() {
        #expect(FieldKey("f", arguments: [:]) == "f")
    }

    @Test("Special characters in identifiers do not make the keys of different objects equal")
    func escapedParts() {
        #expect(CacheKey.entity("Employee", "1.titles") != CacheKey("Employee:1.titles"))
        #expect(CacheKey.entity("E", ["a:b", "c"]) != CacheKey.entity("E", ["a", "b:c"]))
    }
}
