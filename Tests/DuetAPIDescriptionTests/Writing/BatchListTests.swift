import DuetJSON
import ProcessTesting
import TestSupport
import Testing

@Suite("Lists of new rows in a batch") struct BatchListTests {
    @Test("The response to a list of new rows is an array, whatever the number of rows")
    func lists() async throws {
        try await WritableShop.with(.sqlite) { (shop: WritableShop) async throws in
            let lists: [[JSONValue]] = [
                [], [["id": 5, "name": "Eve"]], [["id": 6, "name": "F"], ["id": 7, "name": "G"]],
            ]
            let requests = lists.map { rows -> JSONValue in
                ["method": "POST", "path": "/customers?fields=id", "body": .array(rows)]
            }
            let answer = try await shop.send("POST", "/batch", ["requests": .array(requests)])
            guard case .array(let responses)? = try answer.json["responses"] else {
                Issue.record("\(answer.body)")
                return
            }
            #expect(responses.map { $0["status"] } == [201, 201, 201])
            #expect(responses.map { $0["headers"] } == [[:], [:], [:]])
            #expect(responses.map { $0["body"] } == [[], [["id": 5]], [["id": 6], ["id": 7]]])
        }
    }
}
