import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase
import TestSupport
import Testing

@testable import DuetResourceService

@Suite("Plans") struct PlanTests {
    @Test(
        "A value in a request is bound as an SQL argument, and is never part of the SQL text",
        arguments: TestBackend.available)
    func arguments(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (target, value) in [
                ("books?title=zz%27)--", SQLValue.text("zz%27)--")), ("books?title.ne=zz'x", .text("zz'x")),
                ("authors?authorNumber.gt=77001", .integer(77_001)), ("books?price.lte=77001.5", .double(77_001.5)),
                ("authors/77001", .integer(77_001)), ("books/zz1", .text("zz1")),
                ("authors/77001/books", .integer(77_001)),
                (#"books?filter={"copies":{"some":{"shelf":{"eq":"zz\"x"}}}}"#, .text("zz\"x")),
                (#"books?filter={"not":{"or":[{"author":{"name":{"lt":"zz;"}}}]}}"#, .text("zz;")),
            ] {
                let plan = try service.plan(service.restQuestion(target))
                let existence = plan.existence
                let arguments = plan.arguments.pairs + (existence?.arguments.pairs ?? [])
                #expect(arguments.contains { $0.argument == .value(value) }, "\(target)")
                let sql = plan.statement.sql + (existence?.sql ?? "")
                #expect(!sql.contains("zz") && !sql.contains("77001"), "\(target): \(sql)")
            }
            // The pattern is converted to the syntax of the database.
            let plan = try service.plan(service.restQuestion("books?title.like=zz*_[%"))
            let pattern = backend == .sqlite ? "zz*_[[]%" : "zz%|_[|%"
            #expect(plan.arguments.pairs.contains { $0.argument == .text(pattern) })
            #expect(!plan.statement.sql.contains("zz"))
        }
    }

    @Test("The statement of a page reads one row more than the page size", arguments: TestBackend.available)
    func limits(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            let questions = try GraphQLQuestions(service.catalogue)
            for (question, limit) in [
                (try service.restQuestion("books"), 101), (try service.restQuestion("books?first=1"), 2),
                (try service.restQuestion("books?first=1000"), 1001),
                (try service.restQuestion("subjects/1/books"), 3),
                (try await questions.question("{ books { nodes { isbn } } }"), 101),
                (try await questions.question("{ books(first: 5) { totalCount } }"), 6),
                (try await questions.question("{ subjects(first: 5) { name } }"), 6),
            ] {
                let plan = try service.plan(question)
                #expect(plan.statement.sql.hasSuffix(" LIMIT :_limit"))
                #expect(plan.arguments["_limit"] == .integer(limit))
            }
            for target in ["authors/1", "copies/b1,1/loans"] {
                let plan = try service.plan(service.restQuestion(target))
                #expect(!plan.statement.sql.contains("LIMIT") && plan.arguments["_limit"] == nil, "\(target)")
            }
            let export = try service.plan(service.restQuestion("books", .csv))
            #expect(!export.statement.sql.contains("LIMIT") && export.isUnbounded)
        }
    }

    @Test("A question whose form does not fit its subject is an error")
    func forms() async throws {
        try await Library.withService(.sqlite) { service in
            let selection = Selection([.field(name: "isbn", "isbn")])
            let key = [SQLValue.text("b1")]
            for question in [
                Question(.item(resource: "books", key: key), .list(.array(selection))),
                Question(.item(resource: "books", key: key), .list(.page([.nodes(name: "nodes", selection)]))),
                Question(
                    .relatedItem(resource: "books", key: key, relation: "copies", .everything),
                    .list(.array(selection))),
                Question(.list(resource: "books", Window()), .item(selection)),
                Question(.related(resource: "books", key: key, relation: "copies", Window()), .item(selection)),
            ] {
                #expect(throws: CatalogueError.self) { try service.plan(question) }
            }
        }
    }

    static let orders: [(target: String, order: [String])] = [
        ("authors", ["authorNumber"]), ("authors?sort=name", ["name", "authorNumber"]),
        ("authors?sort=-name", ["-name", "-authorNumber"]),
        ("authors?sort=-born,name", ["-born", "name", "authorNumber"]),
        // The columns after the key are omitted, because they cannot change the order.
        ("authors?sort=authorNumber,name", ["authorNumber"]), ("authors?sort=name,-name", ["name", "authorNumber"]),
        ("books", ["isbn"]), ("copies", ["isbn", "copyNumber"]),
        ("copies?sort=-shelf", ["-shelf", "-isbn", "-copyNumber"]),
        ("loans?sort=lentOn", ["lentOn", "isbn", "copyNumber"]),
        ("authors/1/books", ["title", "isbn"]), ("authors/1/editedBooks", ["-title", "isbn"]),
        ("authors/1/books?sort=-price", ["-price", "-isbn"]), ("subjects/1/books", ["isbn"]),
    ]

