import DuetClient
import DuetJSON
import SeededTesting
import Testing

/// A node of a random tree. A node of the type `Entity` has an identifier, and can occur several times in the tree.
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

/// A node with fewer fields than ``NodeModel``: `id`, `name` with the alias `label`, and `count` with a type condition.
private struct LabelModel: DataDecodable, Hashable {
    struct Count: DataDecodable, Hashable {
        let count: Int?
        init(from decoder: DynamicDecoder) throws(ModelError) { count = try decoder.value("count") }
    }

    let id: String?
    let label: String?
    let count: Count?

    init(from decoder: DynamicDecoder) throws(ModelError) {
        id = try decoder.value("id")
        label = try decoder.value("name", alias: "label")
        count = try decoder.value(on: "Entity")
    }
}

private struct LabelQuery: GraphQLQuery {
    struct Data: DataDecodable, Hashable {
        let nodes: [LabelModel]
        init(from decoder: DynamicDecoder) throws(ModelError) {
            nodes = try decoder.value("nodes", arguments: ["page": .variable("page", "Int")])
        }
    }
    var page = 0
    var variables: JSONObject { ["page": .integer(Int64(page))] }

    /// Returns the response data of this query, converted from the response data of a ``TreeQuery``.
    static func response(_ tree: JSONValue) -> JSONValue {
        guard case .array(let nodes)? = tree["nodes"] else { return tree }
        return [
            "nodes": .array(
                nodes.map { node in
                    var object: JSONObject = ["label": node["name"] ?? .null]
                    let isEntity = node["__typename"] == "Entity"
                    for name in ["__typename", "id"] + (isEntity ? ["count"] : []) { object[name] = node[name] }
                    return .object(object)
                })
        ]
    }
}

@Suite("Properties of normalization")
struct NormalizerPropertyTests {
    /// Returns a random node. All occurrences of an entity have equal fields, as in the responses of a server.
    private static func node(depth: Int, using random: inout SplitMix64) -> JSONValue {
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
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 0..<8, using: &random)
        return ["nodes": .array((0..<count).map { _ in node(depth: 0, using: &random) })]
    }

    private static let policies = CachePolicies(keyFields: ["Entity": ["id"]])

    private static func write<Query: GraphQLQuery>(
        _ data: JSONValue, for query: Query, in store: GraphQLStore
    ) async throws {
        try await store.withinReadWriteTransaction { try $0.write(data, for: query) }
    }

    private static func read<Query: GraphQLQuery>(_ query: Query, in store: GraphQLStore) async throws -> Query.Data? {
        try await store.withinReadTransaction { (transaction) throws(StoreError) in try transaction.read(query).data }
    }

    private static func decode<Query: GraphQLQuery>(
        _ data: JSONValue, as: Query.Type
    ) throws -> Query.Data where Query.Data: DataDecodable {
        try DictionaryDecoder.decode(Query.Data.self, from: try JSONTape(parsing: data.compactBytes).root)
    }

    @Test(
        "A written tree is read back unchanged, and a query for a part of the tree reads the same values",
        arguments: TestScale.fixedSeeds(25),
        CacheKind.allCases)
    func roundTrip(seed: UInt64, cache: CacheKind) async throws {
        let tree = Self.tree(seed)
        try await cache.withCache { cache in
            let store = GraphQLStore(cache: cache, policies: Self.policies)
            try await Self.write(tree, for: TreeQuery(), in: store)
            #expect(try await Self.read(TreeQuery(), in: store) == Self.decode(tree, as: TreeQuery.self))
            let part = LabelQuery.response(tree)
            #expect(try await Self.read(LabelQuery(), in: store) == Self.decode(part, as: LabelQuery.self))
        }
    }

    @Test(
        "The order in which complete and partial responses are merged does not change the store",
        arguments: TestScale.fixedSeeds(5),
        CacheKind.allCases)
    func order(seed: UInt64, cache: CacheKind) async throws {
        var random = SplitMix64(seed: seed)
        let trees = (0..<4).map { ($0, Self.tree(seed * 100 + UInt64($0))) }
        var contents: [[CacheKey: [FieldKey: FieldValue?]]] = []
        for _ in 0..<3 {
            let merges = (trees.map { ($0, true) } + trees.map { ($0, false) }).shuffled(using: &random)
            let content = try await cache.withCache { cache in
                let store = GraphQLStore(cache: cache, policies: Self.policies)
                for ((page, tree), isWhole) in merges {
                    if isWhole {
                        try await Self.write(tree, for: TreeQuery(page: page), in: store)
                    } else {
                        try await Self.write(LabelQuery.response(tree), for: LabelQuery(page: page), in: store)
                    }
                }
                return try await store.withinReadTransaction { transaction in
                    var all: [CacheKey: [FieldKey: FieldValue?]] = [:]
                    for key in try transaction.keys() {
                        let fields = try transaction.fields(ofObject: key)
                        all[key] = Dictionary(uniqueKeysWithValues: (fields?.keys ?? []).map { ($0, fields?[$0]) })
                    }
                    return all
                }
            }
            contents.append(content)
        }
        #expect(contents[0] == contents[1])
        #expect(contents[0] == contents[2])
    }
}
