public import DuetGraphQL
import DuetResultSetJSON
import DuetSQLDatabase
import Synchronization

/// The plan of a ``Question``: the SQL statements, their arguments, and the shape of the response. Equal questions of
/// REST and GraphQL requests have equal plans, so they have the same cost.
public struct Plan: Sendable {
    /// A statement that checks that a row exists. If the row does not exist, the request fails.
    struct Existence: Sendable {
        let sql: String
        let arguments: Arguments
        /// The parameters whose arguments are bound when the plan is executed.
        let parameters: [PlanParameter]
        /// The names of the tables that the statement reads.
        let tables: Set<String>
        let subject: Subject
        /// The entity type of the row. It is nil if the row is not an entity, or if its stored key is always equal to
        /// the key in the request. If it is not nil, the statement returns the columns of the stored key.
        let storedType: String?
    }

    enum Form: Sendable {
        /// One row as an object. For a row of a resource, the arguments of the statement are the key of the row.
        case item(Subject)
        /// Rows up to a limit as an array, and a cursor for the next page.
        case rows(Rows)
        /// Rows up to a limit as a page object.
        case page(PageForm)
        /// The aggregates of all rows, as one object.
        case aggregates
    }

    struct Rows: Sendable {
        /// The maximum number of rows; nil for all rows.
        var limit: Int?
        /// True if the list is expected to have few rows, so that they need not be sent in pieces.
        var isShort = false
        /// True if the list has cursors, so that a page can begin after a row.
        var hasCursors = true
        let order: [OrderColumn]
        /// The context of the list's cursors; see ``Cursor``.
        let context: String
        /// The cursor after which the rows begin; nil for the beginning of the list.
        let after: Cursor?
        /// A closure that returns the plan for a page of this list, with a limit and an optional cursor.
        let resume: @Sendable (_ limit: Int, _ after: Cursor?) throws -> Plan
    }

    /// A statement that counts the rows of all pages.
    struct Count: Sendable {
        let sql: String
        let arguments: Arguments
        /// True if the rows are counted only if the list has more rows than the answer.
        var isForLongerLists = false
    }

    /// The part of a plan that does not depend on the key of the requested row. It is a class, so that copies of a plan
    /// share it.
    final class Statement: Sendable {
        let sql: String
        /// The arguments that do not depend on the key of the requested row.
        let arguments: Arguments
        /// The parameters whose arguments are bound when the plan is executed: those of this statement, of the attached
        /// queries and of the counts.
        let parameters: [PlanParameter]
        /// The names of the tables that this statement, the attached queries and the counts read.
        let tables: Set<String>
        /// The name of the resource of the rows.
        let source: String
        /// The shape of each row's object; nil for a page, whose rows have several shapes.
        let shape: ObjectShape?
        /// The columns that contain the keys of the entities in the answer; see ``Resource/Entity``.
        let entities: [KeyColumns]
        /// The queries that are attached to the rows: one array for each shape of the rows. Only a page has several
        /// shapes (`nodes` and `edges`).
        let attachments: [[Attachment]]
        /// The types whose entities determine which rows the answer contains, as indices of ``Catalogue/entityTypes``.
        let kinds: [Int]
        let count: Count?
        /// ``Resource/maximumScan`` of the resource of the rows.
        let maximumScan: Int?
        /// The advice in the error for too many examined rows; nil for the general advice.
        let scanAdvice: ScanAdvice?
        /// The cache policy of a successful answer.
        let cachePolicy: CachePolicy
        /// True if the estimated number of nested rows per top-level row is small.
        private let hasFewRows: Bool
        /// The number of reads from now on that must not run on the calling thread.
        private let readsInPool = Atomic(0)

        init(
            _ sql: String, _ rows: PlannedRows, _ summary: PlanSummary, _ scope: StatementScope, count: Count? = nil,
            scanAdvice: ScanAdvice? = nil
        ) {
            self.sql = sql
            maximumScan = summary.maximumScan
            self.scanAdvice = scanAdvice
            arguments = scope.arguments
            var summary = summary
            summary.add(scope)
            parameters = summary.parameters
            tables = summary.tables
            source = rows.source
            shape = rows.page.isEmpty ? ObjectShape(rows.members, of: rows.source) : nil
            entities = rows.entities
            attachments = rows.attachments
            kinds = summary.kinds
            self.count = count
            cachePolicy = summary.cachePolicy
            hasFewRows = summary.rowsBelow <= 250
        }

        /// Records that a read was slow. The next thousand reads do not run on the calling thread. After them, a read
        /// can run on the calling thread again, because its row may have fewer nested rows.
        func tookLong() { readsInPool.store(1000, ordering: .relaxed) }

        /// Returns true if the next read may run on the calling thread. Each call counts as one read.
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

    /// The parameters for which ``ResourceService/parameters`` must have a value.
    var parameters: [PlanParameter] { statement.parameters + (existence?.parameters ?? []) }

    /// The names of the tables and views that the statements read.
    var tables: Set<String> { existence.map { statement.tables.union($0.tables) } ?? statement.tables }

    /// The cache policy of a successful answer.
    public var cachePolicy: CachePolicy { statement.cachePolicy }

    /// Creates the plan of a row of a resource.
    init(statement: Statement, subject: Subject) {
        self.statement = statement
        arguments = subject.arguments(adding: statement.arguments)
        form = .item(subject)
    }

    /// Creates the plan of a list.
    init(statement: Statement, form: Form) {
        self.statement = statement
        arguments = statement.arguments
        self.form = form
    }

    /// Returns the maximum number of rows that each statement can examine without returning them; nil for no limit.
    /// - Parameter general: The limit of resources without a limit of their own.
    func maximumScan(default general: Int?) -> Int? {
        Resource.scanLimit(statement.maximumScan, default: general)
    }

    /// Returns the plan of the same question for a different row of the resource.
    func about(_ subject: Subject) -> Plan { Plan(statement: statement, subject: subject) }

    /// True if the plan reads one row by its key, the row is expected to have few nested rows, and recent reads were
    /// fast.
    var isShort: Bool { if case .item = form { statement.mayBeDirect() } else { false } }

    /// For a plan of one row, the arguments, which contain the key values from the request by the labels of their
    /// columns; otherwise empty. Attached queries can use them before the first statement runs.
    var known: Arguments { if case .item = form { arguments } else { Arguments() } }

    /// True for a list without a limit that should be sent in pieces. A list with attachments is read in pages that
    /// begin at cursors, so the property is false if such a list has no cursors.
    public var isUnbounded: Bool {
        guard case .rows(let rows) = form else { return false }
        return rows.limit == nil && !rows.isShort && (rows.hasCursors || !hasAttachments)
    }

    /// True if rows have attachments, which are members with related rows.
    public var hasAttachments: Bool { statement.attachments.contains { !$0.isEmpty } }
}

extension Resource {
    /// Returns the maximum number of rows that a statement can examine without returning them; nil for no limit.
    /// - Parameters:
    ///   - own: ``maximumScan`` of the resource.
    ///   - general: The limit of resources without a limit of their own.
    static func scanLimit(_ own: Int?, default general: Int?) -> Int? {
        guard let own else { return general }
        return own == 0 ? nil : own
    }
}
