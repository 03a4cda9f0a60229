import DuetGraphQL
import Foundation

/// Measures parsing, validating and executing documents of typical size. If Node and graphql-js are installed, it also
/// measures graphql-js.
enum GraphQLBench {
    /// A schema with as many types, fields and arguments as the schema of a medium-sized service.
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

    /// An operation with variables and five fragments, about 140 lines.
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

    /// The rates of one round, in operations per second.
    private struct Rates: Decodable {
        var parse = 0.0
        var validate = 0.0
        var introspect = 0.0
        var list = 0.0
    }

    /// The numbers of executions per second with a cached document. `prepared` is the rate of executions of a prepared
    /// operation, and `oneCall` is the rate of executions of the document's text. Both executions are asynchronous, as
    /// in an app.
    private struct CallRates {
        var prepared: Double
        var oneCall: Double
    }

    private struct Item: ObjectSource {
        let id: Int
        let name: String
        let price: Double
    }

    static func measure(seconds: Int, rounds: Int, folder: URL, _ report: Report) async throws {
        let schema = try Schema(sdl: Self.schema)
        let document = try Parser.parse(query)
        let errors = Validation.validate(document, against: schema)
        guard errors.isEmpty else { throw Duet.Failure(description: "the document has errors: \(errors)") }
        var resolvers = SchemaResolvers()
        resolvers.defaultResolver = .byName
        let introspection = try ExecutableSchema(schema, resolvers: resolvers).prepare(IntrospectionQuery.standard)
        let list = try listSchema(count: 10_000).prepare(listDocument)
        let page = try listSchema(count: 20)
        func calls(_ document: String) async throws -> CallRates {
            let operation = try page.prepare(document)
            let rates = try await alternatingRates(seconds: seconds) {
                try check(await operation.execute())
            } _: {
                try check(await page.execute(document))
            }
            return CallRates(prepared: rates.first, oneCall: rates.second)
        }
        func own() throws -> Rates {
            Rates(
                parse: try rate(seconds: seconds) { _ = try Parser.parse(query) },
                validate: rate(seconds: seconds) { _ = Validation.validate(document, against: schema) },
                introspect: try rate(seconds: seconds) { try execute(introspection) },
                list: try rate(seconds: seconds, batch: 1) { try execute(list) })
        }
        var rates: [Rates] = []
        var references: [Rates] = []
        var callRates: [[CallRates]] = []
        for _ in 0..<rounds {
            if let reference = try reference(seconds: seconds, folder) { references.append(reference) }
            rates.append(try own())
            var round: [CallRates] = []
            for document in callDocuments { round.append(try await calls(document.text)) }
            callRates.append(round)
        }
        for (index, document) in callDocuments.enumerated() {
            report.add(
                "GraphQL", "one call with a cached document: \(document.name)",
                Comparison(
                    figures: callRates.map { $0[index].oneCall }, floors: callRates.map { $0[index].prepared }),
                floor: "prepared operation", goal: document.goal, unit: "operations/s")
        }
        let lines = query.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        let figures: [(what: String, rate: KeyPath<Rates, Double>, unit: String)] = [
            ("parse a query of \(lines) lines", \.parse, "documents/s"), ("validate it", \.validate, "documents/s"),
            ("answer the introspection query", \.introspect, "operations/s"),
            ("10,000 objects with three fields, and a resolver for each field", \.list, "operations/s"),
        ]
        if references.count == rounds {
            for figure in figures {
                report.add(
                    "GraphQL", figure.what,
                    Comparison(
                        figures: rates.map { $0[keyPath: figure.rate] },
                        floors: references.map { $0[keyPath: figure.rate] }),
                    floor: "graphql-js", goal: 3, unit: figure.unit)
            }
        } else {
            print("graphql-js is not measured, because node or its module graphql could not be run (see above)")
        }
        let (parse, validate) = (rates.map(\.parse).median, rates.map(\.validate).median)
        report.note(
            String(
                format:
                    "GraphQL: parsing %.0f µs (%.0f MB/s), validating %.0f µs; together %.0f µs (goal: under 150 µs)",
                1e6 / parse, parse * Double(query.utf8.count) / 1e6, 1e6 / validate, 1e6 / parse + 1e6 / validate))
    }

    private static let listDocument = "query Items { items { id name price } }"
    /// The documents, each with the goal for the ratio of `oneCall` to `prepared`.
    private static let callDocuments = [
        (name: "20 objects", text: listDocument, goal: 0.95), (name: "one number", text: "{ count }", goal: 0.95),
        (
            name: "200 aliases", text: "{" + (0..<200).map { " alias_of_the_number_\($0): count" }.joined() + " }",
            goal: 0.95
        ),
    ]

    private static func listSchema(count: Int) throws -> ExecutableSchema<Void> {
        let items = (0..<count).map { Item(id: $0, name: "Item number \($0)", price: Double($0) + 0.5) }
        var resolvers = SchemaResolvers()
        resolvers.query { query in
            query["items"] = .sync { _, _ in items }
            query["count"] = .sync { _, _ in count }
        }
        resolvers.bind(Item.self, to: "Item") { item in
            item["id"] = .property(\.id)
            item["name"] = .property(\.name)
            item["price"] = .property(\.price)
        }
        let sdl = "type Query { items: [Item!]! count: Int! } type Item { id: Int! name: String! price: Float! }"
        return try ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers)
    }

    private static func execute(_ operation: PreparedOperation<Void>) throws {
        try check(operation.executeSynchronously())
    }

    private static func check(_ response: GraphQLResponse) throws {
        guard response.errors.isEmpty else { throw Duet.Failure(description: "\(response.errors)") }
    }

    /// Returns the rates of graphql-js; nil if graphql-js cannot be run.
    private static func reference(seconds: Int, _ folder: URL) throws -> Rates? {
        let files = (schema: folder.appending(path: "schema.graphql"), query: folder.appending(path: "query.graphql"))
        try Data(schema.utf8).write(to: files.schema)
        try Data(query.utf8).write(to: files.query)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "node", "Benchmarks/graphql-js/bench.cjs", files.schema.path, files.query.path, "\(seconds)",
        ]
        // Debian installs the modules of its packages in this folder.
        process.environment = ProcessInfo.processInfo.environment.merging(["NODE_PATH": "/usr/share/nodejs"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? try JSONDecoder().decode(Rates.self, from: data) : nil
    }
}
