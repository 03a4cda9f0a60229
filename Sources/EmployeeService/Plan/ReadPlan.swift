import ResultSetJSON
import SQLDatabase

/// A read as data: the statements, their arguments, and the shape of what they give. Both styles end here, so that the
/// same question costs the same.
public struct ReadPlan: Sendable {
    /// A row that must be there for the rest to make sense.
    struct Existence: Sendable {
        let sql: String
        let arguments: Arguments
        let error: ServiceError
    }

    struct AttachedQuery: Sendable {
        let member: AttachedMember
        let key: String
        let sql: String
    }

    enum Form: Sendable {
        /// One row as an object; without it, the error.
        case object(missing: ServiceError)
        /// All rows.
        case whole
        /// Rows up to a limit, then a cursor.
        case page(Page)
    }

    struct Page: Sendable {
        /// Most rows; `nil` for all of them.
        var limit: Int?
        let order: [SortColumn]
        /// What a cursor of this list is bound to.
        let context: String
        /// Where the list begins.
        let after: Cursor?
        /// The same list with at most so many rows, from behind a row on.
        let resume: @Sendable (_ limit: Int, _ after: Cursor?) -> ReadPlan
    }

    var existence: Existence?
    var sql: String
    var arguments: Arguments
    var shape: ObjectShape
    var attachments: [AttachedQuery] = []
    /// Columns whose value is known before the first statement has run.
    var known: [String: SQLValue] = [:]
    var form: Form

    /// The same question about another row: for a plan of one row, whose key is the only thing that differs.
    func asking(_ key: String, _ value: SQLValue, missing: ServiceError) -> ReadPlan {
        var plan = self
        plan.arguments[key] = .value(value)
        plan.known[key] = value
        plan.form = .object(missing: missing)
        return plan
    }

    /// Whether it is a list without a bound, to be sent piece by piece.
    public var isUnbounded: Bool {
        if case .page(let page) = form { page.limit == nil } else { false }
    }

    /// Whether rows have members that are lists.
    public var hasAttachments: Bool { !attachments.isEmpty }
}
