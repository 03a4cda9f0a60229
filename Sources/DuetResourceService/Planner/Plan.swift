public import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase
import Synchronization

/// The plan of a question: statements, their arguments, and the shape of their rows. Both styles create plans, so the
/// same question has the same cost in both.
public struct Plan: Sendable {
    /// The statement that checks the existence of a row that the answer requires.
    struct Existence: Sendable {
        let sql: String
        let arguments: Arguments
        let subject: Subject
    }

    enum Form: Sendable {
        /// One row as an object. The arguments are its key.
        case item(Subject)
        /// Rows up to a limit, and a cursor.
        case rows(Rows)
        /// Rows up to a limit, in a page object.
        case page(PageForm)
    }

    struct Rows: Sendable {
        /// The maximum number of rows; nil for all of them.
        var limit: Int?
        /// True if the list has few rows, which are sent together.
        var isShort = false
        /// True if a page can begin after a row.
        var hasCursors = true
        let order: [OrderColumn]
        /// The context of its cursors; see ``Cursor``.
        let context: String
        /// The position after which the list begins.
        let after: Cursor?
        /// Returns the plan of the same list with a limit, beginning after a row.
        let resume: @Sendable (_ limit: Int, _ after: Cursor?) throws -> Plan
    }

    /// A statement that counts the rows of all pages.
    struct Count: Sendable {
        let sql: String
        let arguments: Arguments
    }

    /// The part of a plan that does not depend on the arguments. It is a class, so that copies of a plan share it.
    final class Statement: Sendable {
        let sql: String
        /// The name of the rows' resource.
        let source: String
        /// The shape of each row's object; nil for a page, whose rows have several shapes.
        let shape: ObjectShape?
        /// The columns with the keys of entities.
        let entities: [KeyColumns]
        /// The attachments for each shape of the rows. Only a page has several shapes.
        let attachments: [[Attachment]]
        /// The kinds of the entities that determine which rows exist.
        let kinds: [Int]
        let count: Count?
        /// The cache policy of a successful answer.
        let cachePolicy: CachePolicy
        /// True if few nested rows per top-level row are expected.
        private let hasFewRows: Bool
        /// The number of upcoming reads that are not tried on the calling thread.
        private let readsInPool = Atomic(0)

        init(_ sql: String, _ rows: PlannedRows, _ summary: PlanSummary, _ catalogue: Catalogue, count: Count? = nil) {
            self.sql = sql
            source = rows.source
            shape = rows.page.isEmpty ? ObjectShape(rows.members, of: rows.source) : nil
            entities = rows.entities
            attachments = rows.attachments
            kinds = summary.kinds(catalogue)
            self.count = count
            cachePolicy = summary.cachePolicy
            hasFewRows = summary.rowsBelow <= 250
        }

        /// Excludes the next thousand reads from the calling thread. The read after them is tried again, because
        /// another row may have fewer nested rows.
        func tookLong() { readsInPool.store(1000, ordering: .relaxed) }

        /// Returns true if a read may be tried on the calling thread.
        fileprivate func mayBeDirect() -> Bool {
            guard hasFewRows else { return false }
            guard readsInPool.load(ordering: .relaxed) > 0 else { return true }
            readsInPool.subtract(1, ordering: .relaxed)
            return false
        }
    }

    var existence: Existence?
    let statement: Statement
    var arguments: Arguments
    var form: Form

    /// The cache policy of a successful answer.
    public var cachePolicy: CachePolicy { statement.cachePolicy }

    /// Returns the plan of the same question about another row of the resource.
    func about(_ subject: Subject) -> Plan {
        Plan(existence: existence, statement: statement, arguments: subject.arguments, form: .item(subject))
    }

    /// True if the plan reads one row by its key with few nested rows, and recent reads were fast.
    var isShort: Bool { if case .item = form { statement.mayBeDirect() } else { false } }

    /// The columns whose values are known before the first statement runs.
    var known: Arguments { if case .item = form { arguments } else { Arguments() } }

    /// True for a list without a limit, which is sent in pieces. Rows with attachments are sent in pages, which require
    /// cursors.
    public var isUnbounded: Bool {
        guard case .rows(let rows) = form else { return false }
        return rows.limit == nil && !rows.isShort && (rows.hasCursors || !hasAttachments)
    }

    /// True if rows have members with related rows.
    public var hasAttachments: Bool { statement.attachments.contains { !$0.isEmpty } }
}
