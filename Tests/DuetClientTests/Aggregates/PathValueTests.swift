import DuetClient
import DuetJSON
import Testing

@Suite("Values below the objects of a model")
struct PathValueTests {
    private struct Customer: DataDecodable, Hashable {
        let count: Int
        let revenue: String?
        let tags: [String]?
        let note: JSONValue

        init(from decoder: DynamicDecoder) throws(ModelError) {
            count = try decoder.value(at: "orders", "count")
            revenue = try decoder.value(at: "orders", "total", "sum")
            tags = try decoder.value(at: "best", "tags", alias: "top", arguments: ["first": 1])
            note = try decoder.value(at: "note")
        }
    }

    private struct CustomerQuery: GraphQLQuery {
        typealias Data = Customer
    }

    private static func fetch(
        _ json: String, _ cache: CacheKind = .memory
    ) async throws -> [GraphQLResult<Customer>] {
        try await cache.withCache { cache in
            let client = GraphQLClient(transport: ConstantAnswer(json), store: GraphQLStore(cache: cache))
            return [try await client.fetch(CustomerQuery()), try await client.fetch(CustomerQuery())]
        }
    }

    @Test("The document has the fields of all paths, without __typename of objects that no model represents")
    func document() throws {
        struct Pair: DataDecodable {
            let count: Int
            let employee: EmployeeRow?

            init(from decoder: DynamicDecoder) throws(ModelError) {
                count = try decoder.value(at: "employee", "count", arguments: ["id": 1])
                employee = try decoder.value("employee", arguments: ["id": 1])
            }
        }
        struct PairQuery: GraphQLQuery {
            typealias Data = Pair
        }
        #expect(
            try CustomerQuery.document().text
                == "query CustomerQuery{orders{count total{sum}} top:best(first:1){tags} note}")
        // The model identifies the object, and its type is not known before the response.
        #expect(
            try PairQuery.document().text
                == "query PairQuery{employee(id:1){__typename count id firstName lastName}}")
    }

    @Test("The document for missing fields has no __typename of these objects either")
    func missing() async throws {
        struct CountQuery: GraphQLQuery {
            struct Data: DataDecodable {
                let count: Int
                init(from decoder: DynamicDecoder) throws(ModelError) {
                    count = try decoder.value(at: "orders", "count")
                }
            }
        }
        let log = RequestLog()
        let answer = ConstantAnswer(#"{"data":{"orders":{"count":2,"total":{"sum":"9.50"}},"top":null,"note":1}}"#)
        let client = GraphQLClient(transport: answer, store: GraphQLStore(), interceptors: [log])
        _ = try await client.fetch(CountQuery())
        let result = try await client.fetchMissing(CustomerQuery())
        #expect(result.data?.count == 2 && result.data?.revenue == "9.50")
        let document = try #require(log.documents.last)
        #expect(
            log.documents.count == 2 && document.contains("total{sum}") && !document.contains("__typename"),
            "\(document)")
    }

    @Test("The values are decoded from a response and from the cache", arguments: CacheKind.allCases)
    func decoding(cache: CacheKind) async throws {
        let results = try await Self.fetch(
            #"{"data":{"orders":{"count":2,"total":{"sum":"9.50"}},"top":{"tags":["new"]},"note":{"a":[1]}}}"#, cache)
        #expect(results.map(\.source) == [.server, .cache])
        #expect(results.map(\.data?.count) == [2, 2])
        #expect(results.map(\.data?.revenue) == ["9.50", "9.50"])
        #expect(results.map(\.data?.tags) == [["new"], ["new"]])
        #expect(results.first?.data?.note == ["a": [1]] && results.first?.data == results.last?.data)
    }

    @Test("A null in place of an object is the value of an optional", arguments: CacheKind.allCases)
    func null(cache: CacheKind) async throws {
        let results = try await Self.fetch(
            #"{"data":{"orders":{"count":2,"total":null},"top":null,"note":null}}"#, cache)
        #expect(results.map(\.source) == [.server, .cache])
        #expect(results.allSatisfy { $0.data?.count == 2 && $0.data?.revenue == nil && $0.data?.tags == nil })
    }

    @Test(
        "An error has the path of the value, or of the object on the path that is null or missing",
        arguments: [
            (#"{"orders":null,"top":null,"note":1}"#, ModelError.Code.unexpectedNull, ["orders"]),
            (#"{"orders":{"count":"x","total":null},"top":null,"note":1}"#, .typeMismatch, ["orders", "count"]),
            (#"{"orders":{"count":1,"total":{}},"top":null,"note":1}"#, .missing, ["orders", "total", "sum"]),
            (#"{"orders":{"count":1,"total":null},"top":{"tags":2},"note":1}"#, .typeMismatch, ["top", "tags"]),
            (#"{"orders":{"count":1,"total":[]},"top":null,"note":1}"#, .typeMismatch, ["orders", "total"]),
        ] as [(String, ModelError.Code, [String])])
    func errors(data: String, code: ModelError.Code, path: [String]) throws {
        let error = #expect(throws: ModelError.self) {
            try DictionaryDecoder.decode(Customer.self, from: try JSONTape(parsing: Array(data.utf8)).root)
        }
        #expect(error?.code == code)
        #expect(error?.path == path.map(PathElement.field))
    }
}
