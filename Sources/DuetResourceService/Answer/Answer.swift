import DuetSQLDatabase
public import NIOCore

/// The answer to a ``Question``: the body of a response and its metadata.
public struct Answer: Sendable {
    /// The rows in the requested format.
    public var body: ByteBuffer
    /// The number of rows at the top level of the body; 0 if the body is a page object of GraphQL.
    public var rows = 0
    /// The cursor of the next page; nil on the last page, and for a list without cursors.
    public var next: String?
    /// The number of rows on all pages; nil if the question does not request it.
    public var totalCount: Int64?
    /// The number of values that are null in the body because they do not have the type of their field
    /// (``Field/nullifiesMismatches``).
    public var mismatches = 0
    /// The database cost of the answer.
    public var cost = Cost()
    /// The names of the entities on which the answer depends; empty if the caller did not request them.
    public var tags = EntityTags()
    /// The values of the order columns in the last row, if more rows exist; nil if the list is complete.
    var boundary: [SQLValue]?

    init(body: ByteBuffer) {
        self.body = body
    }

    /// The answer of a repeated request for a row that the same request has removed: null.
    package static let removed = Answer(body: ByteBuffer(string: "null"))

    /// The database cost of a request.
    public struct Cost: Sendable {
        /// The number of statements, without BEGIN and COMMIT.
        public var statements = 0
        /// The time in the transaction, in nanoseconds. It includes the encoding of the rows, because each row is
        /// encoded when it is read.
        public var nanoseconds: UInt64 = 0

        /// Creates a cost.
        public init(statements: Int = 0, nanoseconds: UInt64 = 0) {
            self.statements = statements
            self.nanoseconds = nanoseconds
        }

        /// Returns the sum of two costs.
        public static func + (left: Cost, right: Cost) -> Cost {
            Cost(statements: left.statements + right.statements, nanoseconds: left.nanoseconds + right.nanoseconds)
        }
    }
}
