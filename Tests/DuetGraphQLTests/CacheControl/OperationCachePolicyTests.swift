import DuetGraphQL
import Testing

@Suite("The cache policy of an operation")
struct OperationCachePolicyTests {
    static let sdl = """
        type Query {
          harbour: Harbour
          ship: Ship
          logged: Ship @cacheControl(maxAge: 15)
          hidden: Ship @cacheControl(scope: PRIVATE)
          shared: Diary @cacheControl(scope: PUBLIC)
          diary: Diary
          berth: Berth
          rootBerth: Berth @cacheControl(inheritMaxAge: true)
          fleet: [[Ship!]!]!
          time: Int
          tide: Int @cacheControl(maxAge: 30)
          vessel: Vessel
          cargo: Cargo
          either: Either
        }
        type Harbour @cacheControl(maxAge: 600) {
          name: String
          depth: Int @cacheControl(maxAge: 45)
          owner: String @cacheControl(scope: PRIVATE)
          pilots: [Pilot]
          keptPilots: [Pilot] @cacheControl(inheritMaxAge: true)
          hiddenPilots: [Pilot] @cacheControl(inheritMaxAge: true, scope: PRIVATE)
          ignoredAge: [Pilot] @cacheControl(inheritMaxAge: true, maxAge: 1)
          berths: [Berth!]!
          timedBerths: [Berth!]! @cacheControl(maxAge: 70)
          ships: [Ship] @cacheControl(inheritMaxAge: true)
          root: Query
        }
        type Ship @cacheControl(maxAge: 120) { name: String harbour: Harbour }
        type Diary @cacheControl(maxAge: 90, scope: PRIVATE) { text: String }
        type Pilot { name: String }
        type Berth @cacheControl(inheritMaxAge: true) { length: Int ship: Ship }
        interface Vessel { name: String crew: Crew home: Vessel }
        interface Crew { size: Int }
        type Ferry implements Vessel {
          name: String @cacheControl(maxAge: 50)
          crew: Sailors
          home: Vessel @cacheControl(maxAge: 80)
          line: String @cacheControl(maxAge: 25)
        }
        type Yacht implements Vessel {
          name: String
          crew: Family
          home: Vessel @cacheControl(maxAge: 85, scope: PRIVATE)
          club: String @cacheControl(maxAge: 35)
        }
        type Sailors implements Crew @cacheControl(maxAge: 65) { size: Int @cacheControl(maxAge: 64) }
        type Family implements Crew @cacheControl(maxAge: 75) { size: Int }
        type Pirates implements Crew @cacheControl(maxAge: 1) { size: Int @cacheControl(maxAge: 1) }
        interface Cargo @cacheControl(maxAge: 200) { weight: Int @cacheControl(maxAge: 2) }
        type Grain implements Cargo @cacheControl(maxAge: 10) { weight: Int }
        union Either @cacheControl(maxAge: 150) = Ferry | Grain
        type Mutation { sail: Ship }
        extend interface Vessel @cacheControl(maxAge: 100)
        extend type Pilot { licence: String @cacheControl(maxAge: 55) }

        """ + CacheControl.directiveDefinitions

    static func policy(
        _ query: String, _ variables: ObjectValue = [:], options: ExecutionOptions = ExecutionOptions(),
        sdl: String = sdl
    ) throws -> CachePolicy? {
        let schema = try Executing.schema(sdl, options: options)
        let document = try Parser.parse(query)
        #expect(Validation.validate(document, against: schema.schema).map(\.message) == [])
        return try PreparedOperation(unvalidated: document, schema: schema).planned.plan(variables: variables)
            .cachePolicy
    }

    static func age(_ query: String, _ variables: ObjectValue = [:], defaultMaxAge: Int = 0) throws -> Int? {
        var options = ExecutionOptions()
        options.defaultMaxAge = defaultMaxAge
        return try policy(query, variables, options: options)?.maxAge
    }

    // MARK: Age

    @Test(
        "A field has the maximum age of its type, or of the item type of its list",
        arguments: [
            ("{ ship { name } }", 120), ("{ harbour { name } }", 600), ("{ fleet { name } }", 120),
            ("{ vessel { __typename } }", 100), ("{ cargo { __typename } }", 200), ("{ either { __typename } }", 150),
        ])
    func typeAge(query: String, age: Int) throws {
        #expect(try Self.age(query) == age)
    }

    @Test("The maximum age of a field overrides that of its type")
    func fieldAge() throws {
        #expect(try Self.age("{ logged { name } }") == 15)
        #expect(try Self.age("{ harbour { timedBerths { length } } }") == 70)
    }

