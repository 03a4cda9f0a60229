import DuetClient
import DuetJSON
import SeededTesting
import Testing

/// A tree of nodes of random shape, some of which are entities that occur in several places.
private struct NodeModel: DataDecodable, Hashable {
    let id: String?
    let name: String?
    let count: Int?
    let child: [NodeModel]
    let children: [NodeModel]

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        name = try decoder.value("name")
        count = try decoder.value("count")
        let one: NodeModel?? = try decoder.value("child", maximumDepth: 4, as: NodeModel?.self)
        child = (one ?? nil).map { [$0] } ?? []
        children = try decoder.value("children", maximumDepth: 4)
    }
}

private struct TreeQuery: GraphQLQuery {
    struct Data: DataDecodable, Hashable {
        let nodes: [NodeModel]
        init(from decoder: DynamicDecoder) throws(ModelError) {
            nodes = try decoder.value("nodes", arguments: ["page": .variable("page", "Int")])
        }
    }
    var page = 0
    var variables: JSONObject { ["page": .integer(Int64(page))] }
}

@Suite("Properties of normalization")
struct NormalizerPropertyTests {
    /// The same entity has the same fields wherever it occurs, as in the answers of a server.
    private static func node(depth: Int, using random: inout SplitMix) -> JSONValue {
        let entity = Int.random(in: 0..<40, using: &random)
        let isEntity = entity < 20
        var children: [JSONValue] = []
        var child: JSONValue = .null
        if depth < 4, !isEntity {
            children = (0..<Int.random(in: 0..<4, using: &random)).map { _ in node(depth: depth + 1, using: &random) }
            if Bool.random(using: &random) { child = node(depth: depth + 1, using: &random) }
        }
        var object: JSONObject = [
            "__typename": .string(isEntity ? "Entity" : "Plain"), "id": isEntity ? .string("\(entity)") : .null,
            "name": isEntity ? .string("entity \(entity)") : .string("\(random.next())"),
            "count": isEntity ? .integer(Int64(entity)) : .null,
        ]
        if depth < 4 {
            object["child"] = child
            object["children"] = .array(children)
        }
        return .object(object)
    }

    private static func tree(_ seed: UInt64) -> JSONValue {
        var random = SplitMix(seed: seed)
        let count = Int.random(in: 0..<8, using: &random)
        return ["nodes": .array((0..<count).map { _ in node(depth: 0, using: &random) })]
    }

    private static let policies = CachePolicies(keyFields: ["Entity": ["id"]])

    @Test("What is written is read with the same values", arguments: TestScale.fixedSeeds(50))
    func roundTrip(seed: UInt64) async throws {
        let tree = Self.tree(seed)
        let store = GraphQLStore(policies: Self.policies)
        try await store.withinReadWriteTransaction { try $0.write(tree, for: TreeQuery()) }
        let result = try await store.withinReadTransaction { (transaction) throws(StoreError) in
            try transaction.read(TreeQuery())
        }
        let direct = try DictionaryDecoder.decode(
            TreeQuery.Data.self, from: try JSONTape(parsing: tree.compactBytes).root)
        #expect(result.data == direct)
    }

    @Test("Any order of merges gives the same store", arguments: TestScale.fixedSeeds(10))
    func order(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let trees = (0..<6).map { ($0, Self.tree(seed * 100 + UInt64($0))) }
        var contents: [[CacheKey: [FieldKey: FieldValue?]]] = []
        for _ in 0..<3 {
            let store = GraphQLStore(policies: Self.policies)
            for (page, tree) in trees.shuffled(using: &random) {
                try await store.withinReadWriteTransaction { try $0.write(tree, for: TreeQuery(page: page)) }
            }
            contents.append(
                try await store.withinReadTransaction { transaction in
                    var all: [CacheKey: [FieldKey: FieldValue?]] = [:]
                    for key in try transaction.keys() {
                        let fields = try transaction.fields(ofObject: key)
                        all[key] = Dictionary(uniqueKeysWithValues: (fields?.keys ?? []).map { ($0, fields?[$0]) })
                    }
                    return all
                })
        }
        #expect(contents[0] == contents[1])
        #expect(contents[0] == contents[2])
    }
}
