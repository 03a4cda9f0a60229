import DuetGraphQL
import Testing

@Suite("The cost of an operation")
struct OperationCostTests {
    static let sdl = """
        type Query {
          employee(id: ID!): Employee
          employees(first: Int! = 100, after: String): EmployeeConnection!
            @listSize(slicingArguments: ["first"], sizedFields: ["edges", "nodes"])
          either(first: Int, last: Int): [Employee!]! @listSize(slicingArguments: ["first", "last"])
          largest(first: Int, last: Int): [Employee!]!
            @listSize(assumedSize: 7, slicingArguments: ["first", "last"], requireOneSlicingArgument: false)
          departments: [Department!]! @listSize(assumedSize: 9)
          search(text: String @cost(weight: "4")): [Named!]! @cost(weight: "2.5") @listSize(assumedSize: 2)
          names: [String!]!
          grid: [[Employee!]!]!
        }
        type EmployeeConnection { nodes: [Employee!]! edges: [EmployeeEdge!]! pageInfo: PageInfo! totalCount: Int! }
        type EmployeeEdge { node: Employee! cursor: String! }
        type PageInfo @cost(weight: "0") { endCursor: String }
        interface Named { name: String! titles: [Title!]! @listSize(assumedSize: 5) }
        type Employee implements Named {
          name: String!
          photo: String @cost(weight: "10")
          titles: [Title!]!
          salaries: [Salary!]! @listSize(assumedSize: 20)
          departments(first: Int): [Assignment!]!
            @listSize(assumedSize: 2, slicingArguments: ["first"], requireOneSlicingArgument: false)
        }
        type Department implements Named {
          name: String!
          titles: [Title!]!
          employees(first: Int! = 100): EmployeeConnection!
            @listSize(slicingArguments: ["first"], sizedFields: ["edges", "nodes"])
        }
        type Assignment { department: Department! }
        type Title { title: String! }
        type Salary { salary: Int! }
        """ + CostModel.directiveDefinitions

    static func operation(_ query: String) throws -> PreparedOperation<Void> {
        let schema = try Executing.schema(sdl)
        let document = try Parser.parse(query)
        #expect(Validation.validate(document, against: schema.schema).map(\.message) == [])
        return try PreparedOperation(unvalidated: document, schema: schema)
    }

    static func cost(_ query: String, _ variables: ObjectValue = [:]) throws -> Int {
        try operation(query).cost(variables: variables)
    }

    @Test(
        "Each object costs 1, multiplied by the maximum lengths of the lists that contain it",
        arguments: [
            ("{ employee(id: 1) { name } }", 1),
            ("{ employee(id: 1) { name titles { title } salaries { salary } } }", 1 + 5 + 20),
            ("{ departments { name } }", 9),
            ("{ names }", 0),
            ("{ grid { name } }", 100),
            ("{ __typename __schema { types { name } } }", 0),
        ])
    func objects(query: String, cost: Int) throws {
        #expect(try Self.cost(query) == cost)
    }

    @Test(
        "The slicing argument of a connection field sets the length of the lists in the connection",
        arguments: [
            ("{ employees { totalCount pageInfo { endCursor } } }", 1),
            ("{ employees { nodes { name } } }", 1 + 100),
            ("{ employees(first: 3) { nodes { name } edges { node { name } } } }", 1 + 3 + 3 * 2),
            ("{ employees(first: 3) { ... { ...F } } } fragment F on EmployeeConnection { nodes { name } }", 1 + 3),
        ])
    func connections(query: String, cost: Int) throws {
        #expect(try Self.cost(query) == cost)
    }

