import DuetClient
import Testing

@Suite("A field that a query selects several times")
struct RepeatedFieldTests {
    private struct Aliases: DataDecodable {
        static let typeName: String? = "Employee"
        let id: String
        let first: String
        let second: String

        init(from decoder: DynamicDecoder) throws(ModelError) {
            id = try decoder.value("id")
            first = try decoder.value("firstName", alias: "a")
            second = try decoder.value("firstName", alias: "b")
        }
    }

    private struct AliasQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let employee: Aliases?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                employee = try decoder.value("employee", arguments: ["id": "1"])
            }
        }
    }

    @Test("An update changes a field that is selected under two response names", arguments: CacheKind.allCases)
    func aliases(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let client = GraphQLClient(
                transport: ConstantAnswer(#"{"data":{"employee":{"id":"1","a":"Ada","b":"Ada"}}}"#),
                store: GraphQLStore(cache: cache, policies: .employees))
            _ = try await client.fetch(AliasQuery())
            try await client.store.withinReadWriteTransaction { transaction in
                let keys = try transaction.fields(ofObject: "Employee:1")?.keys
                #expect(keys == ["id", "firstName"])
                try transaction.updateObject("Employee:1") { $0["firstName"] = "New" }
            }
            let employee = try await client.fetch(AliasQuery(), policy: .cacheDontFetch).data?.employee
            #expect(employee?.first == "New")
            #expect(employee?.second == "New")
        }
    }

    private struct Name: DataDecodable {
        let name: String?
        init(from decoder: DynamicDecoder) throws(ModelError) { name = try decoder.value("name") }
    }

    private struct Node: DataDecodable {
        let name: String?
        let robot: Name?
        let person: Name?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            name = try decoder.value("name")
            robot = try decoder.value(on: "Robot")
            person = try decoder.value(on: "Person")
        }
    }

    private struct Cases: DataDecodable {
        let robot: Name?
        let person: Person?

        struct Person: DataDecodable {
            let age: Int
            let name: String?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                age = try decoder.value("age")
                name = try decoder.value("name")
            }
        }

        init(from decoder: DynamicDecoder) throws(ModelError) {
            robot = try decoder.value(on: "Robot")
            person = try decoder.value(on: "Person")
        }
    }

    private struct NodeQuery<Value: DataDecodable>: GraphQLQuery {
        struct Data: DataDecodable {
            let node: Value
            init(from decoder: DynamicDecoder) throws(ModelError) { node = try decoder.value("node") }
        }
    }

    private static func withPerson(_ body: (GraphQLClient) async throws -> Void) async throws {
        let answer = ConstantAnswer(#"{"data":{"node":{"__typename":"Person","age":36,"name":"Ada"}}}"#)
        try await body(GraphQLClient(transport: answer))
    }

    private static func rename(_ client: GraphQLClient) async throws {
        try await client.store.withinReadWriteTransaction { transaction in
            let key = try #require(try transaction.keys().first { $0 != .queryRoot })
            let keys = try #require(try transaction.fields(ofObject: key)?.keys)
            #expect(Set(keys).count == keys.count)
            try transaction.updateObject(key) { $0["name"] = "New" }
        }
    }

    @Test("An update changes a field that is selected both with a type condition and without one")
    func typeCase() async throws {
        try await Self.withPerson { client in
            _ = try await client.fetch(NodeQuery<Node>())
            try await Self.rename(client)
            let node = try await client.fetch(NodeQuery<Node>(), policy: .cacheDontFetch).data?.node
            #expect(node?.name == "New")
            #expect(node?.person?.name == "New")
            #expect(node?.robot == nil)
        }
    }

    @Test("A field in the second of two type conditions can be read and updated")
    func secondTypeCase() async throws {
        try await Self.withPerson { client in
            _ = try await client.fetch(NodeQuery<Cases>())
            let before = try await client.fetch(NodeQuery<Cases>(), policy: .cacheDontFetch).data?.node
            #expect(before?.person?.age == 36)
            #expect(before?.person?.name == "Ada")
            try await Self.rename(client)
            let node = try await client.fetch(NodeQuery<Cases>(), policy: .cacheDontFetch).data?.node
            #expect(node?.person?.age == 36)
            #expect(node?.person?.name == "New")
        }
    }

    private struct Parts: DataDecodable {
        static let typeName: String? = "Employee"
        let id: String
        let managed: Managed?
        let named: EmployeeRow?

        struct Managed: DataDecodable {
            static let typeName: String? = "Employee"
            let id: String
            init(from decoder: DynamicDecoder) throws(ModelError) { id = try decoder.value("id") }
        }

        init(from decoder: DynamicDecoder) throws(ModelError) {
            id = try decoder.value("id")
            managed = try decoder.value("manager", alias: "a")
            named = try decoder.value("manager", alias: "b")
        }
    }

    private struct PartsQuery: GraphQLQuery {
        struct Data: DataDecodable {
            let employee: Parts?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                employee = try decoder.value("employee", arguments: ["id": "1"])
            }
        }
    }

    @Test("An object that is selected under two response names has the fields of both selections")
    func objects() async throws {
        let answer = ConstantAnswer(
            """
            {"data":{"employee":{"id":"1","a":{"id":"2"},"b":{"id":"2","firstName":"Bob","lastName":"B"}}}}
            """)
        let client = GraphQLClient(transport: answer, store: GraphQLStore(policies: .employees))
        _ = try await client.fetch(PartsQuery())
        let employee = try await client.fetch(PartsQuery(), policy: .cacheDontFetch).data?.employee
        #expect(employee?.managed?.id == "2")
        #expect(employee?.named?.lastName == "B")
    }
}
