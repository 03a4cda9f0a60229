import DuetClient
import DuetClientValidation
import Testing

/// Compiles and runs the code blocks of the article `ValidatingDocuments` in `DuetClient.docc`. A test of the project
/// checks that this file contains each block.
@Suite("The code of the article ValidatingDocuments")
struct ArticleCode {
    private let sdl = """
        type Query { employee(id: ID!): Employee }
        interface Node { id: ID! }
        type Employee implements Node { id: ID!, lastName: String! }
        """

    private enum AppPolicies {
        static let possibleTypes: [String: Set<String>] = ["Node": ["Employee"]]
    }

    private struct Employee: DataDecodable {
        let lastName: String
        init(from decoder: DynamicDecoder) throws(ModelError) { lastName = try decoder.value("lastName") }
    }

    private struct EmployeeQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let employee: Employee?
            init(from decoder: DynamicDecoder) throws(ModelError) {
                employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
            }
        }
    }

    private struct NamesQuery: DocumentQuery {
        struct Data: Decodable, Sendable {}
        static let source = "query Names($id: ID!) { employee(id: $id) { lastName } }"
    }

    @Test("The app's operations match the service's schema")
    func operations() throws {
        let validator = try DocumentValidator(schema: sdl)
        try validator.validate(EmployeeQuery.self, NamesQuery.self)
    }

    @Test("The app knows the types of interfaces and unions")
    func possibleTypes() throws {
        #expect(AppPolicies.possibleTypes == (try DocumentValidator(schema: sdl).possibleTypes))
    }
}
