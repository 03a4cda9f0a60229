import DuetClient
import DuetClientValidation
import DuetJSON
import Testing

/// Most models in these tests do not match the schema of the suite.
@Suite("Validation of models against a schema")
struct ModelValidationTests {
    private static let schema = """
        type Query { employee(id: ID!): Employee, node(id: ID!): Node, count: Long!, search: [Result!]! }
        interface Node { id: ID! }
        type Employee implements Node {
          id: ID!
          lastName: String!
          firstName: String
          age: Int!
          salary: Float!
          gender: Gender!
          active: Boolean!
          day: Date!
          grades: [Int]!
          titles(first: Int): [Title!]!
          manager: Employee!
        }
        type Title { title: String! }
        type Company implements Node { id: ID!, name: String! }
        union Result = Employee | Company
        enum Gender { FEMALE MALE OTHER }
        scalar Date
        scalar Long
        """

    /// Returns the errors without their locations. Checks that all locations are in this file.
    private static func errors(_ operation: any GraphQLOperation.Type, fileID: String = #fileID) throws -> [String] {
        try DocumentValidator(schema: schema).errors(in: operation).map { error in
            let place = try #require(error.place, "\(error)")
            #expect(place.fileID == fileID)
            return String(error.description.dropFirst("\(place): ".count))
        }
    }

