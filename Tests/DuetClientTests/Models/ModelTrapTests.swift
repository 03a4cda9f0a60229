import DuetClient
import DuetJSON
import Testing

@Suite("Models with control flow")
struct ModelTrapTests {
    private static func decode<Model: DataDecodable>(_ model: Model.Type, _ json: String) throws -> Model {
        try DictionaryDecoder.decode(model, from: try JSONTape(parsing: Array(json.utf8)).root)
    }

    private struct Branching: DataDecodable {
        let name: String?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            let isPerson: Bool = try decoder.value("isPerson")
            name = try isPerson ? decoder.value("personName") : decoder.value("companyName")
        }
    }

    @Test("The map of a model contains the fields of both branches of a Boolean condition")
    func booleanBranch() throws {
        #expect(
            try MappingDecoder.map(Branching.self).fields.map(\.name) == ["isPerson", "personName", "companyName"])
    }

    private enum Gender: String, CaseIterable, ScalarDecodable {
        case male = "M"
        case other = "X"
        case female = "F"
    }

    private struct Person: DataDecodable {
        let gender: Gender
        let name: String

        init(from decoder: DynamicDecoder) throws(ModelError) {
            gender = try decoder.value("gender")
            // The mapping calls this initializer twice: with the first case, and with the last case. Neither call
            // executes this branch.
            name = try gender == .other ? decoder.value("chosenName") : decoder.value("name")
        }
    }

    @Test("An enumeration is decoded from its raw value")
    func enumeration() throws {
        #expect(try Self.decode(Person.self, #"{"gender":"F","name":"A"}"#).gender == .female)
    }

    @Test("The error for an enumeration value without a case contains the path of the value")
    func unknownCase() {
        let error = #expect(throws: ModelError.self) {
            try Self.decode(Person.self, #"{"gender":"Q","name":"A"}"#)
        }
        #expect(error?.code == .typeMismatch)
        #expect(error?.path == [.field("gender")])
    }

    @Test("Decoding a model from the cache is an error if the initializer reads a field that is not in the model's map")
    func unseenBranch() async throws {
        struct Screen: DataDecodable {
            let person: Person?
            init(from decoder: DynamicDecoder) throws(ModelError) { person = try decoder.value("person") }
        }
        struct Query: GraphQLQuery { typealias Data = Screen }
        let store = GraphQLStore()
        try await store.withinReadWriteTransaction { transaction in
            try transaction.write(["person": ["__typename": "Person", "gender": "X", "name": "A"]], for: Query())
        }
        let error = await #expect(throws: StoreError.self) {
            try await store.withinReadTransaction { (transaction) throws(StoreError) in
                _ = try transaction.read(Query())
            }
        }
        guard case .model(let error) = error else { throw try #require(error) }
        #expect(error.code == .unmapped)
        #expect(error.path == [.field("person"), .field("chosenName")])
    }

    private struct Hidden: DataDecodable {
        let detail: EmployeeRow?
        let rows: [EmployeeRow]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            detail = try decoder.value("detail")
            rows = try decoder.value("rows")
        }
    }

    @Test("The map of a model contains the fields of objects in optional properties and in lists")
    func hiddenChildren() throws {
        let map = try MappingDecoder.map(Hidden.self)
        #expect(map["detail"]?.object?.fields.map(\.name) == ["id", "firstName", "lastName"])
        #expect(map["rows"]?.object?.fields.map(\.name) == ["id", "firstName", "lastName"])
    }

    private struct Endless: DataDecodable {
        let manager: [Endless]
        init(from decoder: DynamicDecoder) throws(ModelError) { manager = try decoder.value("manager") }
    }

    private struct Chain: DataDecodable {
        let name: String
        let managers: [Chain]

        init(from decoder: DynamicDecoder) throws(ModelError) {
            name = try decoder.value("name")
            managers = try decoder.value("managers", maximumDepth: 2)
        }
    }

    @Test("Mapping a recursive model without a maximum depth is an error that contains the source location")
    func endless() {
        let error = #expect(throws: ModelError.self) { try MappingDecoder.map(Endless.self) }
        #expect(error?.code == .recursion)
        #expect(error?.message.contains("ModelTrapTests.swift:") == true)
    }

    @Test("A recursive model is mapped and read up to its maximum depth")
    func depth() throws {
        let text = try QueryBuilder.document(.query, name: nil, map: MappingDecoder.map(Chain.self)).text
        #expect(text == "query{name managers{name managers{name}}}")
        let chain = try Self.decode(
            Chain.self, #"{"name":"a","managers":[{"name":"b","managers":[{"name":"c"}]}]}"#)
        #expect(chain.managers.first?.managers.first?.name == "c")
        #expect(chain.managers.first?.managers.first?.managers.isEmpty == true)
    }

    private struct Doubled: DataDecodable {
        init(from decoder: DynamicDecoder) throws(ModelError) {
            let _: [TitleRow] = try decoder.value("titles")
            let _: [TitleRow] = try decoder.value("titles", arguments: ["current": true])
        }
    }

    @Test("Two fields with the same response name and different arguments are an error that suggests an alias")
    func conflict() {
        let error = #expect(throws: ModelError.self) { try MappingDecoder.map(Doubled.self) }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("alias") == true)
    }

    private struct Numbered: DataDecodable {
        init(from decoder: DynamicDecoder) throws(ModelError) {
            for number in 20..<50 { let _: Int = try decoder.value("field\(number)") }
        }
    }

    private struct Long: DataDecodable {
        init(from decoder: DynamicDecoder) throws(ModelError) {
            for number in 0..<20 { let _: Int = try decoder.value("field\(number)") }
            let hasMore: Bool = try decoder.value("hasMore")
            if hasMore {
                let _: EmployeeRow = try decoder.value("more")
            } else {
                let _: Int = try decoder.value("rest")
            }
            let _: Numbered = try decoder.value()
            for number in (10..<40).reversed() { let _: Int = try decoder.value("field\(number)") }
            let _: TitleRow? = try decoder.value("more", conditions: [])
        }
    }

    @Test("The map of a model contains each field once, in the order of the first read")
    func manyFields() throws {
        let map = try MappingDecoder.map(Long.self)
        let numbered = (0..<50).map { "field\($0)" }
        #expect(map.fields.map(\.name) == numbered[..<20] + ["hasMore", "more"] + numbered[20...] + ["rest"])
        #expect(map["more"]?.object?.fields.map(\.name) == ["id", "firstName", "lastName", "title", "toDate"])
        // A reader is a line of code. The mapping calls the initializer twice, but reads this field in one line.
        #expect(map["field5"]?.readers.count == 1)
        #expect(map["field15"]?.readers.count == 2)
        #expect(map["field45"]?.readers.count == 1)
    }

    @Test("Two fields with the same response name and different arguments are an error in a large model")
    func conflictOfManyFields() {
        struct Screen: DataDecodable {
            init(from decoder: DynamicDecoder) throws(ModelError) {
                let _: Long = try decoder.value()
                let _: Int = try decoder.value("field33", arguments: ["unit": "m"])
            }
        }
        let error = #expect(throws: ModelError.self) { try MappingDecoder.map(Screen.self) }
        #expect(error?.code == .conflict)
        #expect(error?.path == [.field("field33")])
        #expect(error?.message.contains("of Screen have the response name field33") == true)
    }

    @Test("A field whose arguments depend on a value of the response is an error")
    func conflictOfWalks() {
        struct Screen: DataDecodable {
            init(from decoder: DynamicDecoder) throws(ModelError) {
                let isLong: Bool = try decoder.value("isLong")
                let _: Int = try decoder.value("length", arguments: isLong ? ["unit": "km"] : ["unit": "m"])
            }
        }
        let error = #expect(throws: ModelError.self) { try MappingDecoder.map(Screen.self) }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("alias") == true)
    }

    @Test("The error for a missing field contains the path of the field")
    func missingKey() {
        struct Screen: DataDecodable {
            let page: EmployeePage
            init(from decoder: DynamicDecoder) throws(ModelError) { page = try decoder.value("employees") }
        }
        let json = #"{"employees":{"nodes":[{"id":"1","firstName":"A"}],"pageInfo":{"hasNextPage":false}}}"#
        let error = #expect(throws: ModelError.self) { try Self.decode(Screen.self, json) }
        #expect(error?.code == .missing)
        #expect(error?.path.pathDescription == "employees.nodes[0].lastName")
    }

    @Test("The error for null in a non-optional property suggests making the property optional")
    func unexpectedNull() {
        let error = #expect(throws: ModelError.self) {
            try Self.decode(EmployeeRow.self, #"{"id":"1","firstName":null,"lastName":"B"}"#)
        }
        #expect(error?.code == .unexpectedNull)
        #expect(error?.message.contains("optional") == true)
    }

    private enum Owner: DataDecodable, Hashable {
        case person(String)
        case company(String)
        case unknown

        private struct Person: DataDecodable {
            let name: String
            init(from decoder: DynamicDecoder) throws(ModelError) { name = try decoder.value("name") }
        }
        private struct Company: DataDecodable {
            let title: String
            init(from decoder: DynamicDecoder) throws(ModelError) { title = try decoder.value("title") }
        }

        init(from decoder: DynamicDecoder) throws(ModelError) {
            let person: Person? = try decoder.value(on: "Person")
            let company: Company? = try decoder.value(on: "Company")
            self = person.map { .person($0.name) } ?? company.map { .company($0.title) } ?? .unknown
        }
    }

    @Test("A model selects and reads different fields for each possible type of an object")
    func typeCases() throws {
        struct Screen: DataDecodable {
            let owner: Owner
            init(from decoder: DynamicDecoder) throws(ModelError) { owner = try decoder.value("owner") }
        }
        struct Query: GraphQLQuery { typealias Data = Screen }
        #expect(
            try Query.document().text
                == "query Query{owner{__typename ... on Person{name} ... on Company{title}}}")
        #expect(
            try Self.decode(Screen.self, #"{"owner":{"__typename":"Company","title":"T"}}"#).owner == .company("T"))
    }
}
