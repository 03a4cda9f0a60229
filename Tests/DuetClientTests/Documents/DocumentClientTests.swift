import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

@Suite("The client with GraphQL documents", .server())
struct DocumentClientTests {
    @Test(
        "The second fetch of a query reads the cache and returns the same values as the first fetch",
        arguments: CacheKind.allCases)
    func fetch(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let first = try await client.fetch(CodableDetailQuery(id: "10004"))
            let employee = try #require(first.data?.employee)
            #expect(employee.lastName == "Koblick")
            #expect(employee.hireDate.timeIntervalSince1970 > 0)
            #expect(employee.titles.count > employee.currentTitles.count)
            let second = try await client.fetch(CodableDetailQuery(id: "10004"))
            #expect(second.source == .cache)
            #expect(second.data == first.data)
            #expect(log.documents == [try CodableDetailQuery.document().text])
        }
    }

    @Test(
        "A query whose document is created from a model reads objects that a query with a written document has cached",
        arguments: CacheKind.allCases)
    func shared(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let detail = try await client.fetch(CodableDetailQuery(id: "10004")).data?.employee
            let row = try await client.fetch(EmployeeRowQuery(id: "10004"))
            #expect(row.source == .cache)
            #expect(row.data?.employee?.firstName == detail?.firstName)
        }
    }

    @Test(
        "A query for a single object reads the cache if an earlier list contained the object",
        arguments: CacheKind.allCases)
    func lookup(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let row = try #require(try await client.fetch(CodableListQuery()).data?.employees.nodes.last)
            let result = try await client.fetch(CodableRowQuery(id: row.id))
            #expect(result.source == .cache)
            #expect(result.data?.employee == row)
            #expect(log.count == 1)
        }
    }

    @Test(
        "The fetch policy of a query with a GraphQL document determines the source of the result",
        arguments: CacheKind.allCases)
    func policies(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = CodableDetailQuery(id: "10004")
            _ = try await client.fetch(query, policy: .fetchIgnoringCacheCompletely)
            let miss = await #expect(throws: GraphQLClientError.self) {
                try await client.fetch(query, policy: .cacheDontFetch)
            }
            #expect(miss?.missingPaths.map(\.pathDescription) == ["employee"])
            #expect(try await client.fetch(query, policy: .fetchIgnoringCacheData).source == .server)
            #expect(try await client.fetch(query, policy: .cacheDontFetch).source == .cache)
            #expect(try await client.fetch(query, policy: .networkElseCache).source == .server)
            var sources: [GraphQLResult<CodableDetailQuery.Data>.Source] = []
            for try await result in client.results(of: query, policy: .cacheAndFetch) { sources.append(result.source) }
            #expect(sources == [.cache, .server])
            #expect(log.count == 4)
        }
    }

    @Test("A null result for an unknown employee is cached", arguments: CacheKind.allCases)
    func null(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            for source in [GraphQLResult<CodableRowQuery.Data>.Source.server, .cache] {
                let result = try await client.fetch(CodableRowQuery(id: "1"))
                #expect(result.source == source)
                #expect(result.data == CodableRowQuery.Data(employee: nil))
            }
        }
    }

    @Test(
        "fetchMissing requests only the fields that are not cached, and the fields that identify objects",
        arguments: CacheKind.allCases)
    func missing(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let row = try #require(try await client.fetch(CodableListQuery()).data?.employees.nodes.first)
            let result = try await client.fetchMissing(CodableDetailQuery(id: row.id))
            #expect(
                log.documents.last == """
                    query EmployeeDetailMissing($id:ID!,$current:Boolean!){employee(id:$id){__typename id gender hireDate \
                    titles{__typename ... on Title{title toDate}} \
                    currentTitles:titles(current:$current){__typename ... on Title{title toDate}}}}
                    """)
            #expect(result.source == .cacheAndServer)
            let whole = try await client.fetch(CodableDetailQuery(id: row.id), policy: .fetchIgnoringCacheCompletely)
            #expect(result.data == whole.data)
        }
    }

    @Test(
        "fetchMissing requests the whole query if a variable with a default value is null",
        arguments: CacheKind.allCases)
    func missingWithNull(cache: CacheKind) async throws {
        struct Query: DocumentQuery {
            typealias Data = CodableDetailQuery.Data
            static var source: String { CodableDetailQuery.source }
            let id: String
            var variables: JSONObject { ["id": .string(id), "current": .null] }
        }
        try await cache.withClient { client, log in
            let row = try #require(try await client.fetch(CodableListQuery()).data?.employees.nodes.first)
            let result = try await client.fetchMissing(Query(id: row.id))
            #expect(log.documents.last == (try Query.document().text))
            #expect(result.source == .server)
            #expect(result.data?.employee?.currentTitles == result.data?.employee?.titles)
        }
    }

    @Test(
        "fetchMissing requests the fields that identify objects, even if only a fragment selects these fields",
        arguments: CacheKind.allCases
    )
    func missingInFragment(cache: CacheKind) async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Hashable, Sendable {
                struct Employee: Decodable, Hashable, Sendable {
                    let firstName: String
                    let employeeNumber: Int
                }
                let employee: Employee?
            }
            static let source =
                "query ($id: ID!) { employee(id: $id) { ...F } } fragment F on Employee { id firstName employeeNumber }"
            var id: String
            var variables: JSONObject { ["id": .string(id)] }
        }
        try await cache.withClient { client, log in
            _ = try await client.fetch(CodableRowQuery(id: "10004"))
            let result = try await client.fetchMissing(Query(id: "10004"))
            #expect(
                log.documents.last
                    == "query($id:ID!){employee(id:$id){__typename ... on Employee{id employeeNumber}}}")
            #expect(result.source == .cacheAndServer)
            #expect(result.data?.employee?.employeeNumber == 10004)
        }
    }

    @Test(
        "A watched query delivers a new result when a mutation changes a value that the query selects",
        arguments: CacheKind.allCases)
    func watch(cache: CacheKind) async throws {
        let id = cache == .memory ? "10011" : "10012"
        try await cache.withClient { client, log in
            var results = client.watch(CodableRowQuery(id: id), policy: .cacheElseFetch).makeAsyncIterator()
            let before = try #require(try await results.next()?.data?.employee)
            let renamed = try await client.perform(CodableRename(id: id, lastName: "Renamed"))
            #expect(renamed.data?.updateEmployee?.employee?.lastName == "Renamed")
            let after = try await results.next()?.data?.employee
            #expect(after == CodableRow(id: id, firstName: before.firstName, lastName: "Renamed"))
        }
    }

    @Test(
        "An optimistic update is rolled back if the server rejects the mutation",
        arguments: CacheKind.allCases)
    func optimistic(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = CodableRowQuery(id: "10004")
            _ = try await client.fetch(query)
            let shown = Recorder<String?>()
            let result = try await client.perform(CodableRename(id: "10004", lastName: "")) { transaction in
                try transaction.update(query) { $0.employee?.lastName = "Guess" }
                shown.record(try transaction.read(query).data?.employee?.lastName)
            }
            #expect(shown.values.first == "Guess")
            #expect(result.data?.updateEmployee?.employee == nil)
            let cached = try await client.fetch(query, policy: .cacheDontFetch)
            #expect(cached.data?.employee?.lastName == "Koblick")
        }
    }

    @Test("An update stores a date in the date format of the query", arguments: CacheKind.allCases)
    func update(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = CodableDetailQuery(id: "10004")
            _ = try await client.fetch(query)
            let day = Date(timeIntervalSince1970: 86400.5)
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(query) { $0.employee?.hireDate = day }
                #expect(try transaction.fields(ofObject: "Employee:10004")?["hireDate"] == .integer(86_400_500))
            }
            let result = try await client.fetch(query, policy: .cacheDontFetch)
            #expect(result.data?.employee?.hireDate == day)
        }
    }

    @Test("An update that sets a property to nil stores null in the cache", arguments: CacheKind.allCases)
    func updateToNull(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = CodableRowQuery(id: "10004")
            _ = try await client.fetch(query)
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(query) { $0.employee = nil }
            }
            let result = try await client.fetch(query, policy: .cacheDontFetch)
            #expect(result.data == CodableRowQuery.Data(employee: nil))
        }
    }

    @Test(
        "An update can remove, move and add objects of a list. A query finds the added object by its identifier",
        arguments: CacheKind.allCases)
    func updateList(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let nodes = try #require(try await client.fetch(CodableListQuery()).data?.employees.nodes)
            let added = CodableRow(id: "1", firstName: "New", lastName: "Row")
            let changed = [nodes[2], nodes[1], added]
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(CodableListQuery()) { $0.employees.nodes = changed }
            }
            let result = try await client.fetch(CodableListQuery(), policy: .cacheDontFetch)
            #expect(result.data?.employees.nodes == changed)
            #expect(try await client.fetch(CodableRowQuery(id: "1"), policy: .cacheDontFetch).data?.employee == added)
        }
    }

    @Test(
        "A transaction reads a cached object by its key and decodes the object into a Decodable type",
        arguments: CacheKind.allCases)
    func readObject(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let employee = try await client.fetch(CodableDetailQuery(id: "10004")).data?.employee
            struct Row: Decodable, Equatable {
                let lastName: String
                let hireDate: Date
                let titles: [CodableDetailQuery.Title]
            }
            let row = try await client.store.withinReadTransaction { transaction in
                try transaction.readObject(ofType: Row.self, withKey: "Employee:10004")
            }
            #expect(row?.lastName == "Koblick")
            #expect(row?.hireDate == employee?.hireDate)
            #expect(row?.titles == employee?.titles)
            let other = try await client.store.withinReadTransaction { transaction in
                try transaction.readObject(ofType: Row.self, withKey: "Employee:1")
            }
            #expect(other == nil)
        }
    }

    @Test("A bundle returns the GraphQL document of a file, or throws an error if the file is missing")
    func bundle() async throws {
        try await TemporaryFolder.with { folder in
            try Data("{ a }".utf8).write(to: folder.appending(path: "Screen.graphql"))
            let bundle = try #require(Bundle(path: folder.path))
            #expect(try bundle.graphQLDocument(named: "Screen") == "{ a }")
            let error = #expect(throws: ModelError.self) { try bundle.graphQLDocument(named: "Other") }
            #expect(error?.code == .invalidDocument)
            #expect(
                error?.message
                    == "The bundle \(folder.lastPathComponent) has no file Other.graphql. Add the file to the resources of the target."
            )
        }
    }
}
