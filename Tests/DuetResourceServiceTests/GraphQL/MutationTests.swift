import DuetGraphQL
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

@Suite("Mutations") struct MutationTests {
    private static func execute(
        _ service: ResourceService, _ document: String, _ variables: ObjectValue = [:]
    ) async throws -> GraphQLStyle.Execution<GraphQLResponse> {
        let style = try GraphQLStyle(service)
        return try await style.execute(
            style.schema.prepare(document), variables: variables, namesEntities: true, deadline: .never)
    }

    private static let errors =
        "errors { __typename message field ... on ConflictError { key } }"

    @Test(
        "A payload contains the row after the change, with the order and the aliases of the selection",
        arguments: TestBackend.available)
    func payload(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let created = try await Self.execute(
                service,
                """
                mutation { new: createLoan(input: {
                  isbn: "b3", copyNumber: 1, lentOn: "2023-03-01", reader: "Hal"
                }) { __typename errors { message } row: loan { reader copy { book { title } } } loan { lentOn } } }
                """)
            #expect(
                String(buffer: created.response.body)
                    == #"{"data":{"new":{"__typename":"LoanPayload","errors":[],"row":{"reader":"Hal","#
                    + #""copy":{"book":{"title":"Lynxes"}}},"loan":{"lentOn":"2023-03-01"}}}}"#)
            #expect(created.tags.names == ["Copy", "Copy:b3/1"])
            let changed = try await Self.execute(
                service, "mutation Q($input: ReturnLoanInput!) { returnLoan(input: $input) { loan { returnedOn } } }",
                ["input": ["book": "b3", "copy": 1, "day": "2023-03-01", "returnedOn": "2023-03-02"]])
            #expect(
                String(buffer: changed.response.body)
                    == #"{"data":{"returnLoan":{"loan":{"returnedOn":"2023-03-02"}}}}"#)
            let removed = try await Self.execute(
                service,
                #"mutation { deleteLoan(input: {book: "b3", copy: "1", day: "2023-03-01"}) { deletedId errors { message } } }"#
            )
            #expect(
                String(buffer: removed.response.body)
                    == #"{"data":{"deleteLoan":{"deletedId":"b3/1/2023-03-01","errors":[]}}}"#)
            #expect(try await service.rows(Library.loansSQL).count == 4)
        }
    }

    static let refused: [(field: String, errors: String)] = [
        (
            #"createLoan(input: {isbn: "b2", copyNumber: 1, lentOn: "2023-03-01", reader: ""})"#,
            #"{"__typename":"InvalidInputError","message":"reader must not be blank","field":["input","reader"]}"#
        ),
        (
            #"createLoan(input: {isbn: "", copyNumber: 0, lentOn: "2023-03-02", reader: "A", returnedOn: "2023-03-01"})"#,
            #"{"__typename":"InvalidInputError","message":"isbn must have 1 to 13 characters, not 0","field":["input","isbn"]},"#
                + #"{"__typename":"InvalidInputError","message":"copyNumber must be a whole number from 1 to 999","field":["input","copyNumber"]},"#
                + #"{"__typename":"InvalidInputError","message":"returnedOn must not be earlier than lentOn","field":["input","returnedOn"]}"#
        ),
        (
            #"createLoan(input: {isbn: "b2", copyNumber: 1, lentOn: "2023-03-01", reader: "Hal"})"#,
            #"{"__typename":"ConflictError","message":"the copy is lent; record its return first","field":null,"key":null}"#
        ),
        (
            #"createLoan(input: {isbn: "b1", copyNumber: 2, lentOn: "2020-01-01", reader: "Hal"})"#,
            #"{"__typename":"ConflictError","message":"the copy was already lent on this day","field":null,"key":"isbn, copyNumber and lentOn"}"#
        ),
        (
            #"createLoan(input: {isbn: "b9", copyNumber: 1, lentOn: "2023-03-01", reader: "Hal"})"#,
            #"{"__typename":"NotFoundError","message":"there is no copy b9, 1","field":null}"#
        ),
        (
            #"returnLoan(input: {book: "b1", copy: 1, day: "2000-01-01", reader: "Hal"})"#,
            #"{"__typename":"NotFoundError","message":"there is no loan b1, 1, 2000-01-01","field":["input","book"]}"#
        ),
        (
            #"returnLoan(input: {book: "b1", copy: "one", day: "2021-01-01", reader: "Hal"})"#,
            #"{"__typename":"InvalidInputError","message":"copyNumber must be a whole number from 1 to 999","field":["input","copy"]}"#
        ),
        (
            #"returnLoan(input: {book: "b1", copy: 1, day: "2021-01-01", returnedOn: null})"#,
            #"{"__typename":"InvalidInputError","message":"returnedOn must be a date in the year 1000 or later, such as \"1995-12-01\"","field":["input","returnedOn"]}"#
        ),
        (
            #"deleteLoan(input: {book: "b9", copy: 1, day: "2021-01-01"})"#,
            #"{"__typename":"NotFoundError","message":"there is no loan b9, 1, 2021-01-01","field":["input","book"]}"#
        ),
        (
            #"classifyBook(input: {book: "b9", subject: 1})"#,
            #"{"__typename":"NotFoundError","message":"there is no book b9","field":["input","book"]}"#
        ),
    ]

    @Test("A rejected write returns an error and no row in the payload", arguments: TestBackend.available)
    func refusals(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            try await Library.expectUnchanged(service) {
                for (field, errors) in Self.refused {
                    let row =
                        field.hasPrefix("deleteLoan")
                        ? "row: deletedId" : field.hasPrefix("classify") ? "row: book { isbn }" : "row: loan { reader }"
                    let execution = try await Self.execute(
                        service, "mutation { w: \(field) { \(row) \(Self.errors) } }")
                    #expect(execution.response.errors.isEmpty)
                    #expect(
                        String(buffer: execution.response.body)
                            == #"{"data":{"w":{"row":null,"errors":[\#(errors)]}}}"#,
                        "\(field)")
                    #expect(execution.tags.names.isEmpty)
                }
            }
        }
    }

    @Test(
        "Mutations run in the order of the operation. A rejected mutation does not affect the others",
        arguments: TestBackend.available)
    func series(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let loan = #"createLoan(input: {isbn: "b2", copyNumber: 1, lentOn: "2023-03-01", reader: "Hal"})"#
            let execution = try await Self.execute(
                service,
                """
                mutation {
                  a: \(loan) { loan { reader } errors { message } }
                  b: returnLoan(input: {book: "b2", copy: 1, day: "2022-05-05", returnedOn: "2022-06-01"}) { loan { reader } }
                  c: \(loan) { loan { reader } errors { message } }
                }
                """)
            #expect(
                String(buffer: execution.response.body)
                    == #"{"data":{"a":{"loan":null,"errors":[{"message":"the copy is lent; record its return first"}]},"#
                    + #""b":{"loan":{"reader":"Eve"}},"c":{"loan":{"reader":"Hal"},"errors":[]}}}"#)
            #expect(execution.tags.names == ["Copy", "Copy:b2/1"])
        }
    }

    @Test(
        "In the input of a new row, null for an optional member is equivalent to an absent member",
        arguments: TestBackend.available)
    func null(_ backend: TestBackend) async throws {
        try await Library.withWritableService(backend) { service async throws in
            let execution = try await Self.execute(
                service,
                """
                mutation { createLoan(input: {
                  isbn: "b3", copyNumber: 1, lentOn: "2023-03-01", reader: "Hal", returnedOn: null
                }) { loan { returnedOn } \(Self.errors) } }
                """)
            #expect(
                String(buffer: execution.response.body)
                    == #"{"data":{"createLoan":{"loan":{"returnedOn":null},"errors":[]}}}"#)
        }
    }
}
