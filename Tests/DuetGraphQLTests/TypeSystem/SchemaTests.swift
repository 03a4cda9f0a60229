import DuetGraphQL
import Testing

@Suite("Schemas")
struct SchemaTests {
    static let sdl = """
        "What there is"
        schema {
          query: Root
        }

        directive @cost(of: Int! = 1, why: [Reason!] = [FAST]) repeatable on FIELD_DEFINITION | OBJECT

        \"\"\"
        Where
        queries start
        \"\"\"
        type Root {
          employee(id: ID = 7): Employee

          \"\"\"All of them.\"\"\"
          people(
            first: Int = 10

            \"\"\"Which ones\"\"\"
            filter: Filter = {name: "x", range: [1], exact: true}
          ): [Person!]!
          old(a: Int @deprecated): Float @deprecated(reason: "Use \\"new\\"")
        }

        interface Person {
          name: String
        }

        type Employee implements Person @cost {
          name: String!
          hired: Date
        }

        union Found = Employee | Root

        enum Reason {
          FAST
          SLOW @deprecated
        }

        input Filter {
          name: String = "y"
          range: [Int!]
          exact: Boolean! = true
        }

        input Choice @oneOf {
          a: Int
          b: String
        }

        scalar Date @specifiedBy(url: "https://example.org/date")
        """

    @Test("The printed SDL is equal to the parsed SDL, but omits the uses of custom directives")
    func printed() throws {
        let schema = try Schema(sdl: Self.sdl)
        let expected = Self.sdl
            .replacing("type Employee implements Person @cost {", with: "type Employee implements Person {")
            .replacing("\"What there is\"", with: "\"\"\"What there is\"\"\"")
        #expect(schema.print() == expected)
        #expect(try Schema(sdl: schema.print()).print() == schema.print())
    }

    @Test("Types, fields and directives are found by name. Types are also found by type reference")
    func lookups() throws {
        let schema = try Schema(sdl: Self.sdl)
        let root = try #require(schema.rootType(for: .query))
        #expect(root.name == "Root")
        #expect(schema.rootType(for: .mutation) == nil)
        let field = try #require(root.fields["people"])
        #expect("\(field.type)" == "[Person!]!")
        #expect(schema[field.type]?.name == "Person")
        #expect(schema[TypeName("Employee")]?.kind == .object)
        #expect(schema.type(named: "Nobody") == nil)
        #expect(field.arguments["first"]?.defaultValue == 10)
        #expect(field.arguments["filter"]?.defaultValue == ["name": "x", "range": [1], "exact": true])
        #expect(root.fields["employee"]?.arguments["id"]?.defaultValue == "7")
        #expect(schema.directive(named: "cost")?.arguments["why"]?.defaultValue == [.enum("FAST")])
        #expect(schema.directive(named: "deprecated")?.arguments["reason"]?.defaultValue == "No longer supported")
        #expect(schema.field(named: "__typename", on: .object(root))?.name == "__typename")
        #expect(schema.field(named: "__schema", on: .object(root)).flatMap { schema[$0.type]?.name } == "__Schema")
    }

    @Test("Unused built-in scalars are not part of a schema")
    func unusedScalars() throws {
        let schema = try Schema(sdl: "type Query { a: Int }")
        let names = schema.types.map(\.name).filter { !$0.hasPrefix("__") }
        #expect(names == ["Query", "Int", "String", "Boolean"])
    }

    @Test("A schema returns the possible types, the subtype relation and the overlap of abstract types")
    func subtypes() throws {
        let schema = try Schema(sdl: Self.sdl)
        let person = try #require(schema.type(named: "Person"))
        let found = try #require(schema.type(named: "Found"))
        let employee = try #require(schema.type(named: "Employee"))
        let root = try #require(schema.type(named: "Root"))
        #expect(schema.possibleTypes(of: person).map(\.name) == ["Employee"])
        #expect(schema.possibleTypes(of: found).map(\.name) == ["Employee", "Root"])
        #expect(schema.isSubtype(employee, of: person) && !schema.isSubtype(root, of: person))
        #expect(schema.overlap(person, found) && !schema.overlap(person, root) && schema.overlap(root, found))
        #expect(schema.isSubtype("[Employee!]!", of: "[Person]"))
        #expect(!schema.isSubtype("[Person]", of: "[Employee]"))
        #expect(!schema.isSubtype("[Employee]", of: "[Employee]!"))
    }

