import DuetClient

/// An employee with a name.
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

/// The query for an employee.
struct EmployeeQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employee: Employee?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
        }
    }

    var id: String
    var variables: JSONObject { ["id": id.inputValue] }
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

        init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
    }

    var id: String
    var lastName: String
    var variables: JSONObject { ["input": ["id": id.inputValue, "lastName": lastName.inputValue]] }
}
