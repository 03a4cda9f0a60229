import DuetClient
import DuetJSON
import Foundation
import ProcessTesting
import Testing

/// `duet generate` writes `EmployeesAPI.swift` and `TrapsAPI.swift`. A test of the command compares its output with
/// these files.
@Suite("Generated types", .server())
struct GeneratedTypesTests {
    typealias API = EmployeesAPI

    @Test(
        "A fetch of a generated query sends the document of the query and caches the result",
        arguments: CacheKind.allCases)
    func query(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = API.EmployeeDetailQuery(id: "10004")
            let first = try await client.fetch(query)
            let employee = try #require(first.data?.employee)
            #expect(
                employee.employeeNames == API.EmployeeNames(id: "10004", firstName: "Chirstian", lastName: "Koblick"))
            #expect(
                employee.titles.first
                    == .init(title: "Senior Engineer", toDate: EpochDate(milliseconds: 253_370_782_800_000)))
            #expect(employee.current.map(\.title) == ["Senior Engineer"])
            #expect(employee.gender == .m)
            #expect(employee.salaries == nil)
            let second = try await client.fetch(query)
            #expect(second.source == .cache)
            #expect(second.data == first.data)
            let document = try API.EmployeeDetailQuery.document()
            #expect(log.documents == [document.text])
            #expect(document.hash == API.EmployeeDetailQuery.hash)
        }
    }

    @Test("A field with @include has a value if the variable is true", arguments: CacheKind.allCases)
    func condition(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(API.EmployeeDetailQuery(id: "10004"))
            let result = try await client.fetch(API.EmployeeDetailQuery(id: "10004", withSalaries: true))
            #expect(result.source == .server)
            #expect(result.data?.employee?.salaries?.first?.salary == 74_057)
            let again = try await client.fetch(API.EmployeeDetailQuery(id: "10004", withSalaries: true))
            #expect(again.source == .cache)
            #expect(again.data == result.data)
        }
    }

    @Test("The client requests only the missing fields of a generated query", arguments: CacheKind.allCases)
    func missingPart(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            _ = try await client.fetch(API.EmployeeDetailQuery(id: "10004"))
            let result = try await client.fetchMissing(API.EmployeeDetailQuery(id: "10004", withSalaries: true))
            #expect(result.source == .cacheAndServer)
            #expect(result.data?.employee?.salaries?.first?.salary == 74_057)
            #expect(result.data?.employee?.employeeNames.lastName == "Koblick")
            #expect(log.documents.last?.contains("salaries") == true)
            #expect(log.documents.last?.contains("lastName") == false)
        }
    }

    @Test("Input objects and enumerations can be values of variables")
    func variables() async throws {
        let sort = API.EmployeeSort(field: .hireDate, direction: .descending)
        let filter = API.EmployeeFilter(or: [
            .init(lastName: .init(eq: "Koblick")), .init(not: .init(gender: .init(ne: .f))),
        ])
        let query = API.EmployeeListQuery(first: 2, filter: filter, orderBy: [sort])
        let expected: JSONObject = [
            "first": 2,
            "filter": ["or": [["lastName": ["eq": "Koblick"]], ["not": ["gender": ["ne": "F"]]]]],
            "orderBy": [["field": "HIRE_DATE", "direction": "DESCENDING"]],
        ]
        #expect(query.variables == expected)
        try await CacheKind.memory.withClient { client, _ in
            let result = try await client.fetch(query)
            #expect(result.errors.isEmpty)
            #expect(result.data?.employees?.nodes.count == 2)
        }
    }

    @Test("A variable without a value is omitted, and a variable in `nulls` is sent as null")
    func nulls() {
        #expect(API.EmployeeListQuery().variables == [:])
        #expect(API.EmployeeListQuery(nulls: [.after]).variables == ["after": .null])
        #expect(API.EmployeeListQuery(after: "x", nulls: [.after]).variables == ["after": "x"])
    }

    @Test("A watched generated query delivers a new result after a generated mutation", arguments: CacheKind.allCases)
    func mutation(cache: CacheKind) async throws {
        let id = cache == .memory ? "10011" : "10012"
        try await cache.withClient { client, log in
            var results = client.watch(API.EmployeeDetailQuery(id: id), policy: .cacheElseFetch).makeAsyncIterator()
            let before = try await results.next()?.data?.employee
            let result = try await client.perform(
                API.RenameEmployeeMutation(input: .init(id: id, lastName: "Generated")))
            #expect(result.data?.updateEmployee?.employee?.employeeNames.lastName == "Generated")
            let after = try await results.next()?.data?.employee
            #expect(after?.employeeNames.lastName == "Generated")
            #expect(after?.titles == before?.titles)
        }
    }

    @Test("A transaction changes the data of a generated query", arguments: CacheKind.allCases)
    func update(cache: CacheKind) async throws {
        try await cache.withClient { client, log in
            let query = API.EmployeeDetailQuery(id: "10004")
            let before = try await client.fetch(query)
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(query) { data in
                    data.employee?.employeeNames.lastName = "Local"
                    data.employee?.titles[0].toDate = nil
                }
            }
            let after = try await client.fetch(query, policy: .cacheDontFetch)
            #expect(after.data?.employee?.employeeNames.lastName == "Local")
            #expect(after.data?.employee?.titles.first?.toDate == nil)
            #expect(after.data?.employee?.hireDate == before.data?.employee?.hireDate)
        }
    }

    @Test("If a structure and its fragment both select a field, an update writes the value of the structure's property")
    func overlappingFragment() async throws {
        try await CacheKind.memory.withClient { client, log in
            let query = API.EmployeeLabelQuery(id: "10004")
            _ = try await client.fetch(query)
            try await client.store.withinReadWriteTransaction { transaction in
                try transaction.update(query) { $0.employee?.lastName = "Own" }
            }
            let after = try await client.fetch(query, policy: .cacheDontFetch).data?.employee
            #expect(after?.lastName == "Own")
            #expect(after?.employeeNames.lastName == "Own")
        }
    }

    @Test(
        "Objects of an abstract type are decoded by their object types, from a response and from the cache",
        arguments: CacheKind.allCases)
    func abstractTypes(cache: CacheKind) async throws {
        let answer = ConstantAnswer(
            """
            {"data":{"search":[{"__typename":"Person","id":"1","name":"Ada"},
            {"__typename":"Robot","id":"2","model":"R2","serial":null,"extra":{"a":[1,null]}}]}}
            """)
        try await cache.withCache { cache in
            let policies = CachePolicies(
                keyFields: ["Person": ["id"], "Robot": ["id"]], types: TrapsAPI.AbstractTypes.conditions)
            let client = GraphQLClient(transport: answer, store: GraphQLStore(cache: cache, policies: policies))
            for source in [GraphQLResult<TrapsAPI.SearchQuery.Data>.Source.server, .cache] {
                let result = try await client.fetch(TrapsAPI.SearchQuery(text: "x", short: false))
                #expect(result.source == source)
                let found = try #require(result.data?.search)
                #expect(found.map(\.asNode?.id) == ["1", "2"])
                #expect(found.map(\.asNode?.names?.name) == ["Ada", nil])
                #expect(found.map(\.asRobot?.model) == [nil, "R2"])
                #expect(found.map(\.robotParts?.extra) == [nil, ["a": [1, nil]]])
            }
        }
    }

    @Test("Selections of one field in several parts of a document become one property")
    func mergedFields() async throws {
        let answer = ConstantAnswer(
            """
            {"data":{"node":{"__typename":"Person","id":"1","name":"Ada","boss":{"name":"Eve","kind":"A_B"}}}}
            """)
        let policies = CachePolicies(types: TrapsAPI.AbstractTypes.conditions)
        let client = GraphQLClient(transport: answer, store: GraphQLStore(policies: policies))
        let result = try await client.fetch(TrapsAPI.BossQuery(id: "1", short: true))
        let boss = try #require(result.data?.node?.asPerson?.boss)
        #expect(boss.name == "Eve")
        #expect(boss.kind == .aB)
        #expect(boss.boss == nil)
        #expect(result.data?.node?.names?.name == "Ada")
    }

    @Test("A generated enumeration represents values that the schema does not define")
    func unknownValues() {
        #expect(TrapsAPI.Kind(rawValue: "NEW") == .unknown("NEW"))
        #expect(TrapsAPI.Kind(rawValue: "UNKNOWN") == .unknownValue)
        #expect(TrapsAPI.Kind(rawValue: "NONE") == .noneValue)
        #expect(TrapsAPI.Kind(rawValue: "_2D") == ._2d)
        for value in TrapsAPI.Kind.allCases { #expect(TrapsAPI.Kind(rawValue: value.rawValue) == value) }
    }

    @Test("An input object contains null for the fields in `nulls`. A OneOf input object contains exactly one field")
    func inputObjects() {
        let filter = TrapsAPI.Filter(
            not: .init(in: ["a", nil]), range: .init(from: 1.5, within: .init(nulls: [.range])), inputValueValue: "x")
        let expected: JSONValue = [
            "not": ["in": ["a", nil]], "range": ["from": 1.5, "within": ["range": nil]], "inputValue": "x",
        ]
        #expect(filter.inputValue == expected)
        let mutation = TrapsAPI.StoreMutation(lookup: .name("x"), stamp: ["any": true])
        #expect(mutation.variables == ["lookup": ["name": "x"], "stamp": ["any": true]])
    }

    @Test("A generated document has the literal arguments and the default values of the operation")
    func literals() throws {
        let document = try TrapsAPI.DefaultQuery.document()
        let expected: JSONValue = [
            "not": ["in": ["a\"b", nil], "limit": 7], "range": ["from": 1.5],
        ]
        #expect(document.variables.map(\.name) == ["in", "where"])
        #expect(document.variables.last?.defaultValue == expected)
        let other = try #require(document.map["other"])
        #expect(other.name == "default")
        #expect(
            other.arguments == [
                "where": ["not": ["all": [], "nulls": false], "inputValue": "é\n", "in": nil]
            ])
    }
}