    @Test("A schema that is created in code has the printed SDL of an equal schema that is parsed")
    func fromCode() throws {
        let schema = try Schema(
            types: [
                .object(
                    ObjectType(
                        "Query",
                        fields: [
                            SchemaField(
                                "employees", "[Employee!]!",
                                arguments: [
                                    SchemaInputValue("first", "Int", default: 10, description: "How many"),
                                    SchemaInputValue("order", "Order!", default: .enum("NAME")),
                                ], description: "All of them")
                        ])),
                .object(ObjectType("Employee", implements: ["Node"], fields: [SchemaField("id", "ID!")])),
                .interface(InterfaceType("Node", fields: [SchemaField("id", "ID!")])),
                .enum(
                    EnumType(
                        "Order", values: [SchemaEnumValue("NAME"), SchemaEnumValue("AGE", deprecationReason: "Rude")])),
            ], directives: [SchemaDirective("cached", on: [.field, .query])])
        let sdl = """
            directive @cached on FIELD | QUERY

            type Query {
              \"\"\"All of them\"\"\"
              employees(
                \"\"\"How many\"\"\"
                first: Int = 10
                order: Order! = NAME
              ): [Employee!]!
            }

            type Employee implements Node {
              id: ID!
            }

            interface Node {
              id: ID!
            }

            enum Order {
              NAME
              AGE @deprecated(reason: "Rude")
            }
            """
        #expect(schema.print() == sdl)
        #expect(try Schema(sdl: sdl).print() == sdl)
    }

    @Test("All errors of a schema that is created in code are reported")
    func wrongCode() {
        let error = #expect(throws: GraphQLErrors.self) {
            try Schema(
                types: [
                    .object(ObjectType("Query", fields: [SchemaField("a-b", "Nothing"), SchemaField("c", "[Strin")])),
                    .enum(EnumType("E", values: [SchemaEnumValue("true")])), .enum(EnumType("E", values: [])),
                ])
        }
        #expect(
            error?.map(\.message) == [
                "Schema must contain uniquely named types but contains multiple types named \"E\".",
                "Unknown type \"Nothing\". Did you mean \"String\"?",
                "Unknown type \"[Strin\". Did you mean \"String\"?",
                "Names must only contain [_a-zA-Z0-9] but \"a-b\" does not.", "Enum values cannot be named: true",
            ])
    }

    @Test("Extending a schema returns a new schema and leaves the original unchanged")
    func extending() throws {
        let schema = try Schema(sdl: "type Query { a: Int } enum E { A } union U = Query input I { a: Int } scalar S")
        let extended = try schema.extended(
            with: """
                extend schema { mutation: M }
                type M { b(i: I = {}): E @new }
                extend type Query implements N { n: U }
                interface N { n: U }
                extend enum E { B }
                extend union U = M
                extend input I { b: E = B }
                extend scalar S @specifiedBy(url: "u")
                directive @new on FIELD_DEFINITION
                """)
        #expect(
            extended.print() == """
                schema {
                  query: Query
                  mutation: M
                }

                directive @new on FIELD_DEFINITION

                type Query implements N {
                  a: Int
                  n: U
                }

                enum E {
                  A
                  B
                }

                union U = Query | M

                input I {
                  a: Int
                  b: E = B
                }

                scalar S @specifiedBy(url: "u")

                type M {
                  b(i: I = {b: B}): E
                }

                interface N {
                  n: U
                }
                """)
        #expect(schema.type(named: "M") == nil)
        #expect(throws: GraphQLErrors.self) { try schema.extended(with: "extend type Query { a: Int }") }
        #expect(throws: GraphQLErrors.self) { try schema.extended(with: "extend type Nobody { a: Int }") }
    }

    @Test(
        "A schema coordinate finds its element of the schema",
        arguments: [
            ("Root", "Root"), ("Root.people", "people"), ("Root.people(first:)", "first"), ("Filter.name", "name"),
            ("Reason.SLOW", "SLOW"), ("@cost", "cost"), ("@cost(why:)", "why"), ("Nobody", nil), ("Root.nothing", nil),
            ("Root.people(nothing:)", nil), ("@nothing", nil), ("@deprecated(reason:)", "reason"),
        ] as [(String, String?)])
    func coordinates(_ text: String, _ name: String?) throws {
        let found: String? =
            switch try Schema(sdl: Self.sdl).element(at: SchemaCoordinate(parsing: text)) {
            case .type(let type): type.name
            case .field(let field): field.name
            case .inputField(let value), .argument(let value): value.name
            case .enumValue(let value): value.name
            case .directive(let directive): directive.name
            case nil: nil
            }
        #expect(found == name)
    }

    @Test(
        "A schema coordinate is an error if its parent element is missing or cannot have members",
        arguments: ["Nobody.a", "Found.a", "Root.a(b:)", "@a(b:)"])
    func wrongCoordinates(_ text: String) throws {
        let schema = try Schema(sdl: Self.sdl)
        #expect(throws: GraphQLError.self) { try schema.element(at: SchemaCoordinate(parsing: text)) }
    }
}