    @Test("The lowest maximum age of all fields applies, at any depth")
    func leastAge() throws {
        #expect(try Self.age("{ harbour { name } ship { name } }") == 120)
        #expect(try Self.age("{ harbour { name depth } ship { name } }") == 45)
        #expect(try Self.age("{ ship { harbour { name } } }") == 120)
        #expect(try Self.age("{ tide ship { name } }") == 30)
    }

    @Test("A root field without a maximum age has the default maximum age")
    func rootDefault() throws {
        #expect(try Self.age("{ time }") == 0)
        #expect(try Self.age("{ ship { name } time }") == 0)
        #expect(try Self.age("{ time }", defaultMaxAge: 20) == 20)
        #expect(try Self.age("{ tide time }", defaultMaxAge: 60) == 30)
        #expect(try Self.age("{ tide }") == 30)
    }

    @Test("A field that returns objects without a maximum age has the default maximum age")
    func compositeDefault() throws {
        #expect(try Self.age("{ harbour { pilots { name } } }") == 0)
        #expect(try Self.age("{ harbour { pilots { name } } }", defaultMaxAge: 33) == 33)
        #expect(try Self.age("{ harbour { pilots { name } } }", defaultMaxAge: 900) == 600)
        #expect(try Self.age("{ harbour { root { time } } }", defaultMaxAge: 33) == 33)
    }

    @Test("Below the root, a scalar field without a hint has no effect on the cache policy")
    func scalar() throws {
        #expect(try Self.age("{ harbour { name } }") == 600)
        #expect(try Self.age("{ harbour { name } }", defaultMaxAge: 5) == 600)
    }

    @Test("A negative default maximum age is treated as 0")
    func negativeDefault() throws {
        #expect(try Self.age("{ time }", defaultMaxAge: -7) == 0)
    }

    // MARK: Inheriting

    @Test("A field that inherits its maximum age ignores the default maximum age")
    func fieldInherits() throws {
        #expect(try Self.age("{ harbour { keptPilots { name } } }") == 600)
        #expect(try Self.age("{ harbour { keptPilots { name licence } } }") == 55)
    }

    @Test("A field of a type that inherits its maximum age ignores the default maximum age")
    func typeInherits() throws {
        #expect(try Self.age("{ harbour { berths { length } } }") == 600)
        #expect(try Self.age("{ harbour { berths { ship { name } } } }") == 120)
    }

    @Test("A root field cannot inherit a maximum age, and has the default maximum age")
    func rootInherits() throws {
        #expect(try Self.age("{ berth { length } }") == 0)
        #expect(try Self.age("{ rootBerth { length } }") == 0)
        #expect(try Self.age("{ rootBerth { length } }", defaultMaxAge: 12) == 12)
    }

    @Test("The maximum age of a type takes precedence over an inherited maximum age")
    func inheritingFieldOfTimedType() throws {
        #expect(try Self.age("{ harbour { ships { name } } }") == 120)
    }

