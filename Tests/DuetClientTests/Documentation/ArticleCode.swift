import DuetClient
import DuetJSON
import Foundation
import HTTPTypes
import Testing

/// The code blocks of the articles in `DuetClient.docc`, so that the compiler checks them. ``ArticleTests`` checks that
/// this file and two others contain each code block of the articles.
enum ArticleCode {
    // MARK: Getting started

    static func makeClient(_ url: URL, caches: URL) throws -> GraphQLClient {
        let store = GraphQLStore(
            cache: try SQLiteNormalizedCache(at: caches.appending(path: "graphql.sqlite")),
            policies: CachePolicies(keyFields: ["Employee": ["id"], "Department": ["id"]]))
        let client = GraphQLClient(transport: GraphQLEndpoint(url: url), store: store)
        return client
    }

    struct Employee: DataDecodable {
        static let typeName: String? = "Employee"
        let id: String
        let lastName: String

        init(from decoder: DynamicDecoder) throws(ModelError) {
            id = try decoder.value("id")
            lastName = try decoder.value("lastName")
        }
    }

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

    static func fetch(_ client: some GraphQLService, show: (String) -> Void) async {
        do {
            let result = try await client.fetch(EmployeeQuery(id: "10004"))
            show(result.data?.employee?.lastName ?? "no such employee")
            for error in result.errors { show(error.message) }
        } catch {
            // Here error is a GraphQLClientError: there is no result.
            show(error.message)
        }
    }

    // MARK: Types from operations

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

    // MARK: Interceptors

    struct Authorization: GraphQLInterceptor {
        let token: @Sendable () async -> String

        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            var request = request
            request.headerFields[.authorization] = "Bearer \(await token())"
            return try await next.send(request)
        }
    }

    // MARK: Models

    struct EmployeeDetail: DataDecodable {
        static let typeName: String? = "Employee"
        let employee: Employee
        let currentTitles: [Title]
        let firstTitles: [Title]
        let gender: Gender

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value()
            currentTitles = try decoder.value("titles", alias: "currentTitles", arguments: ["current": true])
            firstTitles = try decoder.value("titles", arguments: ["first": 3])
            gender = try decoder.value("gender")
        }
    }

    enum Gender: String, CaseIterable, ScalarDecodable {
        case male = "M"
        case female = "F"
    }

    struct Title: DataDecodable {
        let title: String
        let fromDate: Day

        init(from decoder: DynamicDecoder) throws(ModelError) {
            title = try decoder.value("title")
            fromDate = try decoder.value("fromDate")
        }
    }

    struct Day: ScalarDecodable {
        static let placeholders = (Day(milliseconds: 0), Day(milliseconds: 1))
        let milliseconds: Int64

        init(milliseconds: Int64) { self.milliseconds = milliseconds }

        init?(json: JSONValue) {
            guard case .integer(let milliseconds) = json else { return nil }
            self.milliseconds = milliseconds
        }
    }

    struct Superior: DataDecodable {
        static let typeName: String? = "Employee"
        let lastName: String
        let manager: [Superior]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            lastName = try decoder.value("lastName")
            let manager: Superior? = try decoder.value("manager", maximumDepth: 3)
            self.manager = manager.map { [$0] } ?? []
        }
    }

    static func printDocument(_ print: (String) -> Void) throws {
        print(try EmployeeQuery.document().text)
    }

    // MARK: Written documents

    struct TitlesQuery: DocumentQuery {
        struct Data: Codable, Sendable {
            struct Employee: Codable, Sendable {
                let id: String
                var lastName: String
                var titles: [Title]
            }
            struct Title: Codable, Sendable {
                let title: String
                let fromDate: Date
            }
            var employee: Employee?
        }

        static let source = """
            query Titles($id: ID!, $current: Boolean = true) {
              employee(id: $id) { id ...Name titles(current: $current) { title fromDate } }
            }
            fragment Name on Employee { lastName }
            """
        var id: String
        var variables: JSONObject { ["id": id.inputValue] }
    }

    /// A replacement for `Bundle.module`. In an app, the Swift package manager generates this property.
    private enum Bundle {
        static let module = Foundation.Bundle.main
    }

    enum FileQuery: DocumentQuery {
        typealias Data = TitlesQuery.Data
        static var source: String {
            get throws(ModelError) { try Bundle.module.graphQLDocument(named: "Titles") }
        }
        static var dates: DateCoding { .iso8601 }
    }

    static let policiesWithTypes = CachePolicies(
        keyFields: ["Employee": ["id"]], types: TypeConditions(possibleTypes: ["Node": ["Employee", "Department"]]))

    static func update(_ client: GraphQLClient) async throws {
        try await client.store.withinReadWriteTransaction { transaction in
            try transaction.update(TitlesQuery(id: "10004")) { $0.employee?.lastName = "Smith" }
        }
    }

    // MARK: Caching and policies

    static let policies = CachePolicies(
        keyFields: ["Employee": ["id"], "Department": ["id"]],
        lookups: [FieldLookup(field: "employee", entity: "Employee")],
        connections: ["employees"],
        timeToLive: TimeToLive(fields: ["Employee.salaries": .seconds(60)], types: ["Department": .seconds(3600)]))

    static func offline(_ client: some GraphQLService, show: (String) -> Void) async throws {
        let result = try await client.fetch(EmployeeQuery(id: "10004"), policy: .networkElseCache)
        if result.refreshError != nil, let received = result.received {
            let age = Date.now.timeIntervalSince1970 - Double(received) / 1000
            show("\(Int(age)) seconds old")
        }
    }

    static func missing(_ client: GraphQLClient) async throws -> Bool {
        let result = try await client.fetchMissing(EmployeeQuery(id: "10004"))
        let isPartlyCached = result.source == .cacheAndServer
        return isPartlyCached
    }

    static func transactions(_ client: GraphQLClient) async throws {
        try await client.store.withinReadWriteTransaction { transaction in
            try transaction.updateObject("Employee:10004") { $0["lastName"] = "Smith" }
            transaction.removeObject("Employee:10005")
        }
        let employee = try await client.store.withinReadTransaction { transaction in
            try transaction.readObject(ofType: Employee.self, withKey: "Employee:10004")
        }
        _ = employee
    }

    // MARK: Watching

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

    // MARK: Persisted queries

    static func endpoints(url: URL) throws -> [GraphQLEndpoint] {
        let automatic = GraphQLEndpoint(url: url)
        let byPost = GraphQLEndpoint(url: url, persistedQueries: PersistedQuerySettings(queryMethod: .post))
        let off = GraphQLEndpoint(url: url, persistedQueries: .off)
        return [automatic, byPost, off]
    }

    // MARK: REST

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

    // MARK: Testing your app

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
