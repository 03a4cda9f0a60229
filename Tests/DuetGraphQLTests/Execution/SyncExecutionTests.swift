import DuetGraphQL
import Testing

@Suite("Execution with synchronous resolvers")
struct SyncExecutionTests {
    static let sdl = """
        type Query { hello(name: String = "world"): String employees: [Employee!] broken: Int! maybe: Box }
        type Employee { number: Int! name: String manager: Employee }
        type Box { inner: Box must: Int! list: [Int!] text: String }
        """

    struct Employee: Sendable {
        var number: Int
        var name: String?
    }

    struct Failure: Error {}

    static func schema() throws -> ExecutableSchema<Void> {
        try Executing.schema(sdl) { resolvers in
            resolvers["Query", "hello"] = .sync { _, context in
                guard case .string(let name)? = context.arguments.values["name"] else { return .null }
                return .string("Hello, \(name)!")
            }
            resolvers["Query", "employees"] = .sync { _, _ in
                .objects([Employee(number: 1, name: "A\"b"), Employee(number: 2, name: nil)])
            }
            resolvers["Employee", "number", on: Employee.self] = .property { (employee: Employee) in
                .int(employee.number)
            }
            resolvers["Employee", "name", on: Employee.self] = .property { (employee: Employee) in
                .string(orNull: employee.name)
            }
            resolvers["Query", "broken"] = .sync { _, _ in throw Failure() }
        }
    }

    @Test("A resolver receives argument values from literals, variables and default values")
    func hello() async throws {
        let schema = try Self.schema()
        #expect(try await Executing.text("{ hello }", on: schema) == #"{"data":{"hello":"Hello, world!"}}"#)
        #expect(
            try await Executing.text("{ a: hello(name: \"you\") b: hello(name: null) __typename }", on: schema)
                == #"{"data":{"a":"Hello, you!","b":null,"__typename":"Query"}}"#)
        #expect(
            try await Executing.text(
                "query($n: String) { hello(name: $n) }", on: schema, variables: ["n": "v"])
                == #"{"data":{"hello":"Hello, v!"}}"#)
    }

    @Test("A list of objects is resolved")
    func list() async throws {
        #expect(
            try await Executing.text("{ employees { number name manager { name } } }", on: Self.schema())
                == #"{"data":{"employees":[{"number":1,"name":"A\"b","manager":null},{"number":2,"name":null,"manager":null}]}}"#
        )
    }

    @Test("An error of a non-null root field makes all data null")
    func broken() async throws {
        #expect(
            try await Executing.text("{ hello broken }", on: Self.schema())
                == #"{"errors":[{"message":"Internal error","locations":[{"line":1,"column":9}],"path":["broken"]}],"data":null}"#
        )
    }
}
