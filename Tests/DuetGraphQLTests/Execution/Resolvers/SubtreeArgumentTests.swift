import DuetGraphQL
import Testing

@Suite("Subtree resolvers read arguments as Swift types")
struct SubtreeArgumentTests {
    enum Order: String {
        case ascending = "ASC"
        case descending = "DESC"
    }

    private static let sdl = """
        enum Order { ASC DESC }
        type Query { books(first: Int! = 10, order: Order, author: ID): Books }
        type Books { titles(longerThan: Int! = 3, order: Order): String }
        """

    /// Writes the arguments of the field and of its selected fields as a JSON string.
    final class Arguments: SubtreeResolver {
        func resolve(_ requests: [SubtreeRequest], _ operation: OperationContext) async throws -> [SubtreeResult] {
            try requests.map { request in
                let arguments = request.fieldArguments
                var text = "\(try arguments.int("first"))"
                if let order = try arguments.enumIfPresent("order", as: Order.self) { text += " \(order)" }
                if let author = try arguments.intIfPresent("author") { text += " of \(author)" }
                for field in request.field.selection?.fields ?? [] where !field.isTypeName {
                    text += ", \(try operation.fieldArguments(of: field).int("longerThan"))"
                }
                return LaterExecutionTests.written(request, "\"\(text)\"")
            }
        }
    }

    private static func response(_ document: String, variables: ObjectValue = [:]) async throws -> GraphQLResponse {
        var resolvers = SchemaResolvers()
        resolvers.query { $0["books"] = .subtree(Arguments()) }
        return try await ExecutableSchema(Schema(sdl: sdl), resolvers: resolvers).execute(
            document, variables: variables)
    }

    @Test(
        "A subtree resolver reads the arguments of its field and of nested fields as Swift types",
        arguments: [
            ("{ books { titles } }", "10, 3"),
            (
                "{ books(first: 2, order: DESC, author: 7) { a: titles(longerThan: 5) b: titles } }",
                "2 descending of 7, 5, 3"
            ),
            ("query($n: Int! = 8) { books(first: $n, author: \"17\") { titles(longerThan: $n) } }", "8 of 17, 8"),
            ("{ books(order: ASC) { __typename } }", "10 ascending"),
        ])
    func read(document: String, text: String) async throws {
        let response = try await Self.response(document)
        #expect(response.text == "{\"data\":{\"books\":\"\(text)\"}}")
    }

    @Test("If a resolver reads an ID as an integer and the ID is not an integer, the client receives an error")
    func noInteger() async throws {
        let response = try await Self.response("{ books(author: \"x\") { titles } }")
        #expect(
            response.text
                == #"{"errors":[{"message":"The argument \"author\" of \"Query.books\" must be an integer.","locations":[{"line":1,"column":3}],"path":["books"]}],"data":{"books":null}}"#
        )
    }

    @Test("If an argument of a nested field cannot be coerced, the client receives an error with a location")
    func invalid() async throws {
        let response = try await Self.response(
            "query($order: Order, $n: Int = 1) { books { titles(order: $order, longerThan: $n) } }",
            variables: ["n": nil])
        #expect(response.errors.count == 1)
        #expect(response.errors.first?.message.contains("longerThan") == true)
        #expect(response.errors.first?.locations.isEmpty == false)
    }
}
