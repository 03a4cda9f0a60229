import Foundation
import GraphQL

/// Parsing and validating a document of a usual size, beside graphql-js on Node where that is installed.
enum GraphQLBench {
    /// Types, fields and arguments enough for a service of some size.
    static let schema: String = {
        var sdl = "type Query { node(id: ID!): Node search(text: String!, kind: Kind = ALL): [Result!]! "
        for type in 0..<60 { sdl += "item\(type)(id: ID!): Item\(type) " }
        sdl +=
            "}\ninterface Node { id: ID! }\nenum Kind { ALL NEW OLD }\ninput Range { from: Int = 0 to: Int! kinds: [Kind!] }\n"
        sdl += "union Result = \((0..<60).map { "Item\($0)" }.joined(separator: " | "))\n"
        for type in 0..<60 {
            sdl += "type Item\(type) implements Node { id: ID! name: String! count(range: Range): Int price: Float "
            sdl += "next: Item\((type + 1) % 60) all(first: Int = 10, after: String): [Item\((type + 7) % 60)!]! }\n"
        }
        return sdl
    }()

    /// One operation with variables, and five fragments; about 140 lines.
    static let query: String = {
        var text = "query Screen($id: ID!, $first: Int = 5, $range: Range, $wide: Boolean!) {\n"
        for type in 0..<14 {
            text +=
                "  first\(type): item\(type)(id: $id) {\n    ...Part\(type % 5)\n    name\n    count(range: $range)\n"
            text += "    all(first: $first, after: \"x\") @include(if: $wide) {\n      id\n      name\n    }\n  }\n"
        }
        text +=
            "  search(text: \"some \\\"text\\\"\", kind: NEW) {\n    __typename\n    ... on Node {\n      id\n    }\n  }\n}\n"
        for part in 0..<5 {
            text +=
                "\nfragment Part\(part) on Node {\n  id\n  ... on Item\(part) {\n    price\n    next {\n      name\n    }\n  }\n}\n"
        }
        return text
    }()

    private struct Reference: Decodable {
        let parse: Double
        let validate: Double
    }

    static func measure(seconds: Int, rounds: Int, folder: URL, _ report: Report) throws {
        let schema = try Schema(sdl: Self.schema)
        let document = try Parser.parse(query)
        let errors = Validation.validate(document, against: schema)
        guard errors.isEmpty else { throw Duet.Failure(description: "the document has errors: \(errors)") }
        let parse = { try rate(seconds: seconds) { _ = try Parser.parse(query) } }
        let validate = { rate(seconds: seconds) { _ = Validation.validate(document, against: schema) } }
        let lines = query.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        let what = (parse: "parse a query of \(lines) lines", validate: "validate it")
        var parsed: [Double] = []
        var validated: [Double] = []
        if let reference = try reference(seconds: seconds, folder) {
            let both = try (
                Comparison.paired(
                    rounds: rounds,
                    figure: {
                        parsed.append(try parse())
                        return parsed[parsed.count - 1]
                    },
                    floor: { try self.reference(seconds: seconds, folder)?.parse ?? reference.parse }),
                Comparison.paired(
                    rounds: rounds,
                    figure: {
                        validated.append(validate())
                        return validated[validated.count - 1]
                    },
                    floor: { try self.reference(seconds: seconds, folder)?.validate ?? reference.validate })
            )
            report.add("GraphQL", what.parse, both.0, floor: "graphql-js", goal: 3, unit: "documents/s")
            report.add("GraphQL", what.validate, both.1, floor: "graphql-js", goal: 3, unit: "documents/s")
        } else {
            print("node and its module graphql are not installed: graphql-js is not measured")
            parsed.append(try parse())
            validated.append(validate())
        }
        let times = (parsed.median, validated.median)
        report.note(
            String(
                format:
                    "GraphQL: parsing %.0f µs (%.0f MB/s), validating %.0f µs; together %.0f µs (goal: under 150 µs)",
                1e6 / times.0, times.0 * Double(query.utf8.count) / 1e6, 1e6 / times.1, 1e6 / times.0 + 1e6 / times.1))
    }

    /// graphql-js's operations a second; `nil` where it is not installed.
    private static func reference(seconds: Int, _ folder: URL) throws -> Reference? {
        let files = (schema: folder.appending(path: "schema.graphql"), query: folder.appending(path: "query.graphql"))
        try Data(schema.utf8).write(to: files.schema)
        try Data(query.utf8).write(to: files.query)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "node", "Benchmarks/graphql-js/bench.cjs", files.schema.path, files.query.path, "\(seconds)",
        ]
        // Where Debian keeps the modules of its packages.
        process.environment = ProcessInfo.processInfo.environment.merging(["NODE_PATH": "/usr/share/nodejs"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? try JSONDecoder().decode(Reference.self, from: data) : nil
    }
}
