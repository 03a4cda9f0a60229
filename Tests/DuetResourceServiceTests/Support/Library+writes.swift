import DuetResourceService
import DuetSQLDatabase

/// The writes of the library: loans, copies and the subjects of a book.
extension Library {
    /// The catalog with writes. It has a resource without lists for the join table of books and subjects.
    static func writableCatalogue() throws -> Catalogue {
        let described = try catalogue()
        return try Catalogue(
            described.resources + [classifications], writes: writes(described), description: described.description)
    }

    /// The rules of the writes.
    static let hooks: ChangeHooks = ["loans": LoanRules(), "subjects": SubjectRules()]

    private static let classifications = Resource(
        "classifications", singular: "classification", type: "Classification", table: "book_subjects",
        description: "A subject of a book.",
        fields: [
            Field("isbn", .identifier(maximumLength: 13), column: "isbn", description: "The number of the book."),
            Field("subjectNumber", .integer(), column: "subject_id", description: "The number of the subject."),
        ],
        key: ["isbn", "subjectNumber"], collection: .none, hasItems: false,
        entities: [.init("Book", ["isbn"]), .init("Subject", ["subjectNumber"])])

    private static func writes(_ catalogue: Catalogue) throws -> [Write] {
        let copies = try catalogue.required("copies")
        let loans = try catalogue.required("loans")
        func input(_ resource: Resource, _ name: String, isRequired: Bool) throws -> Write.Input {
            let field = try resource.requiredField(name)
            return Write.Input(field, required: isRequired, field.description)
        }
        let key = [
            Write.KeyArgument("book", "The number of the book."), Write.KeyArgument("copy", "The number of the copy."),
            Write.KeyArgument("day", "The day it was lent."),
        ]
        return [
            Write(
                "createLoan", .insert, on: "loans", at: .list,
                input: try ["isbn", "copyNumber", "lentOn", "reader"].map {
                    try input(loans, $0, isRequired: true)
                } + [try input(loans, "returnedOn", isRequired: false)],
                description: "Lends a copy. The copy must not be lent."),
            Write(
                "returnLoan", .update, on: "loans", at: .item, keyArguments: key,
                input: [
                    try input(loans, "returnedOn", isRequired: false), try input(loans, "reader", isRequired: false),
                ], description: "Records the return of a copy."),
            Write(
                "deleteLoan", .delete, on: "loans", at: .item, keyArguments: key, description: "Removes a loan."),
            Write(
                "addCopy", .insert, on: "books", at: .related("copies"),
                keyArguments: [.init("book", "The number of the book.")],
                input: [
                    try input(copies, "copyNumber", isRequired: true), try input(copies, "shelf", isRequired: false),
                ], description: "Adds a copy of a book."),
            Write(
                "classifyBook", .upsert, on: "books", at: .relatedItem("subjects", by: ["subjectNumber"]),
                keyArguments: [.init("book", "The number of the book."), .init("subject", "The subject.")],
                description: "Adds a subject to a book."),
        ]
    }
}

/// A copy is lent only once at a time, and is not returned before it is lent.
private struct LoanRules: ChangeHook {
    func validate(_ row: RowValues, _ errors: inout [ServiceError.FieldError]) {
        guard let lent = row.date("lentOn"), let returned = row.date("returnedOn"), returned < lent else { return }
        errors.append(.init(field: "returnedOn", message: "must not be earlier than lentOn"))
    }

    func check(_ change: Change, in transaction: ChangeTransaction) throws {
        guard change.kind == .insert else { return }
        for row in change.rows {
            try transaction.requireRow(of: "copies", [row["isbn"] ?? .null, row["copyNumber"] ?? .null])
        }
    }

    /// Inserts a loan, then throws an error if the copy has another open loan. The insert must be rolled back.
    func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
        guard change.kind == .insert else { return try transaction.perform(change) }
        let outcome: ChangeOutcome
        do {
            outcome = try transaction.perform(change)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw ServiceError(
                .conflict, "the copy was already lent on this day", key: "isbn, copyNumber and lentOn")
        }
        for row in change.rows {
            let open = try transaction.connection.query(
                "SELECT COUNT(*) FROM loans WHERE isbn = :isbn AND copy_no = :copy AND returned_on IS NULL",
                ["isbn": .value(row["isbn"] ?? .null), "copy": .value(row["copyNumber"] ?? .null)])
            defer { open.close() }
            guard try open.next(), open.integer(at: 0) <= 1 else {
                throw ServiceError(.conflict, "the copy is lent; record its return first")
            }
        }
        return outcome
    }
}

/// A subject of a book is a row of the join table.
private struct SubjectRules: ChangeHook {
    func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
        guard change.kind == .upsert, let parent = change.parent, let row = change.rows.first else {
            return try transaction.perform(change)
        }
        return try transaction.perform(
            .upsert(
                ["isbn": parent.key[0], "subjectNumber": row["subjectNumber"] ?? .null], into: "classifications"))
    }
}
