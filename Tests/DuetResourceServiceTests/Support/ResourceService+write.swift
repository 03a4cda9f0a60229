import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import NIOCore
import TestSupport
import Testing

/// REST writes without HTTP.
extension ResourceService {
    /// Performs the write of an operation, such as `PATCH loans/b1,1,2021-01-01`.
    @discardableResult
    func restWrite(
        _ method: String, _ target: String, _ body: JSONValue = [:], _ precondition: Precondition? = nil
    ) async throws -> ChangeAnswer {
        let (operation, path, query) = try RESTRequests(self).request(target, method: method)
        let write = try #require(operation.write)
        let style = RESTStyle(self)
        var change = try style.change(write, operation, path, query)
        change.precondition = precondition
        if write.kind != .delete { try style.read(body, for: write, into: &change) }
        return try await self.write(change)
    }

    /// Returns the digest of the representation of a row.
    func digest(_ target: String) async throws -> BodyDigest {
        BodyDigest(of: try await answer(try restQuestion(target)).body)
    }

    /// Runs a query, and returns its rows, each as the texts of its columns.
    func rows(_ sql: String) async throws -> [[String]] {
        try await database.read { connection in
            let rows = try connection.query(sql)
            var all: [[String]] = []
            while try rows.next() {
                all.append(rows.columns.indices.map { rows.value(at: $0).keyText })
            }
            return all
        }
    }
}

extension Library {
    /// The query for all loans in the order of their keys.
    static let loansSQL =
        "SELECT isbn, copy_no, lent_on, reader, returned_on FROM loans ORDER BY isbn, copy_no, lent_on"

    /// Calls a closure with a service that has the writes of the library.
    static func withWritableService(
        _ backend: TestBackend, observer: DatabaseObserver? = nil, _ body: (ResourceService) async throws -> Void
    ) async throws {
        try await withService(backend, catalogue: writableCatalogue(), hooks: hooks, observer: observer, body)
    }

    /// Runs a closure, and checks that it changes no row of the tables that writes can change.
    static func expectUnchanged(_ service: ResourceService, _ body: () async throws -> Void) async throws {
        let statements = [
            loansSQL, "SELECT * FROM copies ORDER BY isbn, copy_no",
            "SELECT * FROM book_subjects ORDER BY isbn, subject_id",
        ]
        var before: [[[String]]] = []
        for sql in statements { before.append(try await service.rows(sql)) }
        try await body()
        for (sql, rows) in zip(statements, before) { #expect(try await service.rows(sql) == rows) }
    }
}