    @Test(
        "An input field costs its weight for each call, in a literal as in a variable",
        arguments: [
            ("query($f: F, $l: [F!]) { list(first: 3, filter: $f) { id } }", ["f": ["n": 1]], 3),
            ("query($f: F) { list(first: 3, filter: $f) { id } }", ["f": ["heavy": ["n": 1]]], 3 + 20),
            ("query($f: F) { list(first: 3, filter: {and: [$f, {heavy: {}}]}) { id } }", ["f": ["heavy": [:]]], 3 + 40),
            ("query($f: F) { list(first: 3, filter: $f) { id } }", [:], 3),
            (
                "query($l: [F!]) { list(first: 3, filter: {and: $l}) { id } }",
                ["l": [["heavy": [:]], ["heavy": [:]]]], 43
            ),
            ("{ list(first: 3, filter: {heavy: null, not: {n: 1}}) { id } }", [:], 3),
            ("{ list(first: 3) { list(first: 2, filter: {not: {heavy: {n: 1}}}) { id } } }", [:], 3 + 3 * (2 + 20)),
            (
                "query($n: Int!, $f: F) { list(first: $n) { list(first: 2, filter: $f) { id } } }",
                ["n": 4, "f": ["not": ["heavy": [:]]]], 4 + 4 * (2 + 20)
            ),
        ] as [(String, ObjectValue, Int)])
    func inputFields(query: String, variables: ObjectValue, cost: Int) throws {
        let sdl = """
            type Query { list(first: Int, filter: F): [Item!]! @listSize(slicingArguments: ["first"]) }
            type Item { id: Int list(first: Int, filter: F): [Item!]! @listSize(slicingArguments: ["first"]) }
            input F { and: [F!] not: F n: Int heavy: G @cost(weight: "20") }
            input G { n: Int }
            """
        let schema = try Executing.schema(sdl + CostModel.directiveDefinitions)
        let operation = try PreparedOperation<Void>(unvalidated: try Parser.parse(query), schema: schema)
        #expect(try operation.cost(variables: variables) == cost)
    }

    @Test("A thousand employees with titles and salaries do not exceed the default cost limit")
    func histories() throws {
        let cost = try Self.cost("{ employees(first: 1000) { nodes { titles { title } salaries { salary } } } }")
        #expect(cost == 1 + 1000 * (1 + 5 + 20))
        #expect(cost <= OperationLimits().cost)
    }

    @Test("Two nested connections of 1,000 employees exceed the default cost limit")
    func colleagues() throws {
        let query = """
            { departments { employees(first: 1000) { nodes { departments { department {
              employees(first: 1000) { nodes { name } } } } } } } }
            """
        let cost = try Self.cost(query)
        #expect(cost == 9 * (1 + 1 + 1000 * (1 + 2 * (1 + 1 + 1 + 1000))))
        #expect(cost > OperationLimits().cost)
    }

    @Test(
        "The length of a list is the value of the slicing variable, otherwise its default, otherwise the assumed size")
    func variables() throws {
        let query = "query($n: Int) { employee(id: 1) { departments(first: $n) { department { name } } } }"
        #expect(try Self.cost(query, ["n": 10]) == 1 + 20)
        #expect(try Self.cost(query, ["n": nil]) == 1 + 4)
        #expect(try Self.cost(query) == 1 + 4)
        #expect(try Self.cost(query, ["n": -10]) == 1)
        let withDefault = "query($n: Int! = 7) { employees(first: $n) { nodes { name } } }"
        #expect(try Self.cost(withDefault) == 1 + 7)
        #expect(try Self.cost(withDefault, ["n": 2]) == 1 + 2)
    }

