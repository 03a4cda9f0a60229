public import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase
import Synchronization

/// A question as statements, their arguments, and the shape of what they give. Both styles end here, so that the same question
/// costs the same.
public struct Plan: Sendable {
    /// A row that must be there for the answer to make sense.
    struct Existence: Sendable {
        let sql: String
        let arguments: Arguments
        let subject: Subject
    }

    enum Form: Sendable {
        /// The one row that the arguments are the key of, as an object.
        case item(Subject)
        /// Rows up to a limit, then a cursor.
        case rows(Rows)
        /// Rows up to a limit, in an object about the page.
        case page(PageForm)
    }

    struct Rows: Sendable {
        /// The maximum number of rows; nil for all of them.
        var limit: Int?
        /// True if there are few rows, so that all of them are sent as a whole.
        var isShort = false
        /// True if a page can begin after a row.
        var hasCursors = true
        let order: [OrderColumn]
        /// The context of its cursors; see ``Cursor``.
        let context: String
        /// Where the list begins.
        let after: Cursor?
        /// The plan of the same list from after a row on, with a limit.
        let resume: @Sendable (_ limit: Int, _ after: Cursor?) throws -> Plan
    }

    /// A statement that counts the rows of all pages.
    struct Count: Sendable {
        let sql: String
        let arguments: Arguments
    }

    /// The part that stays the same when the arguments differ; shared, so that a plan is cheap to copy.
    final class Statement: Sendable {
        let sql: String
        /// The name of the rows' resource.
        let source: String
        /// The members of each row's object; a page's rows have shapes of their own.
        let shape: ObjectShape?
        /// The columns that hold keys of entities.
        let entities: [KeyColumns]
        /// By the form of the rows; only a page has several forms.
        let attachments: [[Attachment]]
        /// The kinds of the entities on which it depends which rows there are.
        let kinds: [Int]
        let count: Count?
        /// How long an answer may be cached, where it says nothing of a mistake.
        let cachePolicy: CachePolicy
        /// True if few rows are expected below a row at the top.
        private let hasFewRows: Bool
        /// The number of the next reads that are not tried on the calling thread.
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

        /// Keeps the next thousand reads off the calling thread. After them one is tried again: another row may have less below it.
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

    /// How long an answer may be cached, where it says nothing of a mistake.
    public var cachePolicy: CachePolicy { statement.cachePolicy }

    /// The plan of the same question about another row of the resource.
    func about(_ subject: Subject) -> Plan {
        Plan(existence: existence, statement: statement, arguments: subject.arguments, form: .item(subject))
    }

    /// True if it reads one row by its key, with what belongs to that, and took little time before.
    var isShort: Bool { if case .item = form { statement.mayBeDirect() } else { false } }

    /// Columns whose value is known before the first statement has run.
    var known: Arguments { if case .item = form { arguments } else { Arguments() } }

    /// True if it is a list without a bound, to be sent piece by piece. Rows with attachments are sent in pages, which need cursors.
    public var isUnbounded: Bool {
        guard case .rows(let rows) = form else { return false }
        return rows.limit == nil && !rows.isShort && (rows.hasCursors || !hasAttachments)
    }

    /// True if rows have members that are lists or objects of other rows.
    public var hasAttachments: Bool { statement.attachments.contains { !$0.isEmpty } }
}
