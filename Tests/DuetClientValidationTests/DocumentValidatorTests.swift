import DuetClient
import DuetClientValidation
import DuetJSON
import ProcessTesting
import Testing

@Suite("The document validator")
struct DocumentValidatorTests {
    private static func service() throws -> DocumentValidator {
        try DocumentValidator(schema: try Checkout.text("openapi/schema.graphql"))
    }

    @Test("Schema errors have a line and a column")
    func schema() {
        let error = #expect(throws: ValidationErrors.self) {
            try DocumentValidator(schema: "type Query {\n  a: Foo\n  b: Bar\n}")
        }
        #expect(
            error?.description == """
                The schema, line 2, column 6: Unknown type "Foo".
                The schema, line 3, column 6: Unknown type "Bar".
                """)
        let syntax = #expect(throws: ValidationErrors.self) { try DocumentValidator(schema: "type {") }
        #expect(syntax?.description == #"The schema, line 1, column 6: Syntax Error: Expected Name, found "{"."#)
    }

    private struct Employee: DataDecodable {
        static let typeName: String? = "Employee"
        enum Gender: String, CaseIterable, ScalarDecodable {
            case male = "M"
            case female = "F"
        }
        let id: String
        let gender: Gender
        let birthDate: Int64
        let titles: [Title]
        let manager: Title.Superior?

        struct Title: DataDecodable {
            let title: String
            let toDate: JSONValue
            struct Superior: DataDecodable {
                let lastName: String
                init(from decoder: DynamicDecoder) throws(ModelError) { lastName = try decoder.value("lastName") }
            }
            init(from decoder: DynamicDecoder) throws(ModelError) {
                title = try decoder.value("title")
                toDate = try decoder.value("toDate")
            }
        }

        init(from decoder: DynamicDecoder) throws(ModelError) {
            id = try decoder.value("id")
            gender = try decoder.value("gender")
            birthDate = try decoder.value("birthDate")
            titles = try decoder.value("titles", arguments: ["current": true])
            manager = try decoder.value("manager")
        }
    }

    private struct EmployeeQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let employee: Employee?
            init(from decoder: DynamicDecoder) throws(ModelError) {
                employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
            }
        }
    }

    private struct PlainQuery: DocumentQuery {
        struct Data: Decodable, Sendable {}
        static let source = """
            query Employee($id: ID!) { employee(id: $id) { ...Names } }
            fragment Names on Employee { firstName lastName }
            """
    }

    private struct WrongPlainQuery: DocumentQuery {
        struct Data: Decodable, Sendable {}
        static let source = """
            query Employee($id: ID!, $unused: Int) {
              employee(id: $id) { ...Names }
            }
            fragment Names on Employee { firstName middleName }
            """
    }

    private struct BrokenPlainQuery: DocumentQuery {
        struct Data: Decodable, Sendable {}
        static let source = "{ employee( }"
    }

    @Test("Operations that match the service's schema have no errors")
    func valid() throws {
        let validator = try Self.service()
        try validator.validate(EmployeeQuery.self, PlainQuery.self)
    }

    @Test("The errors of all operations are thrown together. The errors in GraphQL documents have lines and columns")
    func all() throws {
        let validator = try Self.service()
        let error = #expect(throws: ValidationErrors.self) {
            try validator.validate(WrongPlainQuery.self, EmployeeQuery.self, BrokenPlainQuery.self)
        }
        #expect(
            error?.description == """
                WrongPlainQuery, line 1, column 26: Variable "$unused" is never used in operation "Employee".
                WrongPlainQuery, line 4, column 40: Cannot query field "middleName" on type "Employee". Did you mean "firstName"?
                BrokenPlainQuery: The document of BrokenPlainQuery is invalid at line 1, column 13: Syntax Error: Expected Name, found "}".
                """)
        #expect(error?.count == 3)
    }

    private struct NodeQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let node: Node?
            init(from decoder: DynamicDecoder) throws(ModelError) { node = try decoder.value("node") }
        }
        struct Node: DataDecodable {
            let named: Named?
            init(from decoder: DynamicDecoder) throws(ModelError) { named = try decoder.value(on: "Named") }
        }
        struct Named: DataDecodable {
            let name: String
            init(from decoder: DynamicDecoder) throws(ModelError) { name = try decoder.value("name") }
        }
    }

    private struct PlainNodeQuery: DocumentQuery {
        struct Data: Decodable, Sendable {}
        static let source = "{ node { ...N ... on Employee { id } } } fragment N on Named { name }"
    }

    @Test(
        "A fragment on an interface is an error if the client's possible types lack an object type of the interface")
    func clientTypes() throws {
        let schema = """
            type Query { node: Node }
            interface Node { id: ID! }
            interface Named { name: String! }
            type Employee implements Node & Named { id: ID! name: String! }
            type Company implements Node & Named { id: ID! name: String! }
            """
        let message =
            "The fragment has the type condition Named. The client needs the object types of this type to cache the fields. Add \"Named\": [\"Company\", \"Employee\"] to the types of CachePolicies."
        for types in [[:], ["Named": ["Employee"]]] as [[String: Set<String>]] {
            let validator = try DocumentValidator(schema: schema, types: TypeConditions(possibleTypes: types))
            let error = try #require(validator.errors(in: NodeQuery.self).first)
            let place = try #require(error.place)
            #expect(error.description == "\(place): Named in NodeQuery: \(message)")
            #expect(
                validator.errors(in: PlainNodeQuery.self).map(\.description) == [
                    "PlainNodeQuery, line 1, column 56: \(message)"
                ])
        }
        let known = try DocumentValidator(
            schema: schema, types: TypeConditions(possibleTypes: ["Named": ["Employee", "Company"]]))
        try known.validate(NodeQuery.self, PlainNodeQuery.self)
        try DocumentValidator(schema: schema).validate(NodeQuery.self, PlainNodeQuery.self)
    }

    @Test("The possible types of interfaces and unions are read from the schema")
    func possibleTypes() throws {
        let validator = try DocumentValidator(
            schema: """
                type Query { a: Node }
                interface Node { id: ID! }
                interface Named implements Node { id: ID! name: String! }
                type Employee implements Named & Node { id: ID! name: String! }
                type Company implements Node { id: ID! }
                type Robot { id: ID! }
                union Result = Employee | Robot
                """)
        #expect(
            validator.possibleTypes == [
                "Node": ["Employee", "Company"], "Named": ["Employee"], "Result": ["Employee", "Robot"],
            ])
    }
}
