import DuetClient
import Testing

extension ArticleCode {
    final class EmployeeModel: Sendable {
        let service: any GraphQLService

        init(service: any GraphQLService) { self.service = service }

        func title(of id: String) async -> String {
            do {
                return try await service.fetch(EmployeeQuery(id: id)).data?.employee?.lastName ?? "Unknown"
            } catch {
                return "No network"
            }
        }
    }

    struct FakeServer: GraphQLTransport {
        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            let text = #"{"data": {"employee": {"id": "1", "lastName": "Doe"}}}"#
            return GraphQLReply(HTTPResponse(status: .ok), body: Array(text.utf8))
        }
    }

    struct NoNetwork: GraphQLTransport {
        func send(_ request: GraphQLRequest) async throws(GraphQLClientError) -> GraphQLReply {
            throw GraphQLClientError(.transport, "There is no network.")
        }
    }

    @Suite("The employee model")
    struct EmployeeModelTests {
        @Test("The title is the last name")
        func title() async {
            let model = EmployeeModel(service: GraphQLClient(transport: FakeServer()))
            #expect(await model.title(of: "1") == "Doe")
        }

        @Test("The title reports a missing network connection")
        func noNetwork() async {
            let model = EmployeeModel(service: GraphQLClient(transport: NoNetwork()))
            #expect(await model.title(of: "1") == "No network")
        }
    }
}
