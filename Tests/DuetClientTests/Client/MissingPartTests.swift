import DuetClient
import DuetJSON
import ProcessTesting
import Testing

@Suite("Fetching the missing part of a query", .server())
struct MissingPartTests {
    @Test(
        "The client requests only the fields that are not cached, and the fields that identify objects",
        arguments: CacheKind.allCases)
    func missingFields(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(EmployeesQuery(first: 3))
            let row = try #require(try await client.fetch(EmployeesQuery(first: 3)).data?.employees.nodes.first)
            let result = try await client.fetchMissing(EmployeeQuery(id: row.id))
            #expect(
                log.documents.last == """
                    query EmployeeQueryMissing($id:ID!){employee(id:$id){id titles{title toDate} \
                    currentTitles:titles(current:true){title toDate}}}
                    """)
            #expect(result.source == .cacheAndServer)
            #expect(result.data?.employee?.row == row)
            let whole = try await client.fetch(EmployeeQuery(id: row.id), policy: .fetchIgnoringCacheCompletely)
            #expect(result.data == whole.data)
        }
    }

    @Test("The client sends no request if no field is missing", arguments: CacheKind.allCases)
    func nothingMissing(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(EmployeeQuery(id: "10004"))
            #expect(try await client.fetchMissing(EmployeeQuery(id: "10004")).source == .cache)
            #expect(log.count == 1)
        }
    }

    @Test("The client fetches the whole query if none of the fields is cached", arguments: CacheKind.allCases)
    func everythingMissing(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let result = try await client.fetchMissing(EmployeeQuery(id: "10004"))
            #expect(result.source == .server)
            #expect(log.documents == [try EmployeeQuery.document().text])
        }
    }

    private struct Detailed: DataDecodable, Hashable {
        struct Page: DataDecodable, Hashable {
            struct Row: DataDecodable, Hashable {
                static let typeName: String? = "Employee"
                let id: String
                let lastName: String
                let hireDate: JSONValue

                init(from decoder: DynamicDecoder) throws(ModelError) {
                    id = try decoder.value("id")
                    lastName = try decoder.value("lastName")
                    hireDate = try decoder.value("hireDate")
                }
            }
            let nodes: [Row]
            init(from decoder: DynamicDecoder) throws(ModelError) { nodes = try decoder.value("nodes") }
        }
        let employees: Page
        init(from decoder: DynamicDecoder) throws(ModelError) {
            employees = try decoder.value(
                "employees", arguments: ["first": .variable("first", "Int!"), "after": .variable("after", "String")])
        }
    }

    @Test(
        "If a field of the objects in a list is missing, the client requests the field for the whole list",
        arguments: CacheKind.allCases)
    func list(cache: CacheKind) async throws {
        struct Query: GraphQLQuery {
            typealias Data = Detailed
            var variables: JSONObject { ["first": 3] }
        }
        try await cache.withClient { client, log in
            _ = try await client.fetch(EmployeesQuery(first: 3))
            let result = try await client.fetchMissing(Query())
            #expect(
                log.documents.last == """
                    query QueryMissing($first:Int!,$after:String){employees(first:$first,after:$after)\
                    {__typename nodes{id hireDate}}}
                    """)
            #expect(result.source == .cacheAndServer)
            let whole = try await client.fetch(Query(), policy: .fetchIgnoringCacheCompletely)
            #expect(result.data == whole.data)
        }
    }

    /// A query for the titles of an employee. The type `Title` determines the selected fields of a title.
    private struct TitlesQuery<Title: DataDecodable>: GraphQLQuery {
        struct Data: DataDecodable {
            struct Employee: DataDecodable {
                static var typeName: String? { "Employee" }
                let id: String
                let firstName: String
                let titles: [Title]

                init(from decoder: DynamicDecoder) throws(ModelError) {
                    id = try decoder.value("id")
                    firstName = try decoder.value("firstName")
                    titles = try decoder.value("titles")
                }
            }

            let employee: Employee?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                employee = try decoder.value("employee", arguments: ["id": "10004"])
            }
        }
    }

    private struct TitleName: DataDecodable {
        static let typeName: String? = "Title"
        let title: String
        init(from decoder: DynamicDecoder) throws(ModelError) { title = try decoder.value("title") }
    }

    @Test(
        "If an object has no key, the client requests all its fields, because the server can return another object",
        arguments: CacheKind.allCases)
    func objectsWithoutKey(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(TitlesQuery<TitleName>())
            let service: any GraphQLService = client
            let result = try await service.fetchMissing(TitlesQuery<TitleRow>())
            #expect(log.documents.last?.hasSuffix(#"{employee(id:"10004"){id titles{title toDate}}}"#) == true)
            #expect(result.source == .cacheAndServer)
        }
    }

    /// Rejects documents that the client created for a single request. A server that permits only listed documents does
    /// the same.
    private struct OnlyListed: GraphQLInterceptor {
        func send(
            _ request: GraphQLRequest, next: any GraphQLTransport
        ) async throws(GraphQLClientError) -> GraphQLReply {
            guard request.document.isRegistrable else { throw GraphQLClientError(.notListed, "It is not listed.") }
            return try await next.send(request)
        }
    }

    @Test("The whole query is fetched if the server permits only listed documents")
    func listedOnly() async throws {
        let log = RequestLog()
        let client = GraphQLClient(
            transport: try Server.shared.graphQL, store: GraphQLStore(policies: .employees),
            interceptors: [OnlyListed(), log])
        _ = try await client.fetch(EmployeeRowQuery(id: "10004"))
        let result = try await client.fetchMissing(EmployeeQuery(id: "10004"))
        #expect(result.source == .server)
        #expect(log.documents.last == (try EmployeeQuery.document().text))
    }
}
