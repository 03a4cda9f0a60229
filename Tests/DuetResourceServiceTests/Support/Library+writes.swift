import DuetResourceService
import DuetSQLDatabase

/// The writes of the library: loans, copies and the subjects of a book.
extension Library {
    /// The catalog with writes.
    static func writableCatalogue() throws -> Catalogue {
        let described = try catalogue()
        return try Catalogue(described.resources, writes: writes(described), description: described.description)
    }

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
                "createLoan", on: "loans", .newItem,
                input: try ["isbn", "copyNumber", "lentOn", "reader"].map {
                    try input(loans, $0, isRequired: true)
                } + [try input(loans, "returnedOn", isRequired: false)],
                description: "Lends a copy. The copy must not be lent.", validate: checkDates,
                check: { context in
                    let key = ["isbn", "copyNumber"].map { context.values[$0] ?? .null }
                    let row = try context.connection.query(
                        "SELECT 1 FROM copies WHERE isbn = :isbn AND copy_no = :copy",
                        ["isbn": .value(key[0]), "copy": .value(key[1])])
                    defer { row.close() }
                    guard try row.next() else { throw ServiceError.missing(copies, key) }
                }, perform: lend),
            Write(
                "returnLoan", on: "loans", .item, keyArguments: key,
                input: [
                    try input(loans, "returnedOn", isRequired: false), try input(loans, "reader", isRequired: false),
                ], description: "Records the return of a copy.", perform: change),
            Write(
                "deleteLoan", on: "loans", .removal, keyArguments: key, description: "Removes a loan.",
                perform: { context in
                    try context.connection.execute(
                        "DELETE FROM loans WHERE isbn = :isbn AND copy_no = :copy AND lent_on = :day",
                        arguments(context.key))
                    return WriteOutcome(key: context.key, isNew: false)
                }),
            Write(
                "addCopy", on: "books", .newRelated("copies"), keyArguments: [.init("book", "The number of the book.")],
                input: [
                    try input(copies, "copyNumber", isRequired: true), try input(copies, "shelf", isRequired: false),
                ], description: "Adds a copy of a book.",
                perform: { context in
                    try context.connection.execute(
                        "INSERT INTO copies (isbn, copy_no, shelf) VALUES (:isbn, :copy, :shelf)",
                        [
                            "isbn": .value(context.key[0]), "copy": .value(context.values["copyNumber"] ?? .null),
                            "shelf": .value(context.values["shelf"] ?? .null),
                        ])
                    return WriteOutcome(key: context.key, isNew: true)
                }),
            Write(
                "classifyBook", on: "books", .relatedItem("subjects", by: ["subjectNumber"]),
                keyArguments: [.init("book", "The number of the book."), .init("subject", "The subject.")],
                description: "Adds a subject to a book.", perform: classify),
        ]
    }

    /// Checks that a copy is not returned before it is lent.
    private static func checkDates(_ values: WriteValues, _ errors: inout [ServiceError.FieldError]) {
        guard let lent = values.date("lentOn"), let returned = values.date("returnedOn"), returned < lent else {
            return
        }
        errors.append(.init(field: "returnedOn", message: "must not be earlier than lentOn"))
    }

    private static func arguments(_ key: [SQLValue]) -> Arguments {
        ["isbn": .value(key[0]), "copy": .value(key[1]), "day": .value(key[2])]
    }

    /// Inserts a loan, then throws an error if the copy has another open loan. The insert must be rolled back.
    private static func lend(_ context: WriteContext) throws -> WriteOutcome {
        let key = ["isbn", "copyNumber", "lentOn"].map { context.values[$0] ?? .null }
        var arguments = arguments(key)
        arguments["reader"] = .value(context.values["reader"] ?? .null)
        arguments["back"] = .value(context.values["returnedOn"] ?? .null)
        do {
            try context.connection.execute(
                "INSERT INTO loans (isbn, copy_no, lent_on, reader, returned_on)"
                    + " VALUES (:isbn, :copy, :day, :reader, :back)", arguments)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw ServiceError(
                .conflict, "the copy was already lent on this day", key: "isbn, copyNumber and lentOn")
        }
        let open = try context.connection.query(
            "SELECT COUNT(*) FROM loans WHERE isbn = :isbn AND copy_no = :copy AND returned_on IS NULL",
            ["isbn": .value(key[0]), "copy": .value(key[1])])
        defer { open.close() }
        guard try open.next(), open.integer(at: 0) <= 1 else {
            throw ServiceError(.conflict, "the copy is lent; record its return first")
        }
        return WriteOutcome(key: key, isNew: true)
    }

    private static func change(_ context: WriteContext) throws -> WriteOutcome {
        for name in context.values.names {
            var arguments = arguments(context.key)
            arguments["value"] = .value(context.values[name] ?? .null)
            try context.connection.execute(
                "UPDATE loans SET \(name == "reader" ? "reader" : "returned_on") = :value"
                    + " WHERE isbn = :isbn AND copy_no = :copy AND lent_on = :day", arguments)
        }
        return WriteOutcome(key: context.key, isNew: false)
    }

    private static func classify(_ context: WriteContext) throws -> WriteOutcome {
        let arguments: Arguments = ["isbn": .value(context.key[0]), "subject": .value(context.relatedKey[0])]
        let row = try context.connection.query(
            "SELECT 1 FROM book_subjects WHERE isbn = :isbn AND subject_id = :subject", arguments)
        let isNew = try !row.next()
        row.close()
        if isNew {
            try context.connection.execute(
                "INSERT INTO book_subjects (isbn, subject_id) VALUES (:isbn, :subject)", arguments)
        }
        return WriteOutcome(key: context.key, isNew: isNew)
    }
}
