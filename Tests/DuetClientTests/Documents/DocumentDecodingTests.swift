import DuetClient
import DuetJSON
import Foundation
import Testing

/// The tests decode the same data from a response and from the cache, and expect equal results.
@Suite("Decodable types for a document")
struct DocumentDecodingTests {
    private struct Both<Query: DocumentQuery> {
        let response: Query.Data?
        let cache: Query.Data?
    }

    /// Fetches a query whose response has the given data, and then reads the query from the cache.
    private static func fetch<Query: DocumentQuery>(
        _ query: Query, _ data: String, types: TypeConditions = TypeConditions()
    ) async throws -> Both<Query> {
        let client = GraphQLClient(
            transport: ConstantAnswer(#"{"data":\#(data)}"#),
            store: GraphQLStore(policies: CachePolicies(keyFields: ["E": ["id"]], types: types)))
        let response = try await client.fetch(query, policy: .fetchIgnoringCacheData)
        let cache = try await client.fetch(query, policy: .cacheDontFetch)
        #expect(cache.source == .cache)
        return Both(response: response.data, cache: cache.data)
    }

    /// Decodes data from a response and from the cache, and expects two errors.
    /// - Returns: The messages of the errors.
    private static func errors<Query: DocumentQuery>(_ query: Query, _ data: String) async throws -> [String?] {
        let response = await #expect(throws: GraphQLClientError.self) {
            try await GraphQLClient(transport: ConstantAnswer(#"{"data":\#(data)}"#)).fetch(query)
        }
        let store = GraphQLStore()
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(try JSONValue(parsing: Array(data.utf8)), for: query)
        }
        let cache = await #expect(throws: GraphQLClientError.self) {
            try await GraphQLClient(transport: ConstantAnswer("{}"), store: store).fetch(query, policy: .cacheDontFetch)
        }
        return [response?.message, cache?.message]
    }

    private enum Color: String, Decodable {
        case red = "RED"
        case green = "GREEN"
    }

    private struct Values: DocumentQuery {
        struct Data: Decodable, Equatable, Sendable {
            let string: String
            let id: String
            let int: Int
            let small: UInt8
            let double: Double
            let float: Float
            let whole: Double
            let bool: Bool
            let null: String?
            let color: Color
            let url: URL
            let decimal: Decimal
            let bytes: Foundation.Data
            let matrix: [[Int?]]
            let labels: [String: [String: Int]]
            let colors: [Color]?
        }
        static let source = """
            { string id int small double float whole bool null color url decimal bytes matrix labels colors }
            """
    }

