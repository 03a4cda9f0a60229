import DuetClient
import Foundation

extension ArticleCode {
    struct Department: Codable, Sendable {
        var departmentName: String
    }

    static func live(_ client: some GraphQLService, show: (String) -> Void) async throws {
        for try await result in client.live(EmployeeQuery(id: "10004")) {
            show(result.data?.employee?.lastName ?? "")
        }
    }

    static func socketClient(_ url: URL, _ caller: CurrentCaller) -> GraphQLClient {
        let socketClient = GraphQLClient(
            transport: GraphQLEndpoint(url: url), socket: GraphQLSocket(url: url, caller: caller),
            store: GraphQLStore(caller: caller))
        return socketClient
    }

    static func live(_ service: WebServiceProxy, show: (String) -> Void) async throws {
        for try await response in service.live("departments/d005", as: Department.self) {
            show(response.content.departmentName)
        }
    }
}
