import DuetJSON
import Testing

@testable import DuetComparison

@Suite("Values that a task needs") struct PickTests {
    private static let rows: JSONValue = [["id": 1, "name": "Ann"], ["id": 2, "name": "Bob"]]

    @Test("A pick has the members of an object or of each row, and of nested values, in the order of the pick")
    func members() throws {
        let pick = try Pick(["name", ["orders": ["id"]]])
        let customer: JSONValue = [
            "id": 1, "name": "Ann", "orders": [["id": 7, "note": "a"], ["id": 8, "note": "b"]],
        ]
        #expect(try pick.values(of: customer) == ["name": "Ann", "orders": [["id": 7], ["id": 8]]])
        #expect(try pick.values(of: .null) == .null)
        #expect(throws: UnexpectedAnswer.self) { try pick.values(of: ["name": "Ann"]) }
    }

    @Test("A pick reads the member `within` of a response, or the response if it has no such member")
    func within() throws {
        let pick = try Pick(["pick": ["id"], "within": "customer"])
        #expect(try pick.values(of: ["customer": ["id": 1, "name": "Ann"], "errors": []]) == ["id": 1])
        #expect(try pick.values(of: ["id": 1, "name": "Ann"]) == ["id": 1])
    }

    @Test("A pick with `current` omits the rows whose period has ended")
    func current() throws {
        let pick = try Pick([["titles": ["pick": ["title"], "current": "toDate"]]])
        let titles: JSONValue = [
            ["title": "a", "toDate": "1999-12-31"], ["title": "b", "toDate": "9999-01-01"],
            ["title": "c", "toDate": 946_598_400_000], ["title": "d", "toDate": 253_370_782_800_000], ["title": "e"],
        ]
        let present: JSONValue = [["title": "b"], ["title": "d"], ["title": "e"]]
        #expect(try pick.values(of: ["titles": titles]) == ["titles": present])
    }

    @Test("The values of a list are those of all its pages; otherwise they are those of the last response")
    func combined() throws {
        let picks = Picks.combined(try Pick(["id"]))
        #expect(try picks.values(of: [Self.rows, [["id": 3]]], in: .graphQL) == [["id": 1], ["id": 2], ["id": 3]])
        #expect(try picks.values(of: [["id": 1], ["id": 2, "name": "Bob"]], in: .graphQL) == ["id": 2])
        #expect(throws: UnexpectedAnswer.self) { try picks.values(of: [.null, Self.rows], in: .graphQL) }
        #expect(throws: UnexpectedAnswer.self) { try picks.values(of: [], in: .graphQL) }
    }

    @Test("A list of picks has the values of each response")
    func each() throws {
        let picks = Picks.each([try Pick(["id"]), try Pick(["name"])])
        #expect(
            try picks.values(of: [["id": 1], Self.rows], in: .graphQL)
                == [["id": 1], [["name": "Ann"], ["name": "Bob"]]])
        #expect(throws: UnexpectedAnswer.self) { try picks.values(of: [["id": 1]], in: .graphQL) }
    }
}
