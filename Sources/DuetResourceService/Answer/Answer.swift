import DuetSQLDatabase
public import NIOCore

/// The answer to a question: a body, and the facts about it.
public struct Answer: Sendable {
    /// The rows, in the form that was asked for.
    public var body: ByteBuffer
    /// The number of rows at the top level.
    public var rows = 0
    /// The cursor of the next page, if there is one.
    public var next: String?
    /// The number of rows on all pages, if the question asks for it.
    public var totalCount: Int64?
    /// The cost.
    public var cost = Cost()
    /// The entities that it shows, if they were asked for.
    public var tags = EntityTags()
    /// Where the list was cut.
    var boundary: [SQLValue]?

    init(body: ByteBuffer) {
        self.body = body
    }

    /// The cost of a request in the database.
    public struct Cost: Sendable {
        /// The number of statements, without BEGIN and COMMIT.
        public var statements = 0
        /// The time in the transaction, in nanoseconds. Rows are written as they are read, so this includes writing them.
        public var nanoseconds: UInt64 = 0

        /// Creates a cost.
        public init(statements: Int = 0, nanoseconds: UInt64 = 0) {
            self.statements = statements
            self.nanoseconds = nanoseconds
        }

        /// The sum of two costs.
        public static func + (left: Cost, right: Cost) -> Cost {
            Cost(statements: left.statements + right.statements, nanoseconds: left.nanoseconds + right.nanoseconds)
        }
    }
}
