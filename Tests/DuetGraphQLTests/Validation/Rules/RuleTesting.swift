import DuetGraphQL
import Testing

/// A document, and the errors that a rule reports for it.
///
/// An error has the format "message (line:column, line:column)".
struct RuleCase: Sendable, CustomTestStringConvertible {
    let document: String
    let errors: [String]

    init(_ document: String, _ errors: String...) {
        self.document = document
        self.errors = errors
    }

    var testDescription: String { document }
}

/// Validates executable documents with a single rule.
struct RuleTesting {
    let rule: ValidationRule

    init(_ rule: ValidationRule) { self.rule = rule }

    /// Returns the errors in a document, in the format of ``RuleCase``.
    func errors(in document: String, suggestsNames: Bool = true) throws -> [String] {
        let options = ValidationOptions(suggestsNames: suggestsNames)
        return try Validation.validate(
            Parser.parse(document), against: Self.schema.get(), rules: [rule], options: options
        ).map(\.description)
    }

    /// Expects no errors.
    func expectValid(_ document: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        #expect(try errors(in: document) == [], sourceLocation: sourceLocation)
    }

    /// Expects exactly these errors, in this order.
    func expect(_ example: RuleCase, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        #expect(try errors(in: example.document) == example.errors, sourceLocation: sourceLocation)
    }
}

/// Validates type-system documents with a single rule.
struct TypeSystemRuleTesting {
    let rule: ValidationRule
    /// The text of the schema that documents extend; nil for documents that define a schema of their own.
    let extendedSchema: String?

    init(_ rule: ValidationRule, extending extendedSchema: String? = nil) {
        self.rule = rule
        self.extendedSchema = extendedSchema
    }

    /// Returns the errors in a document, in the format of ``RuleCase``.
    func errors(in document: String, suggestsNames: Bool = true) throws -> [String] {
        let schema = try extendedSchema.map { try Schema(document: Parser.parse($0)) }
        return try SDLValidation.validate(
            Parser.parse(document), extending: schema, rules: [rule], suggestsNames: suggestsNames
        ).map(\.description)
    }

    /// Expects no errors.
    func expectValid(_ document: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        #expect(try errors(in: document) == [], sourceLocation: sourceLocation)
    }

    /// Expects exactly these errors, in this order.
    func expect(_ example: RuleCase, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
        #expect(try errors(in: example.document) == example.errors, sourceLocation: sourceLocation)
    }
}

// MARK: - The schema

extension RuleTesting {
    /// The schema for the validation of executable documents.
    static let schema = Result {
        try Schema(
            sdl: sdl,
            scalars: [
                "Date": ScalarCoercion(parseLiteral: parseDate), "Weekday": ScalarCoercion(parseValue: parseWeekday),
            ],
            directives: SchemaDirective.incrementalDelivery)
    }

    /// The schema of a company with employees, contractors, departments and agencies.
    private static let sdl = """
        directive @label(text: String!, color: Color = BLUE, size: Int @deprecated(reason: "Use color.")) repeatable on
          | QUERY | MUTATION | SUBSCRIPTION | FIELD | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT
          | VARIABLE_DEFINITION
        directive @audited(reason: String, by: PersonKey) on
          | QUERY | FIELD | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT | VARIABLE_DEFINITION

        type Query {
          employee(id: ID!, includeFormer: Boolean! = false): Employee
          employees(filter: EmployeeFilter, order: Order = NAME, first: Int! = 10): [Employee!]!
          person(key: PersonKey!): Person
          department(name: String, code: Int @deprecated(reason: "Use name.")): Department
          search(text: String!, kinds: [Kind!]): [SearchResult]
          group(name: String!): Group
          count(
            int: Int, float: Float, string: String, boolean: Boolean, id: ID, kind: Kind, list: [Int!], matrix: [[Int]],
            date: Date, weekday: Weekday, any: Anything
          ): Int
        }

        type Mutation {
          hire(employee: NewEmployee!): Employee
          move(ids: [ID!]!, department: String!): [Employee!]!
          batch: Mutation
        }

        type Subscription implements Feed {
          hired(department: String): Employee
          moved: [Employee!]
        }

        interface Feed { moved: [Employee!] }

        interface Person { name: String! email: String manager: Employee }

        type Employee implements Person {
          id: ID!
          name: String!
          email: String
          manager: Employee
          reports(first: Int = 10): [Employee!]!
          department: Department
          salary(currency: Currency = EUR): Float
          room: String
          skills: [String!]
          nickname: String @deprecated(reason: "Use name.")
        }

        type Contractor implements Person {
          name: String!
          email: String
          manager: Employee
          agency: Agency
          salary(currency: Currency): Float
          room: Int
          skills: String
        }

        interface Group { name: String! head: Employee }

        type Department implements Group { name: String! head: Employee employees: [Employee!]! budget: Float }

        type Agency implements Group { name: String! head: Employee contractors: [Contractor] room: String! }

        union SearchResult = Employee | Contractor | Department

        enum Order { NAME SALARY HIRED @deprecated(reason: "Use SALARY.") }

        enum Currency { EUR USD CHF }

        enum Kind { PERSON DEPARTMENT }

        enum Color { RED GREEN BLUE }

        input EmployeeFilter {
          name: String
          department: String
          minimumSalary: Float = 0
          currency: Currency! = EUR
          anyOf: [EmployeeFilter!]
          code: Int @deprecated
        }

        input NewEmployee {
          name: String!
          department: String!
          salary: Float! = 1000
          skills: [String!]
          manager: PersonKey
        }

        input PersonKey @oneOf { id: ID email: String inGroup: NewGroup }

        input NewGroup { name: String! }

        scalar Date

        scalar Weekday

        scalar Anything
        """

    /// Returns the date, or throws a `GraphQLError` whose message is the validation error.
    @Sendable private static func parseDate(_ literal: Literal, _ variables: ObjectValue) throws -> Value {
        guard case .string(let text, _) = literal.kind, text.utf8.count == 10 else {
            throw GraphQLError("A date has the format YYYY-MM-DD.")
        }
        return .string(text)
    }

    /// Returns the weekday, or throws an error that is not a `GraphQLError`.
    @Sendable private static func parseWeekday(_ value: Value) throws -> Value {
        guard case .string = value else { throw WeekdayError.notText }
        return value
    }

    private enum WeekdayError: Error { case notText }
}