    @Test("Scalars, enumerations, nested lists and dictionaries are decoded")
    func values() async throws {
        let both = try await Self.fetch(
            Values(),
            #"""
            {"string":"a\n","id":7,"int":-5,"small":255,"double":1.5,"float":0.25,"whole":2,"bool":true,"null":null,
            "color":"GREEN","url":"https://example.org/a","decimal":0.1,"bytes":"AQI=","matrix":[[1,null],[],[2]],
            "labels":{"x":{"y":1},"7":{}},"colors":["RED","GREEN"]}
            """#)
        let data = Values.Data(
            string: "a\n", id: "7", int: -5, small: 255, double: 1.5, float: 0.25, whole: 2, bool: true, null: nil,
            color: .green, url: try #require(URL(string: "https://example.org/a")),
            decimal: try #require(Decimal(string: "0.1")), bytes: Foundation.Data([1, 2]),
            matrix: [[1, nil], [], [2]], labels: ["x": ["y": 1], "7": [:]], colors: [.red, .green])
        #expect(both.response == data)
        #expect(both.cache == data)
    }

    private struct One<Value: Decodable & Sendable>: DocumentQuery {
        struct Data: Decodable, Sendable { let a: [Value] }
        static var source: String { get throws(ModelError) { "{ a }" } }
    }

    @Test("The error for a value of a wrong type contains the path of the value")
    func mismatch() async throws {
        let text = try await Self.errors(One<Int>(), #"{"a":[1,"x"]}"#)
        #expect(text == [String](repeating: "a[1]: The value is a string, but the model reads Int.", count: 2))
        let large = try await Self.errors(One<Int8>(), #"{"a":[200]}"#)
        #expect(large == [String](repeating: "a[0]: The value is a number, but the model reads Int8.", count: 2))
        let fraction = try await Self.errors(One<Int>(), #"{"a":[1.5]}"#)
        #expect(fraction == [String](repeating: "a[0]: The value is a number, but the model reads Int.", count: 2))
        let date = try await Self.errors(One<Date>(), #"{"a":["soon"]}"#)
        #expect(date == [String](repeating: "a[0]: The value is a string, but the model reads Date.", count: 2))
    }

    @Test("The error for null in a non-optional property contains the path of the property")
    func null() async throws {
        let message = "a[0]: The value is null, but the model reads Bool. Make the property optional."
        #expect(try await Self.errors(One<Bool>(), #"{"a":[null]}"#) == [message, message])
    }

    @Test("The error for an enumeration value without a case contains the path of the value")
    func enumeration() async throws {
        let errors = try await Self.errors(One<Color>(), #"{"a":["BLUE"]}"#)
        for error in errors { #expect(error == "a[0]: Cannot initialize Color from invalid String value BLUE") }
    }

    private struct Missing: DocumentQuery {
        struct Data: Decodable, Sendable {
            struct Inner: Decodable, Sendable {
                let b: String
                let c: String?
            }
            let a: Inner
        }
        static let source = "{ a { b c } }"
    }

    @Test("A missing field in the response is an error for a required property and nil for an optional property")
    func missing() async throws {
        let error = await #expect(throws: GraphQLClientError.self) {
            try await GraphQLClient(transport: ConstantAnswer(#"{"data":{"a":{"__typename":"A","c":"x"}}}"#)).fetch(
                Missing())
        }
        #expect(error?.message == "a.b: The model reads this field, but the response does not contain it.")
        let client = GraphQLClient(transport: ConstantAnswer(#"{"data":{"a":{"__typename":"A","b":"x"}}}"#))
        let result = try await client.fetch(Missing())
        #expect(result.data?.a.c == nil)
        // The cache does not interpret a missing field as null.
        let miss = await #expect(throws: GraphQLClientError.self) {
            try await client.fetch(Missing(), policy: .cacheDontFetch)
        }
        #expect(miss?.missingPaths.map(\.pathDescription) == ["a.c"])
    }

    @Test("If a document does not select the field of a property, decoding is an error, even for an optional property")
    func notSelected() async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Sendable {
                let a: Int
                let typo: Int?
            }
            static let source = "{ a }"
        }
        let message =
            "typo: The document does not select this field, but the model reads it. Add the field to the document, or remove the property."
        #expect(try await Self.errors(Query(), #"{"a":1}"#) == [message, message])
    }

    @Test("A dictionary that is decoded from an object contains exactly the fields that the document selects")
    func dictionary() async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Sendable {
                let a: [String: Int]
                let b: [String: String]
            }
            static let source = "{ a { x y } b { __typename z } }"
        }
        let both = try await Self.fetch(
            Query(), #"{"a":{"__typename":"A","x":1,"y":2},"b":{"__typename":"B","z":"w"}}"#)
        for data in [both.response, both.cache] {
            #expect(data?.a == ["x": 1, "y": 2])
            #expect(data?.b == ["__typename": "B", "z": "w"])
        }
    }

    private struct Dated<Form: DateForm>: DocumentQuery {
        struct Data: Decodable, Sendable {
            let day: Date
            let other: Date?
        }
        static var source: String { get throws(ModelError) { "{ day other }" } }
        static var dates: DateCoding { Form.dates }
    }

    private protocol DateForm: Sendable { static var dates: DateCoding { get } }
    private enum Milliseconds: DateForm { static let dates = DateCoding.epochMilliseconds }
    private enum Seconds: DateForm { static let dates = DateCoding.epochSeconds }
    private enum ISO: DateForm { static let dates = DateCoding.iso8601 }
    private enum Day: DateForm { static let dates = DateCoding.day }

    private static func days<Form: DateForm>(_ form: Form.Type, _ json: String) async throws -> [Double?] {
        let both = try await fetch(Dated<Form>(), #"{"day":\#(json),"other":null}"#)
        #expect(both.response?.other == nil)
        return [both.response, both.cache].map { $0?.day.timeIntervalSince1970 }
    }

    @Test("Dates are decoded in the format that the operation specifies")
    func dates() async throws {
        #expect(try await Self.days(Milliseconds.self, "1500") == [1.5, 1.5])
        #expect(try await Self.days(Seconds.self, "1500.5") == [1500.5, 1500.5])
        #expect(try await Self.days(ISO.self, #""1970-01-02T00:00:01Z""#) == [86401, 86401])
        #expect(try await Self.days(ISO.self, #""1970-01-01T01:00:00.5+01:00""#) == [0.5, 0.5])
        #expect(try await Self.days(Day.self, #""1970-01-02""#) == [86400, 86400])
    }

    private struct Union: DocumentQuery {
        enum Item: Decodable, Equatable, Sendable {
            case person(String, age: Int?)
            case company(String)
            case other(String)

            private enum Key: String, CodingKey {
                case type = "__typename"
                case name, title, age
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                switch try container.decode(String.self, forKey: .type) {
                case "Person":
                    self = .person(
                        try container.decode(String.self, forKey: .name),
                        age: try container.decodeIfPresent(Int.self, forKey: .age))
                case "Company": self = .company(try container.decode(String.self, forKey: .title))
                case let type: self = .other(type)
                }
            }
        }
        struct Data: Decodable, Equatable, Sendable { let items: [Item] }
        static let source = """
            { items { ... on Person { ...Named } ... on Company { title } } }
            fragment Named on Named { name ... on Person { age } }
            """
    }

    @Test("Fields with nested type conditions are decoded from the response and from the cache")
    func typeCases() async throws {
        let both = try await Self.fetch(
            Union(),
            """
            {"items":[{"__typename":"Person","name":"A","age":3},{"__typename":"Company","title":"B"},{"__typename":"Robot"}]}
            """, types: TypeConditions(possibleTypes: ["Named": ["Person", "Robot"]]))
        let data = Union.Data(items: [.person("A", age: 3), .company("B"), .other("Robot")])
        #expect(both.response == data)
        #expect(both.cache == data)
    }

    @Test(
        "Reading a fragment on an interface from the cache is an error if the client does not know the object types"
    )
    func unknownInterface() async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Sendable {
                struct Node: Decodable, Sendable { let name: String }
                let node: Node
            }
            static let source = "{ node { ... on Named { name } } }"
        }
        let data = #"{"node":{"__typename":"Person","name":"A"}}"#
        let client = GraphQLClient(transport: ConstantAnswer(#"{"data":\#(data)}"#))
        #expect(try await client.fetch(Query()).data?.node.name == "A")
        let error = await #expect(throws: GraphQLClientError.self) { try await client.fetch(Query()) }
        #expect(
            error?.message
                == "node.name: The document selects this field only for Named, but the cached object has the type Person. If this type belongs to Named, add it to the types of the client's CachePolicies."
        )
        let both = try await Self.fetch(
            Query(), data, types: TypeConditions(possibleTypes: ["Named": ["Person"]]))
        #expect(both.cache?.node.name == "A")
    }

    @Test("An object that two fragments select has the fields of both fragments")
    func fragments() async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Equatable, Sendable {
                struct Outer: Decodable, Equatable, Sendable { let inner: Inner }
                struct Inner: Decodable, Equatable, Sendable {
                    let x: Int
                    let y: Int
                }
                let outer: Outer
            }
            static let source = """
                query ($v: Boolean = true) { outer { ...F ...G @include(if: $v) } }
                fragment F on O { inner { x } } fragment G on O { inner { y } }
                """
        }
        let both = try await Self.fetch(
            Query(), #"{"outer":{"__typename":"O","inner":{"__typename":"I","x":1,"y":2}}}"#)
        let data = Query.Data(outer: Query.Data.Outer(inner: Query.Data.Inner(x: 1, y: 2)))
        #expect(both.response == data)
        #expect(both.cache == data)
    }

    @Test("An optional property is nil if @include or @skip excludes the field", arguments: [true, false])
    func conditions(wide: Bool) async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Equatable, Sendable {
                let a: Int
                let b: Int?
                let c: Int?
            }
            static let source = "query ($wide: Boolean!) { a b @include(if: $wide) c @skip(if: $wide) }"
            var wide: Bool
            var variables: JSONObject { ["wide": .bool(wide)] }
        }
        let both = try await Self.fetch(Query(wide: wide), wide ? #"{"a":1,"b":2}"# : #"{"a":1,"c":3}"#)
        let data = Query.Data(a: 1, b: wide ? 2 : nil, c: wide ? nil : 3)
        #expect(both.response == data)
        #expect(both.cache == data)
    }

    @Test("A custom initializer can read nested containers. An error of the initializer contains the path")
    func ownInitializer() async throws {
        struct Query: DocumentQuery {
            struct Data: Decodable, Sendable {
                let sum: Int
                private enum Key: CodingKey { case a, list }
                private enum Inner: CodingKey { case b }
                init(from decoder: any Decoder) throws {
                    let container = try decoder.container(keyedBy: Key.self)
                    let inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .a)
                    var list = try container.nestedUnkeyedContainer(forKey: .list)
                    var sum = try inner.decode(Int.self, forKey: .b)
                    while !list.isAtEnd { sum += try list.decodeNil() ? 0 : try list.decode(Int.self) }
                    guard sum < 100 else {
                        throw DecodingError.dataCorruptedError(
                            forKey: .list, in: container, debugDescription: "Too much.")
                    }
                    self.sum = sum
                }
            }
            static let source = "{ a { b } list }"
        }
        let both = try await Self.fetch(Query(), #"{"a":{"__typename":"A","b":1},"list":[2,null,3]}"#)
        #expect(both.response?.sum == 6)
        #expect(both.cache?.sum == 6)
        let errors = try await Self.errors(Query(), #"{"a":{"__typename":"A","b":1},"list":[200]}"#)
        #expect(errors == ["list: Too much.", "list: Too much."])
    }
}
