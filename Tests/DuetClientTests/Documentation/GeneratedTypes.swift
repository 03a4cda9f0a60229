import DuetClient

extension ArticleCode {
    static func generated(_ client: some GraphQLService, show: (String) -> Void) async throws {
        let result = try await client.fetch(EmployeesAPI.EmployeeDetailQuery(id: "10004"))
        if let employee = result.data?.employee {
            show(employee.employeeNames.lastName)
            for title in employee.titles { show(title.title) }
        }
    }

    struct NameRow: EmployeesAPI.EmployeeFields {
        let firstName: String
        let lastName: String

        init(from decoder: DynamicDecoder) throws(ModelError) {
            firstName = try decoder.value(Self.firstName)
            lastName = try decoder.value(Self.lastName)
        }
    }
}
