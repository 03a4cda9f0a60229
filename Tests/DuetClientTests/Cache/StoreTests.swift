import DuetClient
import DuetJSON
import Testing

@Suite("Reading and writing a store")
struct StoreTests {
    private static let page: JSONValue = [
        "employees": [
            "__typename": "EmployeeConnection",
            "nodes": [
                ["id": "1", "firstName": "Ada", "lastName": "A"], ["id": "2", "firstName": "Bob", "lastName": "B"],
            ],
            "pageInfo": ["__typename": "PageInfo", "hasNextPage": true, "endCursor": "c2"],
        ]
    ]

    private static func store() async throws -> GraphQLStore {
        let store = GraphQLStore(policies: .employees)
        try await store.withinReadWriteTransaction { try $0.write(page, for: EmployeesQuery()) }
        return store
    }

    private static func read<Query: GraphQLQuery>(
        _ query: Query, in store: GraphQLStore
    ) async throws -> CachedResult<Query.Data> {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in try transaction.read(query) }
    }

    @Test("Data that is written for a query is read back with the same values")
    func roundTrip() async throws {
        let result = try await Self.read(EmployeesQuery(), in: try await Self.store())
        #expect(result.isComplete)
        #expect(result.data?.employees.nodes.map(\.lastName) == ["A", "B"])
        #expect(result.data?.employees.pageInfo.endCursor == "c2")
    }

    @Test("A query for a single object reads the cache if an earlier list contained the object")
    func lookup() async throws {
        let result = try await Self.read(EmployeeRowQuery(id: "2"), in: try await Self.store())
        #expect(result.isComplete)
        #expect(result.data?.employee?.firstName == "Bob")
    }

    @Test("Reading an object with missing fields returns the cached fields and the paths of the missing fields")
    func partial() async throws {
        let result = try await Self.read(EmployeeQuery(id: "2"), in: try await Self.store())
        #expect(!result.isComplete)
        #expect(
            result.missingPaths.map(\.pathDescription).sorted() == ["employee.currentTitles", "employee.titles"])
        #expect(result.data?.employee?.row.lastName == "B")
        #expect(result.data?.employee?.titles.isEmpty == true)
    }

    @Test("The cached result of a query is not used for a query with other field arguments")
    func otherArguments() async throws {
        let result = try await Self.read(EmployeesQuery(first: 4), in: try await Self.store())
        #expect(result.data == nil)
        #expect(result.missingPaths == [[.field("employees")]])
    }

    @Test("A change of an object is visible in the results of all queries that select the object")
    func sharedEntity() async throws {
        let store = try await Self.store()
        try await store.withinReadWriteTransaction { transaction in
            try transaction.update(EmployeeRowQuery(id: "1")) { $0.employee?.lastName = "New" }
        }
        let result = try await Self.read(EmployeesQuery(), in: store)
        #expect(result.data?.employees.nodes.first?.lastName == "New")
    }

    @Test("A transaction that throws an error changes nothing")
    func rollback() async throws {
        struct Stop: Error {}
        let store = try await Self.store()
        await #expect(throws: Stop.self) {
            try await store.withinReadWriteTransaction { transaction in
                try transaction.updateObject("Employee:1") { $0["lastName"] = .string("New") }
                let seen = try transaction.read(EmployeeRowQuery(id: "1"))
                #expect(seen.data?.employee?.lastName == "New")
                throw Stop()
            }
        }
        #expect(try await Self.read(EmployeeRowQuery(id: "1"), in: store).data?.employee?.lastName == "A")
    }

    @Test("An object is read by its key")
    func object() async throws {
        let store = try await Self.store()
        let row = try await store.withinReadTransaction { (transaction) throws(StoreError) in
            try transaction.readObject(ofType: EmployeeRow.self, withKey: .entity("Employee", "1"))
        }
        #expect(row?.firstName == "Ada")
        let none = try await store.withinReadTransaction { (transaction) throws(StoreError) in
            try transaction.readObject(ofType: EmployeeRow.self, withKey: .entity("Employee", "9"))
        }
        #expect(none == nil)
    }

    @Test("A query that selects a removed object reports a missing path")
    func removal() async throws {
        let store = try await Self.store()
        try await store.withinReadWriteTransaction { $0.removeObject("Employee:1") }
        let result = try await Self.read(EmployeesQuery(), in: store)
        #expect(result.data == nil)
        #expect(result.missingPaths.first?.pathDescription == "employees.nodes[0].id")
    }

    @Test("A condition on keys selects the objects to remove")
    func removalByCondition() async throws {
        let store = try await Self.store()
        try await store.withinReadWriteTransaction { transaction in
            try transaction.removeObjects { $0.description.hasPrefix("Employee:") }
        }
        #expect(try await Self.read(EmployeeRowQuery(id: "1"), in: store).data?.employee == nil)
    }

    @Test("A cleared store is empty")
    func clear() async throws {
        let store = try await Self.store()
        try await store.clear()
        #expect(try await Self.read(EmployeesQuery(), in: store).missingPaths == [[.field("employees")]])
    }

    @Test("An update that sets a property to nil stores null")
    func nilProperty() async throws {
        let store = try await Self.store()
        try await store.withinReadWriteTransaction { transaction in
            try transaction.update(EmployeeRowQuery(id: "1")) { $0.employee = nil }
        }
        let result = try await Self.read(EmployeeRowQuery(id: "1"), in: store)
        #expect(result.isComplete)
        #expect(result.data != nil && result.data?.employee == nil)
    }

    /// The data of a query. The model of the employee does not declare a `typeName`.
    private struct UntypedScreen: DataDecodable, Encodable {
        struct Employee: DataDecodable, Encodable {
            let id: String
            var lastName: String

            init(from decoder: DynamicDecoder) throws(ModelError) {
                id = try decoder.value("id")
                lastName = try decoder.value("lastName")
            }
        }

        var employee: Employee?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            employee = try decoder.value("employee", arguments: ["id": "1"])
        }
    }

    private struct UntypedQuery: GraphQLQuery { typealias Data = UntypedScreen }

    @Test("An update retains the type of an object whose model does not declare a `typeName`")
    func untyped() async throws {
        let store = GraphQLStore(policies: .employees)
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(
                ["employee": ["__typename": "Employee", "id": "1", "lastName": "A"]], for: UntypedQuery())
            try transaction.update(UntypedQuery()) { $0.employee?.lastName = "New" }
        }
        #expect(try await Self.read(UntypedQuery(), in: store).data?.employee?.lastName == "New")
        try await store.withinReadTransaction { (transaction) throws(StoreError) in
            let employee = try transaction.readObject(
                ofType: UntypedScreen.Employee.self, withKey: .entity("Employee", "1"))
            #expect(employee?.lastName == "New")
        }
    }
}
