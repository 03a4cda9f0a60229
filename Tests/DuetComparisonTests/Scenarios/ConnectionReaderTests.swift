import DuetJSON
import Testing

@testable import DuetComparison

@Suite("The rows in a response of GraphQL") struct ConnectionReaderTests {
    private func value(_ document: String, _ data: String) throws -> String {
        try ConnectionReader(document).value(of: JSONValue(parsing: #"{"data":\#(data)}"#.utf8)).compactText
    }

    @Test(
        "A connection is replaced by its rows, from nodes or from edges, with aliases and fragments",
        arguments: [
            ("{ orders { nodes { id } } }", #"{"orders":{"nodes":[{"id":1}]}}"#, #"[{"id":1}]"#),
            (
                "{ orders { edges { cursor node { id } } pageInfo { hasNextPage } totalCount } }",
                #"{"orders":{"edges":[{"cursor":"a","node":{"id":1}}],"pageInfo":{"hasNextPage":true},"totalCount":3}}"#,
                #"[{"id":1}]"#
            ),
            ("{ a: orders { rows: nodes { n: id } } }", #"{"a":{"rows":[{"n":1}]}}"#, #"[{"n":1}]"#),
            (
                "{ orders { ...Page } } fragment Page on OrderConnection { nodes { ... { items { nodes { id } } } } }",
                #"{"orders":{"nodes":[{"items":{"nodes":[{"id":1}]}},{"items":null}]}}"#,
                #"[{"items":[{"id":1}]},{"items":null}]"#
            ),
        ])
    func connections(document: String, data: String, expected: String) throws {
        #expect(try value(document, data) == expected)
    }

    @Test(
        "Columns, JSON values and related rows with the names of a connection's fields remain",
        arguments: [
            ("{ row { id nodes } }", #"{"row":{"id":1,"nodes":2}}"#),
            ("{ row { nodes } }", #"{"row":{"nodes":null}}"#),
            (
                "{ row { nodes edges pageInfo totalCount } }",
                #"{"row":{"nodes":1,"edges":2,"pageInfo":3,"totalCount":4}}"#
            ),
            ("{ row { data } }", #"{"row":{"data":{"nodes":[{"id":1}],"edges":[]}}}"#),
            ("{ row { id nodes { id } } }", #"{"row":{"id":1,"nodes":[{"id":2}]}}"#),
            ("{ row { id edges { node } } }", #"{"row":{"id":1,"edges":[{"node":2}]}}"#),
            ("{ row { edges { node } } }", #"{"row":{"edges":[{"node":2}]}}"#),
        ])
    func names(document: String, data: String) throws {
        let row = try #require(try JSONValue(parsing: data.utf8)["row"])
        #expect(try value(document, data) == row.compactText)
    }

    @Test("A response without exactly one root field is an error")
    func roots() throws {
        for data in ["null", "{}", #"{"a":1,"b":2}"#] {
            #expect(throws: UnexpectedAnswer.self) { try value("{ a b }", data) }
        }
    }
}