    /// A model that reads the employee with the identifier 1.
    private struct Screen<Model: DataDecodable>: DataDecodable {
        let employee: Model?
        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": "1"])
        }
    }

    private struct Query<Data: DataDecodable>: GraphQLQuery {}

    /// Returns the errors of a model for the employee, without the name of the operation.
    private static func errors<Model: DataDecodable>(ofEmployee model: Model.Type) throws -> [String] {
        try errors(Query<Screen<Model>>.self).map { $0.replacing(/\ in Query<Screen<\w+>>/, with: "") }
    }

    // MARK: Rules of documents

    private struct UnknownField: DataDecodable {
        static let line = #line + 3
        let lastName: String
        init(from decoder: DynamicDecoder) throws(ModelError) {
            lastName = try decoder.value("lastNam")
        }
    }

    @Test("An unknown field is reported with the model, the property, the operation and the location")
    func unknownField() throws {
        struct EmployeeQuery: GraphQLQuery { typealias Data = Screen<UnknownField> }
        let error = try #require(
            try DocumentValidator(schema: Self.schema).errors(in: EmployeeQuery.self).first)
        #expect(
            error.description == """
                \(#fileID):\(UnknownField.line): UnknownField.lastNam in EmployeeQuery: \
                Cannot query field "lastNam" on type "Employee". Did you mean "lastName"?
                """)
        #expect(error.model == "UnknownField")
        #expect(error.property == "lastNam")
        #expect(error.operation == "EmployeeQuery")
    }

    private struct UnknownArgument: DataDecodable {
        let titles: [TitleModel]
        init(from decoder: DynamicDecoder) throws(ModelError) {
            titles = try decoder.value("titles", arguments: ["limit": 1])
        }
    }

    private struct TitleModel: DataDecodable {
        let title: String
        init(from decoder: DynamicDecoder) throws(ModelError) { title = try decoder.value("title") }
    }

    @Test("An unknown argument is reported")
    func unknownArgument() throws {
        let errors = try Self.errors(ofEmployee: UnknownArgument.self)
        #expect(
            errors == [
                #"UnknownArgument.titles: Unknown argument "limit" on field "Employee.titles". Did you mean "first"?"#
            ])
    }

    private struct WrongValue: DataDecodable {
        let titles: [TitleModel]
        init(from decoder: DynamicDecoder) throws(ModelError) {
            titles = try decoder.value("titles", alias: "some", arguments: ["first": "x"])
        }
    }

    @Test("An argument of a wrong type is reported with the response name of the field")
    func wrongValue() throws {
        let errors = try Self.errors(ofEmployee: WrongValue.self)
        #expect(
            errors == [
                #"WrongValue.some: Int cannot represent non-integer value: "x""#
            ])
    }

    private struct WrongVariable: DataDecodable {
        let titles: [TitleModel]
        init(from decoder: DynamicDecoder) throws(ModelError) {
            titles = try decoder.value("titles", arguments: ["first": .variable("first", "String")])
        }
    }

    @Test("A variable of a wrong type is reported")
    func wrongVariable() throws {
        let errors = try Self.errors(ofEmployee: WrongVariable.self)
        #expect(
            errors == [
                #"WrongVariable.titles: Variable "$first" of type "String" used in position expecting type "Int"."#
            ])
    }

    private struct UnknownVariable: DataDecodable {
        let titles: [TitleModel]
        init(from decoder: DynamicDecoder) throws(ModelError) {
            titles = try decoder.value("titles", arguments: ["first": .variable("first", "Number")])
        }
    }

    @Test("A variable of an unknown type is reported at the field that uses the variable")
    func unknownVariable() throws {
        #expect(
            try Self.errors(ofEmployee: UnknownVariable.self) == [#"UnknownVariable.titles: Unknown type "Number"."#])
    }

    private struct NoArgument: DataDecodable {
        let node: Node?
        struct Node: DataDecodable {
            let id: String
            init(from decoder: DynamicDecoder) throws(ModelError) { id = try decoder.value("id") }
        }
        init(from decoder: DynamicDecoder) throws(ModelError) { node = try decoder.value("node") }
    }

    @Test("A missing required argument is reported")
    func requiredArgument() throws {
        let errors = try Self.errors(Query<NoArgument>.self)
        #expect(
            errors == [
                #"NoArgument.node in Query<NoArgument>: Field "node" argument "id" of type "ID!" is required, but it was not provided."#
            ])
    }

    private struct Selections: DataDecodable {
        let lastName: TitleModel
        let manager: String
        init(from decoder: DynamicDecoder) throws(ModelError) {
            lastName = try decoder.value("lastName")
            manager = try decoder.value("manager")
        }
    }

    @Test("A scalar that is read as an object and an object that is read as a scalar are reported")
    func selections() throws {
        let errors = try Self.errors(ofEmployee: Selections.self)
        #expect(
            errors == [
                #"Selections.lastName: Field "lastName" must not have a selection since type "String!" has no subfields."#,
                #"Selections.manager: Field "manager" of type "Employee!" must have a selection of subfields. Did you mean "manager { ... }"?"#,
            ])
    }

    private struct Cases: DataDecodable {
        let company: Name?
        let person: Name?
        struct Name: DataDecodable {
            let name: String
            init(from decoder: DynamicDecoder) throws(ModelError) { name = try decoder.value("name") }
        }
        init(from decoder: DynamicDecoder) throws(ModelError) {
            company = try decoder.value(on: "Company")
            person = try decoder.value(on: "Person")
        }
    }

    @Test("A type condition that the object cannot satisfy and a type condition on an unknown type are reported")
    func typeCases() throws {
        let errors = try Self.errors(ofEmployee: Cases.self)
        #expect(
            errors == [
                #"Name: Fragment cannot be spread here as objects of type "Employee" can never be of type "Company"."#,
                #"Name: Unknown type "Person"."#,
            ])
    }

    @Test("A recursive model without a maximum depth is reported as one error")
    func recursion() throws {
        struct Recursive: DataDecodable {
            static let line = #line + 2
            let manager: [Recursive]
            init(from decoder: DynamicDecoder) throws(ModelError) { manager = try decoder.value("manager") }
        }
        struct RecursiveQuery: GraphQLQuery { typealias Data = Recursive }
        let errors = try DocumentValidator(schema: Self.schema).errors(in: RecursiveQuery.self)
        #expect(
            errors.map(\.description) == [
                "RecursiveQuery: manager: Recursive contains itself. Pass maximumDepth to the field (\(#fileID):\(Recursive.line))."
            ])
    }

    // MARK: Types

    private struct Reads<Value: FieldDecodable, Field: FieldName>: DataDecodable {
        let value: Value
        init(from decoder: DynamicDecoder) throws(ModelError) { value = try decoder.value(Field.name) }
    }

    private protocol FieldName: Sendable { static var name: String { get } }
    private enum FirstName: FieldName { static let name = "firstName" }
    private enum Age: FieldName { static let name = "age" }
    private enum Salary: FieldName { static let name = "salary" }
    private enum GenderField: FieldName { static let name = "gender" }
    private enum Active: FieldName { static let name = "active" }
    private enum Day: FieldName { static let name = "day" }
    private enum Grades: FieldName { static let name = "grades" }
    private enum ID: FieldName { static let name = "id" }

    /// Returns the error messages for a model that reads the field `Field` as the type `Value`.
    private static func messages<Value: FieldDecodable, Field: FieldName>(
        _ value: Value.Type, _ field: Field.Type
    ) throws -> [String] {
        try DocumentValidator(schema: schema).errors(in: Query<Screen<Reads<Value, Field>>>.self).map(\.message)
    }

    @Test("A nullable field that is read as a non-optional value is reported")
    func nullable() throws {
        #expect(
            try Self.messages(String.self, FirstName.self) == [
                "The field can be null, because its type is String. Read String? instead of String."
            ])
        #expect(try Self.messages(String?.self, FirstName.self).isEmpty)
        #expect(try Self.messages(JSONValue.self, FirstName.self).isEmpty)
        #expect(
            try Self.messages([Int].self, Grades.self) == [
                "An element of the list can be null, because its type is Int. Read Int? instead of Int."
            ])
        #expect(try Self.messages([Int?].self, Grades.self).isEmpty)
    }

    @Test("A list that is read as a single value and a single value that is read as a list are reported")
    func lists() throws {
        #expect(
            try Self.messages(Int.self, Grades.self) == [
                "The field is a list of the type [Int]!. The model reads Int."
            ])
        #expect(
            try Self.messages([Int].self, Age.self) == [
                "The field is not a list; its type is Int!. The model reads [Int]."
            ]
        )
        #expect(try Self.messages(JSONValue.self, Grades.self).isEmpty)
    }

    @Test("A scalar that is read as an incompatible type is reported")
    func scalars() throws {
        #expect(
            try Self.messages(Int.self, Salary.self) == [
                "The field is of type Float, which cannot be read as Int. Read Double."
            ])
        #expect(
            try Self.messages(Bool.self, Age.self) == [
                "The field is of type Int, which cannot be read as Bool. Read Int."
            ]
        )
        #expect(
            try Self.messages(Int.self, ID.self) == [
                "The field is of type ID, which cannot be read as Int. Read String."
            ])
        #expect(
            try Self.messages(String.self, Active.self) == [
                "The field is of type Boolean, which cannot be read as String. Read Bool."
            ])
        #expect(
            try Self.messages(Int.self, GenderField.self) == [
                "The field is of type Gender, which cannot be read as Int. Read String, or an enumeration."
            ])
        for errors in [
            try Self.messages(Double.self, Age.self), try Self.messages(Int32.self, Age.self),
            try Self.messages(String.self, ID.self), try Self.messages(String.self, Day.self),
            try Self.messages(Int64.self, Day.self), try Self.messages(String.self, GenderField.self),
        ] {
            #expect(errors.isEmpty)
        }
    }

    private struct Count<Value: FieldDecodable>: DataDecodable {
        let count: Value
        init(from decoder: DynamicDecoder) throws(ModelError) { count = try decoder.value("count") }
    }

    @Test("A custom scalar of 64 bits cannot be read as Int32")
    func longScalar() throws {
        let errors = try Self.errors(Query<Count<Int32>>.self)
        #expect(
            errors == [
                "Count<Int32>.count in Query<Count<Int32>>: The field is of type Long, whose values can be larger than Int32. Read Int64."
            ])
        #expect(try Self.errors(Query<Count<Int64>>.self).isEmpty)
    }

    private enum Closed: String, CaseIterable, ScalarDecodable { case female = "FEMALE" }

    private enum Open: GraphQLEnumeration {
        case female
        case unknown(String)

        static let allCases: [Open] = [.female]
        init(rawValue: String) { self = rawValue == "FEMALE" ? .female : .unknown(rawValue) }
        var rawValue: String {
            switch self {
            case .female: "FEMALE"
            case .unknown(let name): name
            }
        }
    }

    @Test("An enumeration that lacks a case is reported, unless the enumeration conforms to GraphQLEnumeration")
    func enumerations() throws {
        #expect(
            try Self.messages(Closed.self, GenderField.self) == [
                "Closed has no case for MALE, OTHER of the enumeration Gender. Add the cases, or conform to GraphQLEnumeration, which has a case for unknown values."
            ])
        #expect(try Self.messages(Open.self, GenderField.self).isEmpty)
    }

    private struct Named<Name: FieldName>: DataDecodable {
        static var typeName: String? { Name.name }
        let id: String
        init(from decoder: DynamicDecoder) throws(ModelError) { id = try decoder.value("id") }
    }

    private struct NodeScreen<Model: DataDecodable>: DataDecodable {
        let node: Model?
        init(from decoder: DynamicDecoder) throws(ModelError) {
            node = try decoder.value("node", arguments: ["id": "1"])
        }
    }

    private enum Person: FieldName { static let name = "Person" }
    private enum Company: FieldName { static let name = "Company" }
    private enum Employee: FieldName { static let name = "Employee" }

    @Test("A `typeName` that is not the type of the field is reported")
    func typeNames() throws {
        let validator = try DocumentValidator(schema: Self.schema)
        let messages = { (operation: any GraphQLOperation.Type) in validator.errors(in: operation).map(\.message) }
        #expect(
            messages(Query<Screen<Named<Person>>>.self) == [
                #"Named<Person>.typeName is "Person", which is not a type of the schema."#
            ])
        #expect(
            messages(Query<Screen<Named<Company>>>.self) == [
                #"Named<Company>.typeName is "Company", but the type of the field is Employee."#
            ])
        #expect(
            messages(Query<NodeScreen<Named<Employee>>>.self) == [
                #"Named<Employee>.typeName is "Employee", but the type of the field is Node, which has other object types, too. Read the field with value(on: "Employee")."#
            ])
        #expect(messages(Query<Screen<Named<Employee>>>.self).isEmpty)
    }

    private struct Pair: DataDecodable {
        let one: Wide?
        let two: Wide?
        struct Wide: DataDecodable {
            static let typeName: String? = "Employee"
            let id: String
            let lastName: String
            let firstName: String
            init(from decoder: DynamicDecoder) throws(ModelError) {
                id = try decoder.value("id")
                lastName = try decoder.value("lastNam")
                firstName = try decoder.value("firstName")
            }
        }
        init(from decoder: DynamicDecoder) throws(ModelError) {
            one = try decoder.value("employee", alias: "one", arguments: ["id": "1"])
            two = try decoder.value("employee", alias: "two", arguments: ["id": "2"])
        }
    }

    @Test("Each error of a model that two fields use is reported only once")
    func fragment() throws {
        let errors = try Self.errors(Query<Pair>.self)
        #expect(
            errors == [
                #"Wide.lastNam in Query<Pair>: Cannot query field "lastNam" on type "Employee". Did you mean "lastName"?"#,
                "Wide.firstName in Query<Pair>: The field can be null, because its type is String. Read String? instead of String.",
            ])
    }
}
