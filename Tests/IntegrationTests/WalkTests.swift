import ProcessTesting
import Testing

@Suite("Walk through the code") struct WalkTests {
    /// A row of a table of `docs/walk.md`.
    private struct Station {
        let number: Int
        let file: String
        let function: String
    }

    /// Returns the rows of each table.
    private static func tables() throws -> [[Station]] {
        let text = try Checkout.text("docs/walk.md")
        return text.split(separator: "\n## ").dropFirst().map { section in
            section.matches(of: /\| (\d+) \| `([^`]+)` \| `(\w+)` \|/).compactMap { match in
                Int(match.1).map { Station(number: $0, file: String(match.2), function: String(match.3)) }
            }
        }
    }

    @Test("Each function in docs/walk.md is in the file that the page names")
    func functions() throws {
        for station in try Self.tables().joined() {
            let text = try Checkout.text(station.file)
            let declaration = station.function == "init" ? "init" : "func \(station.function)"
            #expect(
                text.contains("\(declaration)(") || text.contains("\(declaration)<"),
                "\(station.number): \(station.file) has no \(station.function)")
        }
    }

    @Test(
        "docs/walk.md lists at most 16 functions over REST, 21 over GraphQL, 6 of a caller, 11 of a write, and 7 of the comparison"
    )
    func length() throws {
        let tables = try Self.tables()
        #expect(tables.count == 6)
        for (table, lengths) in zip(tables, [10...16, 10...21, 6...6, 4...4, 5...11, 5...7]) {
            #expect(table.map(\.number) == Array(1...max(1, table.count)))
            #expect(lengths.contains(table.count))
        }
    }
}
