import DuetJSON
import Testing

@Suite("JSON objects") struct JSONObjectTests {
    @Test(
        "A repeated name occurs once in an object, at its first position and with its last value",
        arguments: [3, 40, 2_000])
    func names(count: Int) {
        let names = (0..<count).map { "n\($0)" } + ["e\u{301}", "\u{E9}"]
        let object = JSONObject((names + names).enumerated().map { ($1, .integer(Int64($0))) })
        #expect(object.members.map { Array($0.key.utf8) } == names.map { Array($0.utf8) })
        #expect(object.members.map(\.value) == names.indices.map { .integer(Int64($0 + names.count)) })
    }
}
