import DuetClient
import HTTPTypes

/// The data of a screen that shows an employee. The type can be decoded from a REST response (`Decodable`) and from a
/// GraphQL response (`DataDecodable`).
struct EmployeeScreen: DataDecodable, Decodable, Equatable {
    struct Title: DataDecodable, Decodable, Equatable {
        let title: String
        let fromDate: Int64

        init(from decoder: DynamicDecoder) throws(ModelError) {
            title = try decoder.value("title")
            fromDate = try decoder.value("fromDate")
        }
    }

    struct Salary: DataDecodable, Decodable, Equatable {
        let salary: Int
        let fromDate: Int64

        init(from decoder: DynamicDecoder) throws(ModelError) {
            salary = try decoder.value("salary")
            fromDate = try decoder.value("fromDate")
        }
    }

    let firstName: String
    let lastName: String
    let titles: [Title]
    let salaries: [Salary]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        firstName = try decoder.value("firstName")
        lastName = try decoder.value("lastName")
        titles = try decoder.value("titles")
        salaries = try decoder.value("salaries")
    }
}

/// The GraphQL query for the screen.
struct EmployeeScreenQuery: GraphQLQuery {
    struct Data: DataDecodable {
        let employee: EmployeeScreen?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": .variable("id", "ID!")])
        }
    }

    var id: String
    var variables: JSONObject { ["id": id.inputValue] }
}

extension WebServiceProxy {
    /// Fetches the data of the screen with REST.
    func employeeScreen(_ id: String) async throws(WebServiceError) -> EmployeeScreen {
        try await invoke(
            .get, "employees/\(id)",
            arguments: [
                "details": ["titles", "salaries"], "fields": ["firstName", "lastName"],
                "titles.fields": ["title", "fromDate"], "salaries.fields": ["salary", "fromDate"],
            ])
    }
}
