import Testing

@testable import DuetSQLDatabase

@Suite("Positions of databases")
struct DatabasePositionTests {
    @Test(
        "A position is a list of identifiers with different domains",
        arguments: [
            "0-1-105", "0-0-0", "0-1-5,3-2-17", "4294967295-4294967295-18446744073709551615",
            (0..<16).map { "\($0)-1-1" }.joined(separator: ","),
            (UInt32.max - 15...UInt32.max).map { "\($0)-4294967295-18446744073709551615" }.joined(separator: ","),
        ])
    func texts(_ text: String) throws {
        let position = try #require(DatabasePosition(text))
        #expect(position.description == text)
        #expect(position.reaches(position))
        #expect(DatabasePosition(position.description) == position)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", " ", ",", "0", "0-1", "0-1-", "0--5", "-1-5", "0-1-5,", ",0-1-5", "0-1-5,,3-2-17", "0-1-5 ", " 0-1-5",
            "0-1-5, 3-2-17", "0-1-5-6", "+0-1-5", "0-+1-5", "0-1-+5", "0--1-5", "00-1-5", "0-01-5", "0-1-05", "0x0-1-5",
            "0-1-5.0", "0-1-5e3", "0-1-٥", "０-1-5", "4294967296-1-5", "0-4294967296-5", "0-1-18446744073709551616",
            "0-1-5,0-2-6", "0-1-5,0-1-5", "0-1-5\n", "0-1-5\0", "0-1-5;3-2-17", "0-1-5'", "0\u{301}-1-5",
            (0..<17).map { "\($0)-1-1" }.joined(separator: ","), String(repeating: "0", count: 10_240),
            "0-1-" + String(repeating: "9", count: 10_240), String(repeating: "0-1-5,", count: 1_707) + "0-1-5",
            String(repeating: "-", count: 10_240), String(repeating: ",", count: 10_240),
        ])
    func refusedTexts(_ text: String) {
        #expect(DatabasePosition(text) == nil)
    }

    @Test("Each beginning of a position is refused or is a position that the whole one reaches")
    func cutTexts() throws {
        let text = "0-1-105,3-2-17,12-44-18446744073709551615"
        let whole = try #require(DatabasePosition(text))
        for count in 0..<text.utf8.count {
            guard let cut = DatabasePosition(String(text.prefix(count))) else { continue }
            #expect(cut.description == String(text.prefix(count)))
            #expect(whole.reaches(cut) || !whole.hasDomains(of: cut))
        }
    }

    @Test("The order of the domains does not matter")
    func order() {
        #expect(DatabasePosition("3-2-17,0-1-5") == DatabasePosition("0-1-5,3-2-17"))
        #expect(DatabasePosition("10-2-17,9-1-5")?.description == "9-1-5,10-2-17")
    }

    @Test(
        "A position reaches another one if it has all its commits",
        arguments: [
            ("0-1-5", "0-1-5", true), ("0-1-6", "0-1-5", true), ("0-1-5", "0-1-6", false), ("0-2-6", "0-1-5", true),
            ("0-1-5,3-1-1", "0-1-5", true), ("0-1-5", "0-1-5,3-1-1", false), ("3-1-9", "0-1-5", false),
            ("0-1-5,3-1-2", "0-1-4,3-1-3", false), ("0-1-10", "0-1-9", true),
        ])
    func reaches(_ position: String, _ other: String, _ expected: Bool) throws {
        let (position, other) = (try #require(DatabasePosition(position)), try #require(DatabasePosition(other)))
        #expect(position.reaches(other) == expected)
        let union = position.union(other)
        #expect(union.reaches(position) && union.reaches(other) && union == other.union(union))
    }

    @Test("The position of a session has the last commit of each domain, unless one is unknown")
    func session() {
        let session = DatabaseSession()
        #expect(session.position == nil)
        session.noteCommit("")
        #expect(session.position == nil)
        for commit in ["0-1-5", "3-1-1", "0-1-7", "0-1-6"] { session.noteCommit(commit) }
        #expect(session.position?.description == "0-1-7,3-1-1")
        session.noteCommit("")
        #expect(session.position?.description == "0-1-7,3-1-1")
        session.noteCommit(nil)
        session.noteCommit("0-1-8")
        #expect(session.position == nil)
    }
}
