import DuetJSON
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// The response to any input is a GraphQL response or a 4xx, and the server continues to respond.
@Suite("Invalid GraphQL input") struct GraphQLBadInputTests {
    @Test("A GraphQL document that exceeds a limit or has circular fragments is an error without data")
    func tooMuch() async throws {
        let aliases = (0..<10_000).map { "a\($0): employee(id: 20001) { id }" }.joined(separator: " ")
        let bomb =
            "{ ...f0 } "
            + (0..<40).map { "fragment f\($0) on Query { a: departments { id } ...f\($0 + 1) ...f\($0 + 1) }" }
            .joined(separator: " ") + " fragment f40 on Query { __typename }"
        let nested =
            String(repeating: "departments { employees(first: 1) { nodes { departments { department { ", count: 1)
        let documents = [
            ("nesting", String(repeating: "{a", count: 100_000)),
            ("nested lists", "{ employee(id: \(String(repeating: "[", count: 100_000))"),
            ("nested objects", "{ employees(filter: \(String(repeating: "{a:", count: 100_000))"),
            ("nested types", "query($a: \(String(repeating: "[", count: 100_000))"),
            ("one long name", "{ \(String(repeating: "a", count: 1_000_000)) }"),
            ("one long string", "{ employee(id: \"\(String(repeating: "\\u00e9", count: 100_000))\") { id } }"),
            ("aliases", "{ \(aliases) }"),
            ("many aliases", "{ \((0..<150).map { "a\($0): __typename" }.joined(separator: " ")) }"),
            ("a fragment bomb", bomb),
            ("circular fragments", "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }"),
            ("a fragment in itself", "{ ...a } fragment a on Query { departments { id } ...a }"),
            ("directives", "{ __typename \(String(repeating: "@skip(if: false) ", count: 2_000)) }"),
            (
                "depth",
                "{ \(nested) id employees { nodes { departments { department { employees { nodes { departments { department { employees { nodes { id } } } } } } } } } } } } } } }"
            ),
            (
                "cost",
                "{ departments { employees(first: 1000) { nodes { departments { department { employees(first: 1000) { nodes { id } } } } } } } }"
            ),
            (
                "introspection in circles",
                "{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }"
            ),
            ("operations", String(repeating: "query { a } ", count: 20_000)),
            ("variables", "query(\((0..<20_000).map { "$v\($0): Int" }.joined(separator: " "))) { __typename }"),
        ]
        try await withServer(.sqlite) { server in
            for (name, document) in documents {
                let response = try await server.client.graphQL(document)
                #expect([200, 413].contains(response.status), "\(name): \(response.status)")
                #expect(!response.messages.isEmpty && response.messages.allSatisfy { !$0.isEmpty }, "\(name)")
                #expect(response.messages.allSatisfy { $0.utf8.count < 1_200_000 })
                let body = try response.json()
                #expect(body["data"] == nil, "\(name)")
                #expect(response.codes.allSatisfy { !$0.isEmpty }, "\(name): \(response.codes)")
                let strict = try await server.client.graphQL(
                    document, nil, ["Accept": "application/graphql-response+json"])
                #expect([400, 413].contains(strict.status), "\(name): \(strict.status)")
            }
            // A list of a thousand employees with titles and salaries is within the limits.
            let list = try await server.client.graphQL(
                "{ employees(first: 1000) { nodes { firstName titles { title } salaries { salary } } } }")
            #expect(list.messages == [])
        }
    }

    @Test("A response that exceeds the maximum size is an error, regardless of which part is large")
    func tooLarge() async throws {
        let key = String(repeating: "k", count: 200_000)
        try await withServer(.sqlite, data: .sample(300)) { server in
            for query in [
                "{ employees(first: 300) { nodes { \(key): id } } }",
                "{ employees(first: 300) { nodes { titles { \(key): title } } } }",
                "{ employees(first: 300) { nodes { \(key): titles { title } } } }",
                "{ employees(first: 300) { edges { node { id departments { \(key): departmentName } } } } }",
                "{ departments { employees(first: 300) { nodes { \(key): id } } } }",
                "{ departments { employees(first: 50) { nodes { departments { department { employees(first: 50) { nodes { k\(key.prefix(8_000)): id } } } } } } } }",
                "{ \((0..<10).map { "a\($0): employees(first: 300) { nodes { k\(key.prefix(20_000)): id } }" }.joined(separator: " ")) }",
            ] {
                let response = try await server.client.graphQL(query)
                #expect(response.status == 200 && response.codes.contains("ANSWER_TOO_LARGE"), "\(query.prefix(60))")
            }
            let small = try await server.client.graphQL("{ employee(id: 10004) { lastName } }")
            #expect(small.messages == [])
        }
    }

    @Test("Invalid characters, numbers and variables are errors, and valid edge cases are accepted")
    func characters() async throws {
        try await withServer(.sqlite) { server in
            for (body, isFine) in [
                (#"{"query":"{ employees(first: 2147483648) { totalCount } }"}"#, false),
                (
                    #"{"query":"query($n: Int!) { employees(first: $n) { totalCount } }","variables":{"n":2147483648}}"#,
                    false
                ),
                (
                    #"{"query":"query($n: Int!) { employees(first: $n) { totalCount } }","variables":{"n":1e400}}"#,
                    false
                ),
                (#"{"query":"query($n: Int!) { employees(first: $n) { totalCount } }","variables":{"n":1e2}}"#, true),
                (
                    #"{"query":"query($n: Int!) { employees(first: $n) { totalCount } }","variables":{"n":99999999999999999999}}"#,
                    false
                ),
                (#"{"query":"{ employees(first: 1e400) { totalCount } }"}"#, false),
                (#"{"query":"query($n: Int!) { employees(first: $n) { totalCount } }","variables":{"n":"1"}}"#, false),
                (#"{"query":"query($i: ID!) { employee(id: $i) { id } }","variables":{"i":"\ud800"}}"#, false),
                (#"{"query":"query($i: ID!) { employee(id: $i) { id } }","variables":{"i":1.5}}"#, false),
                (#"{"query":"query($i: ID!) { employee(id: $i) { id } }","variables":{"i":20001}}"#, true),
                (#"{"query":"query($i: ID!) { employee(id: $i) { id } }","variables":{"i":99999999999999}}"#, false),
                (#"{"query":"{ employee(id: \"\ud800\") { id } }"}"#, false),
                (#"{"query":"{ employee(id: \"\\ud800\") { id } }"}"#, false),
                (#"{"query":"{ employee(id: \"\\ud83d\\ude00\") { id } }"}"#, false),
                (#"{"query":"{ employees(filter: {name: \"\\u{1F600}\"}) { totalCount } }"}"#, true),
                (#"{"query":"{ employees(filter: {name: \"a\\u0000b\"}) { totalCount } }"}"#, false),
                (#"{"query":"{ __typename \u0000 }"}"#, false), (#"{"query":"{ __typename } # \u0000"}"#, true),
                (
                    #"{"query":"query($f: EmployeeFilter) { employees(filter: $f) { totalCount } }","variables":{"f":{"name":"A*","name":"B*"}}}"#,
                    false
                ),
                (
                    #"{"query":"query($f: EmployeeFilter) { employees(filter: $f) { totalCount } }","variables":{"f":{"nam":"A*"}}}"#,
                    false
                ),
                (
                    #"{"query":"query($f: EmployeeFilter) { employees(filter: $f) { totalCount } }","variables":{"f":null}}"#,
                    true
                ),
                (
                    #"{"query":"query($a: String) { employees(after: $a) { totalCount } }","variables":{"a":"\u0000"}}"#,
                    false
                ),
            ] {
                let response = try await server.client.send(.POST, "/graphql", json: body)
                #expect(response.status == 200 || response.status == 400, "\(body): \(response.status)")
                #expect(response.messages.isEmpty == isFine, "\(body): \(response.text)")
                #expect(!response.codes.contains("INTERNAL_ERROR"), "\(body): \(response.text)")
            }
            for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
                var body = ByteBuffer(string: #"{"query":"{ __typename } # "#)
                body.writeBytes(bytes)
                body.writeString("\"}")
                let response = try await server.client.send(.POST, "/graphql", bytes: body)
                #expect(response.status == 400 && response.codes == ["BAD_REQUEST"])
            }
            let large = ByteBuffer(repeating: UInt8(ascii: " "), count: 2 << 20)
            #expect(try await server.client.send(.POST, "/graphql", bytes: large).status == 413)
        }
    }

    @Test("JSON that is nested too deeply is rejected", arguments: ["[", #"{"a":"#])
    func nestedJSON(opening: String) async throws {
        try await withServer(.sqlite) { server in
            let deep = String(repeating: opening, count: 100_000)
            for body in [
                deep, #"{"query":"{ __typename }","variables":{"a":\#(deep)"#,
                #"{"query":"{ __typename }","extensions":\#(deep)"#,
            ] {
                let response = try await server.client.send(.POST, "/graphql", json: body)
                #expect(response.status == 400)
            }
        }
    }

    @Test("The server continues to respond after clients disconnect during a query", arguments: TestBackend.available)
    func leaving(backend: TestBackend) async throws {
        try await withServer(backend, data: .sample(2_000)) { server in
            let query =
                #"{ employees(first: 1000) { nodes { titles { title } salaries { salary } manager { salaries { salary } } } } }"#
            let body = #"{"query":"\#(query)"}"#
            for _ in 0..<5 {
                let channel = try await server.client.connect()
                try await channel.executeThenClose { _, outbound in
                    try await outbound.write(
                        ByteBuffer(
                            string:
                                "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                        ))
                }
            }
            let response = try await server.client.graphQL("{ employee(id: 10004) { firstName } }")
            #expect(response.text == #"{"data":{"employee":{"firstName":"Chirstian"}}}"#)
        }
    }
}
