import DuetResultSetJSON
import DuetSQLDatabase
import Testing

@testable import DuetResourceService

@Suite("Plans of changes") struct ChangePlanTests {
    private static let day = SQLValue.date(CalendarDate(daysSinceEpoch: 18_628))

    private static func planner(_ dialect: Dialect) throws -> Planner {
        Planner(catalogue: try Library.catalogue(), dialect: dialect)
    }

    /// Returns the texts of the statements of a change.
    private static func statements(_ change: Change, _ dialect: Dialect) throws -> [String] {
        switch try planner(dialect).plan(change) {
        case .insert(let inserts): inserts.map(\.statement.sql)
        case .update(let update, _): [update?.sql].compactMap(\.self)
        case .delete(let delete): [delete.sql]
        case .upsert(let upserts):
            upserts.flatMap { [$0.presence.sql, $0.update?.sql, $0.insert.statement.sql].compactMap(\.self) }
        }
    }

    /// Expects the same texts for both databases, except that a query with a lock ends differently.
    /// - Parameter locks: True if the first statement locks the row.
    private static func expect(_ change: Change, _ statements: [String], locks: Bool = false) throws {
        for dialect in [Dialect.sqlite, .mariaDB] {
            var expected = statements
            if locks, dialect == .mariaDB { expected[0] += " FOR UPDATE" }
            #expect(try Self.statements(change, dialect) == expected)
        }
    }

