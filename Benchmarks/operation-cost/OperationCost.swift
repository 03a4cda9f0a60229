import DuetGraphQL

/// Executes one operation repeatedly, so that valgrind can count the instructions per execution.
/// `scripts/request-cost.sh` runs this program.
///
///     operation-cost one-call|prepared COUNT DOCUMENT
///
/// `one-call` executes the text of the document, whose operation is cached. `prepared` executes a prepared operation.
/// DOCUMENT is a document for the type `type Query { count: Int! }`.
@main
enum OperationCost {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[2]) else {
            throw Failure(description: "usage: operation-cost one-call|prepared COUNT DOCUMENT")
        }
        var resolvers = SchemaResolvers()
        resolvers.query { query in query["count"] = .sync { _, _ in 20 } }
        let schema = try ExecutableSchema(Schema(sdl: "type Query { count: Int! }"), resolvers: resolvers)
        let document = arguments[3]
        let operation = try schema.prepare(document)
        switch arguments[1] {
        case "one-call": for _ in 0..<count { try check(await schema.execute(document)) }
        case "prepared": for _ in 0..<count { try check(await operation.execute()) }
        default: throw Failure(description: "\(arguments[1]) is neither one-call nor prepared.")
        }
    }

    private static func check(_ response: GraphQLResponse) throws {
        guard response.errors.isEmpty else { throw Failure(description: response.text) }
    }
}
