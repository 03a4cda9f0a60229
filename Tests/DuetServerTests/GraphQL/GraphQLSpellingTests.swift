import DuetJSON
import NIOHTTP1
import TestSupport
import Testing

/// Texts with the same appearance but different bytes are different texts. Texts with combining marks take no more time
/// than other texts.
@Suite("Unicode spellings") struct SpellingTests {
    private static let composed = "R\u{E9}my"
    private static let decomposed = "Re\u{301}my"

    @Test(
        "Names that differ only in Unicode normalization have separate responses, independent of earlier requests",
        arguments: TestBackend.available)
    func questions(backend: TestBackend) async throws {
        for order in [[Self.composed, Self.decomposed], [Self.decomposed, Self.composed]] {
            try await withServer(backend) { server in
                for (index, name) in order.enumerated() {
                    // The name is part of the GraphQL document. The server caches documents by their text.
                    let made = try await server.client.graphQL(
                        """
                        mutation { createEmployee(input: {firstName: "\(name)", lastName: "X", birthDate: "1960-01-01", gender: F,
                          hireDate: "1990-01-01"}) { employee { firstName } } }
                        """)
                    let expected = #"{"data":{"createEmployee":{"employee":{"firstName":"\#(name)"}}}}"#
                    #expect(Array(made.text.utf8) == Array(expected.utf8))
                    // The name is also the value of a variable. The server caches plans by variable values.
                    for (asked, other) in order.enumerated() {
                        let counted = try await server.client.graphQL(
                            "query($n: String) { employees(filter: {name: $n}) { totalCount } }",
                            .object(JSONObject(["n": .string(other)])))
                        let count = asked <= index ? 1 : 0
                        #expect(counted.text == #"{"data":{"employees":{"totalCount":\#(count)}}}"#)
                    }
                }
            }
        }
    }

    @Test("Two Unicode spellings of a name are two members of a JSON object")
    func members() async throws {
        try await withServer(.sqlite) { server in
            let body =
                #"{"query":"{ __typename }","extensions":{"\#(Self.composed)":1,"\#(Self.decomposed)":2}}"#
            let response = try await server.client.send(.POST, "/graphql", json: body)
            #expect(response.status == 200)
        }
    }

    @Test("Combining marks do not slow down the server, in any part of a request")
    func marks() async throws {
        try await withServer(.sqlite) { server in
            let letters = String(repeating: "xyzw", count: 50_000)
            let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
            var times = (letters: Duration.zero, marks: Duration.zero)
            // The texts alternate, so that other load on the machine slows down both. Letters are sent more often, so
            // that both texts take about the same time. If the server normalized a text, the marks would take ten
            // times as long, because normalization sorts the marks.
            for _ in 0..<4 {
                times.letters += try await ContinuousClock().measure {
                    for _ in 0..<8 { try await Self.send(letters, server.client) }
                }
                times.marks += try await ContinuousClock().measure { try await Self.send(marks, server.client) }
            }
            #expect(times.marks < times.letters * 4, "\(times)")
        }
    }

    /// Sends a long text in a comment, in the value of a variable, and in the names of variables and members.
    private static func send(_ text: String, _ client: APIClient) async throws {
        let comment = try await client.graphQL("{ __typename } #a\(text)")
        #expect(comment.text == #"{"data":{"__typename":"Query"}}"#)
        let variable = try await client.graphQL(
            "query($n: String) { employees(after: $n) { nodes { id } } }",
            .object(JSONObject(["n": .string("a" + text), "a\(text)": 1, "b\(text)": 2])))
        #expect(variable.codes == ["INVALID_CURSOR"])
        let rest = try await client.send(.POST, "/employees", json: #"{"a\#(text)":1,"a\#(text)x":2}"#)
        #expect(rest.status == 422)
    }
}
