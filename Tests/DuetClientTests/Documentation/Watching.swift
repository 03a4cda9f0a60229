import DuetClient

extension ArticleCode {
    static func watch(_ client: some GraphQLService, show: (String) -> Void) async throws {
        for try await result in client.watch(EmployeeQuery(id: "10004")) {
            show(result.data?.employee?.lastName ?? "")
        }
    }

    struct RenameEmployee: GraphQLMutation {
        struct Data: DataDecodable {
            let payload: Payload?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                payload = try decoder.value(
                    "updateEmployee", arguments: ["input": .variable("input", "UpdateEmployeeInput!")])
            }
        }

        struct Payload: DataDecodable {
            let employee: Employee?

            init(from decoder: DynamicDecoder) throws(ModelError) { employee = try decoder.value("employee") }
        }

        var id: String
        var lastName: String
        var variables: JSONObject { ["input": ["id": id.inputValue, "lastName": lastName.inputValue]] }
    }

    static func rename(_ client: some GraphQLService, show: (String) -> Void) async throws {
        let result = try await client.perform(RenameEmployee(id: "10004", lastName: "Smith")) { transaction in
            try transaction.updateObject("Employee:10004") { $0["lastName"] = "Smith" }
        }
        for error in result.errors { show(error.message) }
    }
}