    @Test("An insert names the columns that have a value, and returns the key if the database sets it")
    func inserts() throws {
        try Self.expect(
            .insert(["authorNumber": 9, "name": "Eve"], ["name": "Dan"], into: "authors"),
            [
                "INSERT INTO authors (author_id, name) VALUES (:p1_authorNumber, :p2_name)",
                "INSERT INTO authors (name) VALUES (:p1_name) RETURNING author_id",
            ])
        let empty = Change.insert([:], into: "copies")
        #expect(
            try Self.statements(empty, .sqlite) == ["INSERT INTO copies DEFAULT VALUES RETURNING isbn, copy_no"])
        #expect(
            try Self.statements(empty, .mariaDB) == ["INSERT INTO copies () VALUES () RETURNING isbn, copy_no"])
    }

    @Test("A new related row gets the columns that refer to the parent row, even if they have no field")
    func relatedRows() throws {
        var change = Change.insert(["isbn": "b9", "title": "Ants", "language": "EN"], into: "books")
        change.parent = Change.Parent("authors", key: [1], relation: "editedBooks")
        let sql =
            "INSERT INTO books (isbn, title, lang, editor_id) VALUES (:p1_isbn, :p2_title, :p3_language, :p4_authorNumber)"
        try Self.expect(change, [sql])
        guard case .insert(let inserts) = try Self.planner(.sqlite).plan(change), let insert = inserts.first else {
            Issue.record("the plan is no insert")
            return
        }
        #expect(insert.key == ["b9"])
        #expect(insert.statement.arguments["p4_authorNumber"] == 1)
        // The relation has an intermediate table.
        change = .insert(["subjectNumber": 9, "name": "Ants"], into: "subjects")
        change.parent = Change.Parent("books", key: ["b1"], relation: "subjects")
        #expect(throws: CatalogueError.self) { try Self.planner(.sqlite).plan(change) }
    }

    @Test("An update and a delete select the row by its key and by the condition")
    func keys() throws {
        let key: [SQLValue] = ["b1", 1, Self.day]
        let isRow = "WHERE t.isbn = :isbn AND t.copy_no = :copyNumber AND t.lent_on = :lentOn"
        try Self.expect(
            .update("loans", key: key, set: ["reader": "Eve", "returnedOn": nil]),
            ["UPDATE loans AS t SET reader = :p1_reader, returned_on = :p2_returnedOn \(isRow)"])
        try Self.expect(
            .update("loans", key: key, where: .compare("reader", .equal, ["Fay"]), set: ["reader": "Eve"]),
            ["UPDATE loans AS t SET reader = :p1_reader \(isRow) AND t.reader = :p2_reader"])
        try Self.expect(.update("loans", key: key, set: [:]), [])
        for (dialect, start) in [(Dialect.sqlite, "DELETE FROM loans AS t"), (.mariaDB, "DELETE t FROM loans AS t")] {
            #expect(try Self.statements(.delete(from: "loans", key: key), dialect) == ["\(start) \(isRow)"])
            let condition = Filter.not(.compare("reader", .in, ["Fay", "Gil"]))
            #expect(
                try Self.statements(.delete(from: "loans", key: key, where: condition), dialect)
                    == ["\(start) \(isRow) AND NOT (t.reader IN (:p1_reader))"])
        }
    }

    @Test("An update that changes a part of the key returns the new key")
    func changedKey() throws {
        let change = Change.update("copies", key: ["b1", 1], set: ["copyNumber": 2])
        guard case .update(let update?, let key) = try Self.planner(.sqlite).plan(change) else {
            Issue.record("the plan is no update")
            return
        }
        #expect(key == ["b1", 2])
        #expect(
            update.sql
                == "UPDATE copies AS t SET copy_no = :p1_copyNumber WHERE t.isbn = :isbn AND t.copy_no = :copyNumber")
        #expect(update.arguments["p1_copyNumber"] == 2 && update.arguments["copyNumber"] == 1)
    }

    @Test("A condition that reads other tables is in a subquery on the key")
    func relatedConditions() throws {
        let unlent = Filter.related("loans", exists: false, .everything)
        let isUnlent =
            "(t.isbn, t.copy_no) IN (SELECT isbn, copy_no FROM (SELECT t1.isbn, t1.copy_no FROM copies AS t1"
            + " WHERE NOT EXISTS (SELECT 1 FROM loans AS t2 WHERE t2.isbn = t1.isbn AND t2.copy_no = t1.copy_no)) AS t3)"
        for (dialect, start) in [(Dialect.sqlite, "DELETE FROM copies AS t"), (.mariaDB, "DELETE t FROM copies AS t")] {
            #expect(
                try Self.statements(.delete(from: "copies", where: unlent), dialect) == ["\(start) WHERE \(isUnlent)"])
        }
        try Self.expect(
            .update("books", key: ["b1"], where: .compare("authorName", .equal, ["Ada"]), set: ["title": "Ants"]),
            [
                "UPDATE books AS t SET title = :p1_title WHERE t.isbn = :isbn AND (t.isbn) IN (SELECT isbn FROM"
                    + " (SELECT t1.isbn FROM books AS t1 JOIN authors AS t2 ON t2.author_id = t1.author_id"
                    + " WHERE t2.name = :p2_authorName) AS t3)"
            ])
    }

    @Test("An upsert finds and locks the row by its key, and then updates or inserts it")
    func upserts() throws {
        let isRow = "WHERE t.isbn = :isbn AND t.copy_no = :copyNumber"
        try Self.expect(
            .upsert(["isbn": "b1", "copyNumber": 3, "shelf": "C"], into: "copies"),
            [
                "SELECT 1 FROM copies AS t \(isRow)", "UPDATE copies AS t SET shelf = :p1_shelf \(isRow)",
                "INSERT INTO copies (isbn, copy_no, shelf) VALUES (:p1_isbn, :p2_copyNumber, :p3_shelf)",
            ], locks: true)
        // A row that consists of its key needs no update.
        try Self.expect(
            .upsert(["isbn": "b1", "copyNumber": 3], into: "copies", where: .isNull("shelf", true)),
            [
                "SELECT 1 FROM copies AS t \(isRow) AND t.shelf IS NULL",
                "INSERT INTO copies (isbn, copy_no) VALUES (:p1_isbn, :p2_copyNumber)",
            ], locks: true)
        #expect(throws: CatalogueError.self) {
            try Self.planner(.sqlite).plan(.upsert(["isbn": "b1"], into: "copies"))
        }
    }

    @Test("A lock of a row has FOR UPDATE only on MariaDB")
    func locks() throws {
        for (dialect, end) in [(Dialect.sqlite, ""), (.mariaDB, " FOR UPDATE")] {
            let planner = try Self.planner(dialect)
            let lock = try planner.presence(of: planner.resource("authors"), [1], isLocking: true)
            #expect(lock.sql == "SELECT 1 FROM authors AS t WHERE t.author_id = :authorNumber\(end)")
            #expect(lock.arguments["authorNumber"] == 1)
        }
    }

    @Test("A value is bound in the form in which the database stores it")
    func storedForms() throws {
        let fields = [
            Field("code", .text(), column: "code", isStoredAsBytes: true, description: "A text in bytes."),
            Field("julian", .dateTime(isUTC: true, .julianDays), column: "julian", description: "A Julian day."),
            Field("offset", .dateTime(isUTC: true, .offset), column: "at", description: "A time with an offset."),
        ]
        let catalogue = try Catalogue(
            [
                Resource(
                    "stamps", singular: "stamp", type: "Stamp", table: "stamps", description: "A stamp.",
                    fields: fields, key: ["code"])
            ], description: "Stamps.")
        let change = Change.insert(
            ["code": "é", "julian": "2024-01-31 12:00:00", "offset": "2024-01-31 12:00:00"], into: "stamps")
        guard case .insert(let inserts) = try Planner(catalogue: catalogue, dialect: .sqlite).plan(change) else {
            Issue.record("the plan is no insert")
            return
        }
        #expect(
            inserts.map(\.statement.sql) == [
                "INSERT INTO stamps (code, julian, at) VALUES (:p1_code, julianday(:p2_julian), :p3_offset || '+00:00')"
            ])
        #expect(inserts.first?.statement.arguments["p1_code"] == .value(.blob([0xC3, 0xA9])))
        #expect(inserts.first?.key == ["é"])
    }

    @Test("A change that the catalog does not permit, or of all rows, is an error")
    func errors() throws {
        let planner = try Self.planner(.sqlite)
        for change in [
            Change.insert(["color": "red"], into: "books"), .insert(["authorName": "Ada"], into: "books"),
            .insert([:], into: "shelves"), Change(.update, of: "books", key: ["b1"]),
        ] {
            #expect(throws: CatalogueError.self) { try planner.plan(change) }
        }
        for change in [Change.delete(from: "books"), .update("books", set: ["title": "Ants"])] {
            let error = #expect(throws: ServiceError.self) { try planner.plan(change) }
            #expect(error?.code == .emptyFilter)
        }
    }
}
