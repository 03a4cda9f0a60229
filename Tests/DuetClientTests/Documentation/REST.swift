import DuetClient
import Foundation

extension ArticleCode {
    struct EmployeeName: Codable, Sendable {
        var firstName: String
        var lastName: String
    }

    static func rest(baseURL: URL, caches: URL) async throws {
        let cache = ResponseCache(folder: caches.appending(path: "responses"))
        let transport = CachingTransport(DefaultTransport.makeForWholeResponses(), cache: cache)
        let service = WebServiceProxy(baseURL: baseURL, transport: transport)

        let response: WebServiceResponse<EmployeeName> = try await service.invoke(
            .get, "employees/\(10004)", arguments: ["fields": ["firstName", "lastName"]])
        let age = CacheStatus(response.head)?.age
        var name = response.content
        name.lastName = "Smith"
        try await service.invoke(.patch, "employees/\(10004)", content: .json(name), precondition: response.unchanged)
        _ = age
    }
}
