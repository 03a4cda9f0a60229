import DuetClient

/// An employee in the list.
struct Employee: DataDecodable {
    static let typeName: String? = "Employee"
    let id: String
    let firstName: String
    let lastName: String

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        firstName = try decoder.value("firstName")
        lastName = try decoder.value("lastName")
    }
}

/// The first employees.
struct EmployeesQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employees: Page

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employees = try decoder.value("employees", arguments: ["first": .variable("first", "Int!")])
        }
    }

    struct Page: DataDecodable {
        static let typeName: String? = "EmployeeConnection"
        let nodes: [Employee]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            nodes = try decoder.value("nodes")
        }
    }

    var first = 5
    var variables: JSONObject { ["first": first.inputValue] }
}

/// Changes the last name of an employee.
struct RenameEmployee: GraphQLMutation {
    struct Data: DataDecodable {
        let payload: Payload?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            payload = try decoder.value(
                "updateEmployee", arguments: ["input": .variable("input", "UpdateEmployeeInput!")])
        }
    }

    struct Payload: DataDecodable {
        static let typeName: String? = "EmployeePayload"
        let employee: Employee?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee")
        }
    }

    var id: String
    var lastName: String
    var variables: JSONObject { ["input": ["id": id.inputValue, "lastName": lastName.inputValue]] }
}
