import DuetGraphQL
import DuetResourceService
import Testing

@Suite("The GraphQL schema of a catalog") struct SDLTests {
    private static func schema(_ catalogue: Catalogue) throws -> Schema {
        try Schema(sdl: GraphQLStyle.sdl(of: catalogue))
    }

    /// Returns the members of a type in SDL, such as `books(first: Int! = 100, after: String): BookConnection!`.
    private static func members(_ name: String, _ schema: Schema) throws -> [String] {
        func text(_ value: SchemaInputValue) -> String {
            "\(value.name): \(value.type)" + (value.defaultValue.map { " = \($0)" } ?? "")
        }
        switch try #require(schema.type(named: name), "\(name)") {
        case .object(let type):
            return type.fields.map { field in
                let arguments = field.arguments.map(text).joined(separator: ", ")
                return "\(field.name)\(arguments.isEmpty ? "" : "(\(arguments))"): \(field.type)"
            }
        case .interface(let type): return type.fields.map { "\($0.name): \($0.type)" }
        case .inputObject(let type): return type.fields.map(text)
        case .enum(let type): return type.values.map(\.name)
        case .scalar, .union: return []
        }
    }

    /// The field of `Query` that returns groups of rows.
    private static func groups(_ name: String, _ type: String) -> String {
        """
        \(name)Groups(groupBy: [\(type)AggregateKeyInput!]!, filter: \(type)Filter, having: \(type)AggregateFilter, \
        timeZone: String, orderBy: [\(type)AggregateOrder!], first: Int! = 100, after: String): \
        \(type)AggregateConnection
        """
    }

    static let types: [(type: String, members: [String])] = [
        (
            "Query",
            [
                "author(id: ID!): Author",
                "authors(first: Int! = 100, after: String, filter: AuthorFilter, sort: AuthorSort, orderBy: [AuthorSort!]): AuthorConnection",
                "authorsAggregate(filter: AuthorFilter): AuthorAggregate", groups("authors", "Author"),
                "book(id: ID!): Book",
                "books(first: Int! = 100, after: String, filter: BookFilter, sort: BookSort, orderBy: [BookSort!]): BookConnection",
                "booksAggregate(filter: BookFilter): BookAggregate", groups("books", "Book"),
                "copy(isbn: ID!, copyNumber: Int!): Copy",
                "copies(first: Int! = 100, after: String, filter: CopyFilter, sort: CopySort, orderBy: [CopySort!]): CopyConnection",
                "copiesAggregate(filter: CopyFilter): CopyAggregate", groups("copies", "Copy"),
                "loan(isbn: ID!, copyNumber: Int!, lentOn: Date!): Loan",
                "loans(first: Int! = 100, after: String, filter: LoanFilter, sort: LoanSort, orderBy: [LoanSort!]): LoanConnection",
                "loansAggregate(filter: LoanFilter): LoanAggregate", groups("loans", "Loan"),
                "subject(id: ID!): Subject",
                "subjects(first: Int, filter: SubjectFilter, orderBy: [SubjectSort!]): [Subject!]",
                "subjectsAggregate(filter: SubjectFilter): SubjectAggregate", groups("subjects", "Subject"),
            ]
        ),
        (
            "Author",
            [
                "id: ID!", "authorNumber: Int!", "name: String!", "born: Date", "mentor: Author",
                "students(first: Int, filter: AuthorFilter, orderBy: [AuthorSort!]): [Author!]!",
                "books(first: Int! = 100, after: String, filter: BookFilter, orderBy: [BookSort!]): BookConnection!",
                "editedBooks(first: Int! = 100, after: String, filter: BookFilter, orderBy: [BookSort!]): BookConnection!",
                "studentsAggregate(filter: AuthorFilter): AuthorAggregate!",
                "booksAggregate(filter: BookFilter): BookAggregate!",
                "editedBooksAggregate(filter: BookFilter): BookAggregate!",
            ]
        ),
        (
            "Book",
            [
                "id: ID!", "isbn: ID!", "title: String!", "published: Int", "price: Float", "language: Language!",
                "authorName: String!", "author: Author!", "editor: Author",
                "copies(first: Int, filter: CopyFilter, orderBy: [CopySort!]): [Copy!]!",
                "subjects(first: Int, filter: SubjectFilter, orderBy: [SubjectSort!]): [Subject!]!",
                "copiesAggregate(filter: CopyFilter): CopyAggregate!",
                "subjectsAggregate(filter: SubjectFilter): SubjectAggregate!",
            ]
        ),
        // A type with a composite key has no field `id`.
        (
            "Copy",
            [
                "isbn: ID!", "copyNumber: Int!", "shelf: String",
                "loans(open: Boolean, first: Int, filter: LoanFilter, orderBy: [LoanSort!]): [Loan!]!",
                "book: Book!",
                "loansAggregate(open: Boolean, filter: LoanFilter): LoanAggregate!",
            ]
        ),
        (
            "BookConnection",
            ["edges: [BookEdge!]!", "nodes: [Book!]!", "pageInfo: PageInfo!", "totalCount: Int!"]
        ),
        ("BookEdge", ["cursor: String!", "node: Book!"]),
        (
            "PageInfo",
            ["hasNextPage: Boolean!", "hasPreviousPage: Boolean!", "startCursor: String", "endCursor: String"]
        ),
        (
            "CopyFilter",
            [
                "and: [CopyFilter!]", "or: [CopyFilter!]", "not: CopyFilter", "isbn: IDFilter", "copyNumber: IntFilter",
                "shelf: StringFilter", "loans: LoanListFilter", "book: BookFilter",
            ]
        ),
        (
            "LoanFilter",
            [
                "and: [LoanFilter!]", "or: [LoanFilter!]", "not: LoanFilter", "open: Boolean", "isbn: IDFilter",
                "copyNumber: IntFilter", "lentOn: DateFilter", "reader: StringFilter", "returnedOn: DateFilter",
                "copy: CopyFilter",
            ]
        ),
        (
            "LoanListFilter",
            [
                "some: LoanFilter", "none: LoanFilter", "filter: LoanFilter", "count: IntFilter",
                "isbn: IDAggregateFilter", "copyNumber: IntAggregateFilter", "lentOn: DateAggregateFilter",
                "reader: StringAggregateFilter", "returnedOn: DateAggregateFilter",
            ]
        ),
        (
            "BookSort",
            [
                "field: BookSortField", "copies: CopyAggregateInput", "subjects: SubjectAggregateInput",
                "direction: SortDirection! = ASCENDING",
            ]
        ), ("LoanSort", ["field: LoanSortField!", "direction: SortDirection! = ASCENDING"]),
        ("BookSortField", ["TITLE", "PUBLISHED", "PRICE"]), ("LoanSortField", ["LENT_ON", "READER", "RETURNED_ON"]),
        ("SortDirection", ["ASCENDING", "DESCENDING"]), ("Language", ["EN", "FR"]),
        ("LanguageFilter", ["eq: Language", "ne: Language", "in: [Language!]", "null: Boolean"]),
        (
            "StringFilter",
            [
                "eq: String", "ne: String", "lt: String", "lte: String", "gt: String", "gte: String", "like: String",
                "in: [String!]", "null: Boolean",
            ]
        ),
        (
            "Mutation",
            [
                "createLoan(input: CreateLoanInput!): LoanPayload", "returnLoan(input: ReturnLoanInput!): LoanPayload",
                "deleteLoan(input: DeleteLoanInput!): DeleteLoanPayload",
                "addCopy(input: AddCopyInput!): BookPayload", "classifyBook(input: ClassifyBookInput!): BookPayload",
            ]
        ),
        (
            "CreateLoanInput",
            ["isbn: ID!", "copyNumber: Int!", "lentOn: Date!", "reader: String!", "returnedOn: Date"]
        ),
        ("ReturnLoanInput", ["book: ID!", "copy: ID!", "day: ID!", "returnedOn: Date", "reader: String"]),
        ("LoanPayload", ["loan: Loan", "errors: [UserError!]!"]),
        ("DeleteLoanPayload", ["deletedId: ID", "errors: [UserError!]!"]),
        ("UserError", ["message: String!", "field: [String!]"]),
        ("ConflictError", ["message: String!", "field: [String!]", "key: String"]),
    ]

    @Test("A GraphQL type has the fields, the arguments and the nullability that the catalog defines", arguments: types)
    func type(_ row: (type: String, members: [String])) throws {
        #expect(try Self.members(row.type, Self.schema(Library.writableCatalogue())) == row.members)
    }

    @Test("Each field type has a scalar and a filter type. A schema defines only the scalars that it uses")
    func scalars() throws {
        let schema = try Self.schema(Samples.catalogue())
        #expect(
            try Self.members("Sample", schema) == [
                "id: ID!", "code: String!", "small: Int", "safe: SafeInt", "big: BigInt", "natural: BigInt",
                "ratio: Float", "amount: Decimal", "yes: Boolean", "name: String", "day: Date", "moment: DateTime",
                "local: LocalDateTime", "clock: Time", "bytes: Base64", "tag: UUID", "word: ID", "color: Color",
                "extra: JSON", "loose: Any", "single: Float",
            ])
        for (filter, members) in [
            ("BooleanFilter", ["eq: Boolean", "ne: Boolean", "null: Boolean"]), ("JSONFilter", ["null: Boolean"]),
            ("UUIDFilter", ["eq: UUID", "ne: UUID", "in: [UUID!]", "null: Boolean"]),
        ] {
            #expect(try Self.members(filter, schema) == members)
        }
        let library = try Self.schema(Library.catalogue())
        #expect(library.type(named: "Date") != nil)
        for name in ["BigInt", "DateTime", "UUID", "Mutation", "UserError", "SampleSort"] {
            #expect(library.type(named: name) == nil, "\(name)")
        }
    }

    @Test("All types, fields, arguments and enum values of the schema have a description")
    func descriptions() throws {
        let schema = try Self.schema(Library.writableCatalogue())
        var count = 0
        func expect(_ description: String?, _ name: String) {
            count += 1
            #expect(description?.hasSuffix(".") == true || description?.contains(". ") == true, "\(name)")
        }
        for type in schema.types where !type.definitions.isEmpty {
            expect(type.description, type.name)
            for field in type.fields ?? [] {
                expect(field.description, "\(type.name).\(field.name)")
                for argument in field.arguments {
                    expect(argument.description, "\(type.name).\(field.name)(\(argument.name))")
                }
            }
            switch type {
            case .inputObject(let input):
                for field in input.fields { expect(field.description, "\(type.name).\(field.name)") }
            case .enum(let type): for value in type.values { expect(value.description, "\(type.name).\(value.name)") }
            default: break
            }
        }
        #expect(count > 250)
        let author = try #require(schema.type(named: "Author"))
        #expect(author.description == "A writer of books.")
        #expect(author.fields?.first { $0.name == "mentor" }?.description == "The author who taught this author.")
        #expect(
            schema.rootType(for: .mutation)?.fields.first?.description == "Lends a copy. The copy must not be lent.")
        #expect(schema.description == "A library.")
    }

    @Test(
        "A description with special characters is unchanged in the schema",
        arguments: [
            "A \"quoted\" word.", "A backslash \\.", "Triple \"\"\" quotes.", "Two\nlines.", "Tab\tand\u{1}.",
            "Emoji 👩‍🚀.", "",
        ])
    func quoting(description: String) throws {
        let catalogue = try Catalogue(
            [
                Resource(
                    "things", singular: "thing", type: "Thing", table: "things", description: description,
                    fields: [Field("number", .integer(), column: "n", description: description)], key: ["number"])
            ], description: description)
        let schema = try Self.schema(catalogue)
        let type = try #require(schema.type(named: "Thing"))
        #expect(type.description == description)
        #expect(type.fields?.first { $0.name == "number" }?.description == description)
    }

    @Test("A resource without a key has no cursors and no field for a single row")
    func withoutKey() throws {
        let catalogue = try Catalogue(
            [
                Resource(
                    "events", singular: "event", type: "Event", table: "events", description: "An event.",
                    fields: [Field("text", .text(), column: "text", description: "The text.")], key: [])
            ], description: "Events.")
        let schema = try Self.schema(catalogue)
        #expect(
            try Self.members("Query", schema) == [
                "events(first: Int! = 100, filter: EventFilter): EventConnection",
                "eventsAggregate(filter: EventFilter): EventAggregate", Self.groups("events", "Event"),
            ])
        #expect(
            try Self.members("EventConnection", schema) == [
                "nodes: [Event!]!", "pageInfo: PageInfo!", "totalCount: Int!",
            ])
        #expect(schema.type(named: "EventEdge") == nil)
    }
}
