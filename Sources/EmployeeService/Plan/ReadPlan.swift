public import DuetGraphQL
import ResultSetJSON
import SQLDatabase

/// A read as data: the statements, their arguments, and the shape of what they give. Both styles end here, so that the
/// same question costs the same.
public struct ReadPlan: Sendable {
    /// A row that must be there for the rest to make sense.
    struct Existence: Sendable {
        let sql: String
        let arguments: Arguments
        let subject: Subject
    }

    /// A query whose rows are attached to others; see `ResultSetAdapter.attach`.
    struct AttachedQuery: Sendable {
        let member: AttachedMember
        let key: String
        let sql: String
        /// Whether it asks for one key, and is repeated for others.
        var isForEachKey = false
        var arguments: Arguments = [:]
        /// All columns but the first, without one.
        var shape: ObjectShape?
        /// What is attached to its rows in turn, by the form of the rows; there are several in a page alone.
        var attachments: [[AttachedQuery]] = []
    }

    enum Form: Sendable {
        /// The one row that the arguments are the key of, as an object.
        case object(Subject)
        /// All rows.
        case whole
        /// Rows up to a limit, then a cursor.
        case page(Page)
        /// Rows up to a limit, in an object that says more about them.
        case connection(PageForm)
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

    /// What stays the same when the arguments differ; shared, so that a plan is cheap to copy.
    final class Statement: Sendable {
        let sql: String
        /// The members of each row's object; a connection's rows have shapes of their own.
        let shape: ObjectShape?
        /// By the form of the rows; there are several in a connection alone.
        let attachments: [[AttachedQuery]]
        /// The kind of the entities whose list it is; nil if it is about one.
        let lists: String?
        /// Whether pages of employees are attached to its rows, or to what is.
        let showsStaff: Bool

        init(sql: String, shape: ObjectShape?, attachments: [[AttachedQuery]] = [], lists: String? = nil) {
            self.sql = sql
            self.shape = shape
            self.attachments = attachments
            self.lists = lists
            showsStaff = Self.hasPages(attachments)
        }

        private static func hasPages(_ attachments: [[AttachedQuery]]) -> Bool {
            attachments.joined().contains { query in
                if case .page = query.member.form { return true }
                return hasPages(query.attachments)
            }
        }
    }

    var existence: Existence?
    let statement: Statement
    var arguments: Arguments
    var form: Form
    /// How long an answer may be kept that says nothing of a mistake; nil for a plan of GraphQL, where the whole operation has a policy.
    public private(set) var cachePolicy: CachePolicy?

    /// The same question with a policy for its answer.
    func with(_ policy: CachePolicy) -> ReadPlan {
        var plan = self
        plan.cachePolicy = policy
        return plan
    }

    /// The same question about another row: for a plan of one row, whose key is the only thing that differs.
    func asking(_ key: String, _ value: SQLValue, _ subject: Subject) -> ReadPlan {
        ReadPlan(
            existence: existence, statement: statement, arguments: [key: .value(value)], form: .object(subject),
            cachePolicy: cachePolicy)
    }

    /// Columns whose value is known before the first statement has run.
    var known: Arguments { if case .object = form { arguments } else { [:] } }

    /// Whether it is a list without a bound, to be sent piece by piece.
    public var isUnbounded: Bool {
        if case .page(let page) = form { page.limit == nil } else { false }
    }

    /// Whether rows have members that are lists.
    public var hasAttachments: Bool { statement.attachments.contains { !$0.isEmpty } }
}