    @Test("In a hint with inheritMaxAge, maxAge is ignored and scope applies")
    func besideInheritance() throws {
        #expect(try Self.age("{ harbour { ignoredAge { name } } }") == 600)
        #expect(
            try Self.policy("{ harbour { hiddenPilots { name } } }") == CachePolicy(maxAge: 600, scope: .private))
    }

    // MARK: Scope

    @Test("An operation without scope hints is public")
    func publicByDefault() throws {
        #expect(try Self.policy("{ ship { name } }") == CachePolicy(maxAge: 120, scope: .public))
        #expect(try Self.policy("{ time }") == CachePolicy(maxAge: 0, scope: .public))
    }

    @Test("One private field or type makes the operation private")
    func privateField() throws {
        #expect(try Self.policy("{ hidden { name } }") == CachePolicy(maxAge: 120, scope: .private))
        #expect(try Self.policy("{ harbour { owner } ship { name } }") == CachePolicy(maxAge: 120, scope: .private))
        #expect(try Self.policy("{ diary { text } }") == CachePolicy(maxAge: 90, scope: .private))
    }

    @Test("The scope of a field overrides that of its type, and the maximum age of the type remains")
    func fieldScope() throws {
        #expect(try Self.policy("{ shared { text } }") == CachePolicy(maxAge: 90, scope: .public))
    }

    // MARK: Abstract types

    @Test("An interface field is as strict as the strictest field of the object types")
    func interfaceField() throws {
        #expect(try Self.policy("{ vessel { name } }") == CachePolicy(maxAge: 50))
        #expect(try Self.policy("{ vessel { home { __typename } } }") == CachePolicy(maxAge: 80, scope: .private))
    }

    @Test(
        "Hints of interface fields are ignored. The hint of an object type does not apply to its interface"
    )
    func interfaceHints() throws {
        #expect(try Self.age("{ cargo { weight } }") == 200)
    }

    @Test("For an interface field, only the return types of the fields in the object types count")
    func covariance() throws {
        #expect(try Self.age("{ vessel { crew { size } } }") == 64)
    }

    @Test("The fields of a fragment count only for the object types to which the fragment applies")
    func fragments() throws {
        #expect(try Self.age("{ vessel { ... on Ferry { line } } }") == 25)
        #expect(try Self.age("{ vessel { ... on Yacht { club } } }") == 35)
        #expect(try Self.age("{ vessel { ... on Yacht { name } } }") == 100)
        #expect(try Self.age("{ either { ... on Vessel { name } } }") == 50)
        #expect(
            try Self.age("{ either { ... on Vessel { ... on Ferry { line } } ...G } } fragment G on Grain { weight }")
                == 25)
        #expect(try Self.age("{ vessel { ... on Ferry { ... on Vessel { home { ... { name } } } } } }") == 50)
        #expect(try Self.policy("{ vessel { ... on Ferry { home { __typename } } } }") == CachePolicy(maxAge: 80))
    }

    @Test("A field in a fragment counts as a root field only if the fragment is spread at the root")
    func rootFragments() throws {
        #expect(try Self.age("{ ...F } fragment F on Query { time }", defaultMaxAge: 9) == 9)
        let query = "{ harbour { root { ...F } } ...F } fragment F on Query { time }"
        #expect(try Self.age(query, defaultMaxAge: 700) == 600)
        #expect(try Self.age("{ ... { ... on Query { ship { ...G } } } } fragment G on Ship { name }") == 120)
    }

    // MARK: The plan

    @Test("Fields that the plan excludes have no effect on the cache policy")
    func conditions() throws {
        let query = "query ($deep: Boolean!) { harbour { name depth @include(if: $deep) } time @skip(if: true) }"
        #expect(try Self.age(query, ["deep": .bool(true)]) == 45)
        #expect(try Self.age(query, ["deep": .bool(false)]) == 600)
        let fragments = "query ($deep: Boolean!) { harbour { name ... @skip(if: $deep) { depth } } }"
        #expect(try Self.age(fragments, ["deep": .bool(false)]) == 45)
        #expect(try Self.age(fragments, ["deep": .bool(true)]) == 600)
    }

    @Test("__typename has no effect, and an operation with only __typename is not cacheable")
    func typeName() throws {
        #expect(try Self.age("{ __typename ship { __typename name } }") == 120)
        #expect(try Self.age("{ __typename }") == 0)
        #expect(try Self.age("{ __typename }", defaultMaxAge: 10) == 0)
    }

    @Test("Introspection fields have the default maximum age, like objects without a hint")
    func introspection() throws {
        #expect(try Self.age("{ __schema { description } }") == 0)
        #expect(try Self.age("{ __type(name: \"Ship\") { name } ship { name } }", defaultMaxAge: 77) == 77)
        #expect(try Self.age("{ __schema { types { name } } ship { name } }", defaultMaxAge: 777) == 120)
    }

    @Test("In a schema without hints, all fields have the default maximum age")
    func noHints() throws {
        let sdl = "type Query { a: Int b: Query }"
        var options = ExecutionOptions()
        #expect(try Self.policy("{ a b { a } }", options: options, sdl: sdl) == CachePolicy(maxAge: 0))
        options.defaultMaxAge = 44
        #expect(try Self.policy("{ a b { a } }", options: options, sdl: sdl) == CachePolicy(maxAge: 44))
        #expect(
            try Self.policy("{ ...F } fragment F on Query { __typename }", options: options, sdl: sdl)
                == CachePolicy(maxAge: 0))
    }

    @Test("A mutation has no cache policy")
    func mutation() throws {
        #expect(try Self.policy("mutation { sail { name } }") == nil)
    }

    @Test("Each fragment is visited once, even if nested fragments spread it many times")
    func manyFragments() throws {
        var query = "{ vessel { ...F0 } }"
        for index in 0..<18 {
            query += " fragment F\(index) on Vessel { ...F\(index + 1) ...F\(index + 1) home { ...F\(index + 1) } }"
        }
        query += " fragment F18 on Vessel { name }"
        #expect(try Self.policy(query) == CachePolicy(maxAge: 50, scope: .private))
    }

    @Test("An operation above the size limit of a plan is not cacheable")
    func tooMuch() throws {
        var options = ExecutionOptions()
        options.planLimits.selections = 10
        let selections = (0..<12).map { "n\($0): name" }.joined(separator: " ")
        #expect(try Self.policy("{ vessel { \(selections) } }", options: options) == CachePolicy(maxAge: 0))
    }
}
