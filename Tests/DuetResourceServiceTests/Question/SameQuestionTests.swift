import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@Suite("Equal requests in REST and GraphQL") struct SameQuestionTests {
    static let rows: [(rest: String, graphQL: String)] = [
        ("authors/1", "{ author(id: 1) { authorNumber name born } }"),
        ("authors/1?fields=name", #"{ author(id: "1") { name } }"#),
        ("authors/1?fields=name,born,name", "{ author(id: 1) { name born ... { name } } }"),
        ("copies/b1,2?fields=shelf", #"{ copy(copyNumber: 2, isbn: "b1") { shelf } }"#),
        (
            "loans/b1,1,2020-01-01?fields=reader",
            #"{ loan(isbn: "b1", copyNumber: 1, lentOn: "2020-01-01") { reader } }"#
        ),
        ("books/b1?details=author", #"{ book(id: "b1") { isbn title published author { authorNumber name born } } }"#),
        (
            "authors/2?fields=name&details=mentor.mentor&mentor.fields=name&mentor.mentor.fields=born",
            "{ author(id: 2) { name mentor { name mentor { born } } } }"
        ),
        (
            "authors/1?fields=name&details=students&students.fields=name&students.first=2&students.sort=-born",
            """
            { author(id: 1) { name students(first: 2, orderBy: {field: BORN, direction: DESCENDING}) { name } } }
            """
        ),
        (
            "copies/b1,1?fields=shelf&details=loans&loans.fields=reader&loans.open=true",
            #"{ copy(isbn: "b1", copyNumber: 1) { shelf loans(open: true) { reader } } }"#
        ),
        (
            "copies/b1,1?fields=shelf&details=loans&loans.fields=reader&loans.open=false&loans.reader.ne=Eve",
            """
            { copy(isbn: "b1", copyNumber: 1) {
              shelf loans(filter: {and: [{open: false}, {reader: {ne: "Eve"}}]}) { reader }
            } }
            """
        ),
        (
            "authors/1?fields=name&details=books&books.fields=title&books.count=true&books.first=2&books.after=x",
            """
            { author(id: 1) { name books(first: 2, after: "x") {
              nodes { title } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount
            } } }
            """
        ),
        (
            "subjects/1?fields=name&details=books&books.fields=isbn&books.page=true&books.sort=price,-title",
            """
            { subject(id: 1) { name books(orderBy: [{field: PRICE}, {field: TITLE, direction: DESCENDING}]) {
              nodes { isbn } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
            } } }
            """
        ),
        ("subjects?first=3", "{ subjects(first: 3) { subjectNumber name } }"),
        (
            "subjects?first=1&fields=name&subjectNumber.lt=3&name.like=A*",
            #"{ subjects(first: 1, filter: {subjectNumber: {lt: 3}, name: {like: "A*"}}) { name } }"#
        ),
    ]

    @Test("A REST request and a GraphQL operation for the same rows are parsed to equal `Question`s", arguments: rows)
    func row(_ pair: (rest: String, graphQL: String)) async throws {
        let graphQL = try await GraphQLQuestions(Library.catalogue()).question(pair.graphQL)
        try await Library.withService(.sqlite) { service async throws in
            #expect(try service.restQuestion(pair.rest) == graphQL)
        }
    }

    static let pages: [(rest: String, arguments: String)] = [
        ("", ""), ("first=7", "first: 7"), ("first=1000&after=abc", #"first: 1000, after: "abc""#),
        ("sort=-published", "sort: {field: PUBLISHED, direction: DESCENDING}"),
        ("sort=-published", "orderBy: {field: PUBLISHED, direction: DESCENDING}"),
        ("sort=price,-title,price", "orderBy: [{field: PRICE}, {field: TITLE, direction: DESCENDING}, {field: PRICE}]"),
        ("count=true", "totalCount"),
        ("isbn=b1", #"filter: {isbn: {eq: "b1"}}"#), ("isbn.ne=b1", #"filter: {isbn: {ne: "b1"}}"#),
        ("published.lt=2000", "filter: {published: {lt: 2000}}"),
        ("published.lte=2000&published.gt=-3", "filter: {published: {lte: 2000, gt: -3}}"),
        ("published.gte=2000", "filter: {published: {gte: 2000}}"),
        ("published.null=true", "filter: {published: {null: true}}"),
        ("published.null=false", "filter: {published: {null: false}}"),
        ("isbn.in=b1&isbn.in=b3", #"filter: {isbn: {in: ["b1", "b3"]}}"#),
        ("language.in=FR&language.in=EN", "filter: {language: {in: [FR, EN]}}"),
        ("title.like=*a%_*", #"filter: {title: {like: "*a%_*"}}"#),
        ("authorName=Ada", #"filter: {authorName: {eq: "Ada"}}"#),
        (#"filter={"price":{"gt":10}}"#, "filter: {price: {gt: 10.0}}"),
        (#"filter={"isbn":{"in":[]}}"#, "filter: {isbn: {in: []}}"), ("filter={}", "filter: {}"), ("filter={}", ""),
        ("", "filter: null"),
        (#"filter={"or":[]}"#, "filter: {or: []}"),
        (
            #"filter={"or":[{"language":{"eq":"FR"}},{"not":{"price":{"null":true}}}]}"#,
            "filter: {or: [{language: {eq: FR}}, {not: {price: {null: true}}}]}"
        ),
        (
            #"filter={"copies":{"some":{"shelf":{"eq":"A"}},"none":{"loans":{"some":{"open":true}}}}}"#,
            #"filter: {copies: {some: {shelf: {eq: "A"}}, none: {loans: {some: {open: true}}}}}"#
        ),
        (
            #"filter={"author":{"called":"A*","born":{"gte":"1815-12-10"}}}"#,
            #"filter: {author: {called: "A*", born: {gte: "1815-12-10"}}}"#
        ),
    ]

    @Test(
        "The REST parameters of a list and the GraphQL arguments of a connection select the same rows",
        arguments: pages)
    func page(_ pair: (rest: String, arguments: String)) async throws {
        let isCounted = pair.arguments == "totalCount"
        let arguments = pair.arguments.isEmpty || isCounted ? "" : "(\(pair.arguments))"
        let graphQL = try await GraphQLQuestions(Library.catalogue()).question(
            "{ books\(arguments) { nodes { title } \(isCounted ? "totalCount" : "") } }")
        try await Library.withService(.sqlite) { service async throws in
            let rest = try service.restQuestion("books?fields=title&\(pair.rest)")
            guard case .list(.array(let selection)) = rest.form else {
                Issue.record("a list of REST is an array")
                return
            }
            // The number of rows is a header field in REST, and a member of the page in GraphQL.
            #expect(rest.countsRows == isCounted)
            let count: [PageMember] = isCounted ? [.totalCount(name: "totalCount")] : []
            #expect(graphQL == Question(rest.subject, .list(.page([.nodes(name: "nodes", selection)] + count))))
        }
    }

    @Test("A variable and a literal with the same value are parsed to equal `Question`s")
    func variables() async throws {
        let questions = try GraphQLQuestions(Library.catalogue())
        let literal = try await questions.question(
            """
            { loans(first: 2, filter: {open: true, lentOn: {in: ["2020-01-01"]}}, sort: {field: READER}) {
              nodes { reader }
            } }
            """)
        let variable = try await questions.question(
            """
            query Q($first: Int!, $filter: LoanFilter, $sort: LoanSort) {
              loans(first: $first, filter: $filter, sort: $sort) { nodes { reader } }
            }
            """,
            variables: [
                "first": 2, "filter": ["open": true, "lentOn": ["in": ["2020-01-01"]]],
                "sort": ["field": "READER"],
            ])
        #expect(variable == literal)
    }

    @Test("An alias changes only the name of a member")
    func aliases() async throws {
        let questions = try GraphQLQuestions(Library.catalogue())
        let question = try await questions.question(
            "{ mine: author(id: 1) { key: id who: name kind: __typename teacher: mentor { name } } }")
        #expect(
            question
                == Question(
                    .item(resource: "authors", key: [.integer(1)]),
                    .item(
                        Selection([
                            .identifier(name: "key"), .field(name: "who", "name"),
                            .constant(name: "kind", json: "\"Author\""),
                            .item(
                                name: "teacher", relation: "mentor", Selection([.field(name: "name", "name")])),
                        ]))))
    }

    @Test("A list in JSON has the default page size, and a list in another format has all rows")
    func pageSizes() async throws {
        try await Library.withService(.sqlite) { service async throws in
            func first(_ target: String, isJSON: Bool) throws -> Int? {
                switch try service.restQuestion(target, isJSON ? .json : .csv).subject {
                case .list(_, let window), .related(_, _, _, let window): return window.first
                default:
                    Issue.record("not a list")
                    return nil
                }
            }
            for (target, size) in [
                ("books", 100), ("subjects", 100), ("subjects/1/books", 2), ("authors/1/books", 100),
                ("copies/b1,1/loans", nil),
            ] as [(String, Int?)] {
                #expect(try first(target, isJSON: true) == size, "\(target)")
                #expect(try first(target, isJSON: false) == nil, "\(target)")
            }
            #expect(try first("books?first=3", isJSON: false) == 3)
        }
    }
}