    @Test("The lengths of nested lists are multiplied. Each length can be a literal or a variable")
    func nested() throws {
        let operation = try Self.operation(
            """
            query($outer: Int!, $inner: Int!) {
              departments { employees(first: $outer) { nodes { titles { title } departments { department {
                a: employees(first: $inner) { nodes { name } }
                b: employees(first: 4) { edges { node { departments(first: $outer) { __typename } } } }
              } } } } }
            }
            """)
        func expected(_ outer: Int, _ inner: Int) -> Int {
            let a = 1 + inner
            let b = 1 + 4 * (1 + 1 + outer)
            return 9 * (1 + 1 + outer * (1 + 5 + 2 * (1 + 1 + a + b)))
        }
        for (outer, inner) in [(1, 1), (3, 5), (100, 0), (0, 100), (1_000, 1_000)] {
            #expect(
                try operation.cost(variables: ["outer": Value(outer), "inner": Value(inner)]) == expected(outer, inner))
        }
    }

    @Test("A field that two fragments select counts once")
    func merging() throws {
        let query = """
            { employees(first: 10) { ...A ...B } }
            fragment A on EmployeeConnection { nodes { titles { title } } }
            fragment B on EmployeeConnection { nodes { titles { __typename } name } }
            """
        #expect(try Self.cost(query) == 1 + 10 * (1 + 5))
    }

    @Test("A field that @include excludes costs nothing")
    func conditions() throws {
        let query = "query($all: Boolean!) { employee(id: 1) { salaries @include(if: $all) { salary } name } }"
        #expect(try Self.cost(query, ["all": true]) == 21)
        #expect(try Self.cost(query, ["all": false]) == 1)
    }

    @Test("The weights of a field and its arguments are added for each call of the field")
    func weights() throws {
        #expect(try Self.cost("{ search { name } }") == 5)  // 2.5 and 2 objects, rounded up
        #expect(try Self.cost("{ search(text: \"x\") { name } }") == 9)
        #expect(try Self.cost("{ employees(first: 10) { nodes { photo } } }") == 1 + 10 * 11)
    }

    @Test("The most expensive object type of an interface determines the cost")
    func abstract() throws {
        #expect(try Self.cost("{ search { titles { title } } }") == 15)  // 2.5 + 2 * (1 + 5)
        #expect(try Self.cost("{ search { ... on Employee { photo } ... on Department { name } } }") == 25)
        let query = """
            query($n: Int!) { search {
              ... on Employee { departments(first: $n) { __typename } } ... on Department { titles { title } }
            } }
            """
        #expect(try Self.cost(query, ["n": 2]) == 15)
        #expect(try Self.cost(query, ["n": 50]) == 105)
    }

    @Test("The largest of several slicing arguments determines the length")
    func largest() throws {
        #expect(try Self.cost("{ largest { name } }") == 7)
        #expect(try Self.cost("{ largest(first: 2, last: 3) { name } }") == 3)
        #expect(try Self.cost("query($n: Int) { largest(first: 2, last: $n) { name } }", ["n": 30]) == 30)
    }

    @Test(
        "If exactly one slicing argument is required, an operation without one or with two is rejected",
        arguments: [
            ("{ either { name } }", 0, false), ("{ either(first: 1, last: 1) { name } }", 0, false),
            ("{ either(first: 5) { name } }", 0, true),
            ("query($n: Int) { either(first: $n) { name } }", 5, true),
            ("query($m: Int) { either(first: $m) { name } }", 0, false),
        ] as [(String, Int, Bool)])
    func required(query: String, n: Int, isAllowed: Bool) throws {
        let operation = try Self.operation(query)
        let variables: ObjectValue = n == 0 ? [:] : ["n": .int(Int64(n))]
        guard !isAllowed else {
            #expect(try operation.cost(variables: variables) == 5)
            return
        }
        let errors = #expect(throws: GraphQLErrors.self) { try operation.cost(variables: variables) }
        #expect(errors?.first?.code == "SLICING_ARGUMENT_REQUIRED")
        #expect(
            errors?.first?.message
                == "Field \"either\" needs a value for exactly one of the arguments \"first\", \"last\", which limits the length of its list."
        )
        #expect(errors?.first?.locations.count == 1)
    }

    @Test("The cost saturates instead of overflowing")
    func overflow() throws {
        var query = "{ name: __typename }"
        for _ in 0..<15 {
            query = "{ departments(first: 2147483647) { department { employees(first: $n) { nodes \(query) } } } }"
        }
        #expect(
            try Self.cost("query($n: Int!) { employee(id: 1) \(query) }", ["n": 2_147_483_647])
                == 1_000_000_000_000_000)
    }

    @Test("A cost model that is created in code determines the cost of an operation")
    func inCode() throws {
        var options = ExecutionOptions()
        var model = CostModel(assumedListSize: 3)
        model["Query", "a"] = CostModel.FieldCost(listSize: CostModel.ListSize(assumedSize: 50))
        model.typeWeights["Query"] = 2
        options.costModel = model
        let schema = try Executing.schema("type Query { a: [Query] b: [Query] text: String }", options: options)
        let operation = try PreparedOperation(unvalidated: Parser.parse("{ a { text } b { text } }"), schema: schema)
        #expect(try operation.cost() == 106)
    }
}
