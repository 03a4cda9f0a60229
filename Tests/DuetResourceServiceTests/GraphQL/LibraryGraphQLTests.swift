import DuetGraphQL
import DuetJSON
import DuetResourceService
import NIOCore
import TestSupport
import Testing

@Suite("The library example over GraphQL") struct LibraryGraphQLTests {
    static let answers: [(String, String)] = [
        (
            "{ author(id: 1) { id name born mentor { name } students { name students { name mentor { id } } } } }",
            #"{"author":{"id":"1","name":"Ada","born":"1815-12-10","mentor":null,"students":[{"name":"Ben","students":[{"name":"O'Dee *","mentor":{"id":"2"}}]},{"name":"Cleo","students":[]}]}}"#
        ),
        (
            "{ author(id: 1) { books(first: 2, orderBy: [{field: PRICE, direction: DESCENDING}]) { totalCount nodes { title price authorName } pageInfo { hasNextPage } } } }",
            #"{"author":{"books":{"totalCount":3,"nodes":[{"title":"Crows","price":20.0,"authorName":"Ada"},{"title":"Zebras","price":10.5,"authorName":"Ada"}],"pageInfo":{"hasNextPage":true}}}}"#
        ),
        (
            #"{ copy(isbn: "b1", copyNumber: 1) { loans(open: true) { reader lentOn copy { shelf book { title } } } } none: copy(isbn: "b9", copyNumber: 1) { shelf } }"#,
            #"{"copy":{"loans":[{"reader":"Fay","lentOn":"2021-01-01","copy":{"shelf":"A","book":{"title":"Zebras"}}}]},"none":null}"#
        ),
        (
            "{ subjects { name books { totalCount nodes { isbn copies(first: 1) { copyNumber } } } } }",
            #"{"subjects":[{"name":"Animals","books":{"totalCount":4,"nodes":[{"isbn":"b1","copies":[{"copyNumber":1}]},{"isbn":"b2","copies":[{"copyNumber":1}]}]}},{"name":"Birds","books":{"totalCount":1,"nodes":[{"isbn":"b4","copies":[]}]}},{"name":"Empty","books":{"totalCount":0,"nodes":[]}}]}"#
        ),
        (
            #"{ books(filter: {or: [{language: {eq: FR}}, {copies: {some: {shelf: {null: true}}}}], not: {author: {called: "B*"}}}, sort: {field: PUBLISHED}) { totalCount nodes { isbn } } }"#,
            #"{"books":{"totalCount":1,"nodes":[{"isbn":"b1"}]}}"#
        ),
        (
            #"{ loans(filter: {copy: {book: {author: {name: {eq: "Ada"}}}}, open: true}) { edges { node { reader } } } }"#,
            #"{"loans":{"edges":[{"node":{"reader":"Fay"}},{"node":{"reader":"Eve"}}]}}"#
        ),
    ]

    private static func response(_ query: String, _ service: ResourceService) async throws -> GraphQLResponse {
        let style = try GraphQLStyle(service)
        let document = try Parser.parse(query)
        #expect(Validation.validate(document, against: style.schema.schema).map(\.message) == [])
        return try await PreparedOperation(unvalidated: document, schema: style.schema).execute(userContext: ())
    }

    @Test("A catalog alone is sufficient to execute GraphQL operations", arguments: TestBackend.available)
    func answers(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service in
            for (query, expected) in Self.answers {
                let response = try await Self.response(query, service)
                #expect(String(buffer: response.body) == #"{"data":\#(expected)}"#, "\(query)")
            }
        }
    }

    @Test("An invalid argument below the root is an error with the path of its field")
    func misplaced() async throws {
        try await Library.withService(.sqlite) { service in
            let response = try await Self.response(
                "{ author(id: 1) { students { b: books(first: 0) { totalCount } } } }", service)
            #expect(response.errors.first?.path == [.key("author"), .key("students"), .key("b")])
            #expect(response.errors.first?.message == "first of b must be a whole number from 1 to 1000")
        }
    }
}
