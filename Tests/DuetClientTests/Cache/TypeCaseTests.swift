import DuetClient
import Testing

@Suite("Fields with type conditions")
struct TypeCaseTests {
    private struct Name: DataDecodable {
        let name: String?
        init(from decoder: DynamicDecoder) throws(ModelError) { name = try decoder.value("name") }
    }

    private struct NamedRobot: DataDecodable {
        let name: Name?
        init(from decoder: DynamicDecoder) throws(ModelError) { name = try decoder.value(on: "Named") }
    }

    private struct Screen: DataDecodable {
        let node: Node

        struct Node: DataDecodable {
            let id: String
            let robot: NamedRobot?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                id = try decoder.value("id")
                robot = try decoder.value(on: "Robot")
            }
        }

        init(from decoder: DynamicDecoder) throws(ModelError) { node = try decoder.value("node") }
    }

    private struct NodeQuery: GraphQLQuery { typealias Data = Screen }

    private static let policies = CachePolicies(
        keyFields: ["Robot": ["id"]], types: TypeConditions(possibleTypes: ["Named": ["Person", "Robot"]]))

    @Test(
        "An object that satisfies only one of two nested type conditions does not have the nested field",
        arguments: CacheKind.allCases)
    func nested(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let answer = ConstantAnswer(#"{"data":{"node":{"__typename":"Person","id":"1"}}}"#)
            let client = GraphQLClient(transport: answer, store: GraphQLStore(cache: cache, policies: Self.policies))
            _ = try await client.fetch(NodeQuery())
            let cached = try await client.fetch(NodeQuery(), policy: .cacheDontFetch)
            #expect(cached.data?.node.id == "1")
            #expect(cached.data?.node.robot == nil)
        }
    }

    @Test("An object that satisfies two nested type conditions has the nested field", arguments: CacheKind.allCases)
    func fulfilled(cache: CacheKind) async throws {
        try await cache.withCache { cache in
            let answer = ConstantAnswer(#"{"data":{"node":{"__typename":"Robot","id":"1","name":"R2"}}}"#)
            let client = GraphQLClient(transport: answer, store: GraphQLStore(cache: cache, policies: Self.policies))
            #expect(try await client.fetch(NodeQuery()).data?.node.robot?.name?.name == "R2")
            let cached = try await client.fetch(NodeQuery(), policy: .cacheDontFetch)
            #expect(cached.data?.node.robot?.name?.name == "R2")
        }
    }

    @Test("The request for a missing field contains both nested type conditions of the field")
    func missingPart() async throws {
        let log = RequestLog()
        let answer = ConstantAnswer(#"{"data":{"node":{"__typename":"Robot","id":"1","name":"R2"}}}"#)
        let client = GraphQLClient(
            transport: answer, store: GraphQLStore(policies: Self.policies), interceptors: [log])
        struct IDQuery: GraphQLQuery {
            struct Data: DataDecodable {
                let node: Node

                struct Node: DataDecodable {
                    let type: String
                    let id: String

                    init(from decoder: DynamicDecoder) throws(ModelError) {
                        type = try decoder.value("__typename")
                        id = try decoder.value("id")
                    }
                }

                init(from decoder: DynamicDecoder) throws(ModelError) { node = try decoder.value("node") }
            }
        }
        _ = try await client.fetch(IDQuery())
        #expect(try await client.fetchMissing(NodeQuery()).data?.node.robot?.name?.name == "R2")
        #expect(log.documents.last == "query NodeQueryMissing{node{__typename id ... on Robot{... on Named{name}}}}")
    }
}