    @Test("The order of a list ends with the key", arguments: orders)
    func order(_ row: (target: String, order: [String])) async throws {
        try await Library.withService(.sqlite) { service async throws in
            let plan = try service.plan(service.restQuestion(row.target))
            guard case .rows(let rows) = plan.form else {
                Issue.record("not a list")
                return
            }
            #expect(rows.order.map { ($0.descending ? "-" : "") + $0.label } == row.order)
            let sql = rows.order.map(\.sql).joined(separator: ", ")
            #expect(plan.statement.sql.hasSuffix(" ORDER BY \(sql) LIMIT :_limit"))
        }
    }

    @Test(
        "The statement for the page after a cursor binds the values of the last row, and differs if a value is NULL",
        arguments: TestBackend.available)
    func cursors(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            func plan(after count: Int, _ sort: String) async throws -> Plan {
                let target = "books?fields=isbn&sort=\(sort)&first=\(count)"
                let answer = try await service.answer(service.restQuestion(target))
                return try service.plan(service.restQuestion("\(target)&after=\(try #require(answer.next))"))
            }
            // The years in ascending order: NULL of b2, 1999 of b1 and b4, 2001 of b3.
            let afterNull = try await plan(after: 1, "published")
            let afterYear = try await plan(after: 2, "published")
            let afterSameYear = try await plan(after: 3, "published")
            #expect(Self.values(afterNull) == [.text("b2")])
            #expect(Set(Self.values(afterYear)) == [.integer(1999), .text("b1")])
            #expect(Set(Self.values(afterSameYear)) == [.integer(1999), .text("b4")])
            #expect(afterYear.statement.sql == afterSameYear.statement.sql)
            #expect(afterNull.statement.sql != afterYear.statement.sql)
            for plan in [afterNull, afterYear, afterSameYear] {
                #expect(!plan.statement.sql.contains("OFFSET"))
                #expect(try await service.answer(plan).cost.statements == 1)
            }
            #expect(afterSameYear.arguments["_limit"] == .integer(4))
        }
    }

    /// Returns the values that a plan binds, except the limit.
    private static func values(_ plan: Plan) -> [SQLValue] {
        plan.arguments.pairs.compactMap { pair in
            if pair.name != "_limit", case .value(let value) = pair.argument { value } else { nil }
        }
    }

    @Test("A statement reads only the columns that the request needs", arguments: TestBackend.available)
    func columns(_ backend: TestBackend) async throws {
        try await Library.withService(backend) { service async throws in
            for (target, reads, omits) in [
                ("authors/1?fields=name", ["name"], ["born", "mentor_id"]),
                ("authors/1?fields=name&details=mentor", ["name", "mentor_id"], ["born"]),
                (
                    "books?fields=title&sort=price", ["title", "price", "isbn"],
                    ["published", "lang", "author_id", "JOIN"]
                ),
                ("books?fields=authorName", ["JOIN"], ["title", "price"]),
                ("copies?fields=shelf&details=loans", ["shelf", "isbn", "copy_no"], []),
            ] {
                let plan = try service.plan(service.restQuestion(target))
                let sql = plan.statement.sql
                for name in reads { #expect(sql.contains(name), "\(target): \(sql)") }
                for name in omits { #expect(!sql.contains(name), "\(target): \(sql)") }
            }
        }
    }

    @Test("The maximum age of a response is the lowest maximum age of the resources that it contains")
    func cachePolicies() async throws {
        try await Library.withService(.sqlite) { service async throws in
            for (target, age) in [
                ("authors/1", 60), ("authors/1?details=mentor", 60), ("authors/1?details=books", 30),
                ("authors?details=books.copies.loans", 5), ("subjects/1/books", 30), ("subjects", 300),
                ("subjects?details=books&books.count=true", 30), ("copies/b1,1/loans", 5),
            ] {
                let plan = try service.plan(service.restQuestion(target))
                #expect(plan.cachePolicy == CachePolicy(maxAge: age), "\(target)")
            }
        }
    }
}
