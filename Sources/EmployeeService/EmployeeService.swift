import Dispatch
public import NIOCore
public import ResultSetJSON
public import SQLDatabase

/// The one service behind both API styles: what can be read and written, and its SQL.
public struct EmployeeService: Sendable {
    /// Where the data is.
    public let database: Database
    /// How values are written, in either style.
    public let encoding: ValueEncoding
    /// Most bytes of an answer that is made whole, before compression. Several times as much may be in memory while it is made.
    public let maximumAnswerSize: Int
    /// How long the transactions of one request may take together, from the moment the request has been read: their waits for
    /// a connection, their statements and retries. A stream has this time for each of its pieces.
    public let requestTimeout: Duration
    /// Reported with each statement, so that each style's statements are counted apart.
    public var origin = TransactionOrigin.unspecified
    /// The deadline of the request that all calls belong to; without one, each call is a request of its own.
    private var requestDeadline: Deadline?
    let planner: Planner

    /// Rows of a page, in either style, when a client asks for none.
    public static let defaultPageSize = 100
    /// Most rows of a page.
    public static let maximumPageSize = 1000

    /// The maximum size of a body in bytes if no other is set.
    public static let defaultMaximumAnswerSize = 32 << 20

    /// The maximum time of a request's transactions if no other is set.
    public static let defaultRequestTimeout: Duration = .seconds(30)

    /// A service on a database whose schema is up to date; see ``Schema``.
    public init(
        database: Database, encoding: ValueEncoding, maximumAnswerSize: Int = Self.defaultMaximumAnswerSize,
        requestTimeout: Duration = Self.defaultRequestTimeout
    ) {
        self.database = database
        self.encoding = encoding
        self.maximumAnswerSize = maximumAnswerSize
        self.requestTimeout = requestTimeout
        planner = Planner(dialect: database.url.dialect)
    }

    /// When a transaction that begins now must have ended.
    var deadline: Deadline { requestDeadline ?? .after(requestTimeout) }

    /// The same service for several calls of one request, which must all have ended by the deadline.
    func bounded(by deadline: Deadline) -> EmployeeService {
        var service = self
        service.requestDeadline = deadline
        return service
    }

    /// A body, and what is known about how it came about.
    public struct Answer: Sendable {
        /// The rows, in the form that was asked for.
        public var body: ByteBuffer
        /// Rows at the top level.
        public var rows = 0
        /// Where the next page begins, if there is one.
        public var next: String?
        var boundary: [SQLValue]?
        /// What it cost.
        public var cost = Cost()
        /// What it shows, where that was asked for.
        public var tags = EntityTags()
    }

    /// What a request has cost in the database.
    public struct Cost: Sendable {
        /// Statements run, without BEGIN and COMMIT.
        public var statements = 0
        /// Time in the transaction. Rows are written as they are read, so this includes writing them.
        public var nanoseconds: UInt64 = 0

        /// That much.
        public init(statements: Int = 0, nanoseconds: UInt64 = 0) {
            self.statements = statements
            self.nanoseconds = nanoseconds
        }

        /// Both together.
        public static func + (left: Cost, right: Cost) -> Cost {
            Cost(statements: left.statements + right.statements, nanoseconds: left.nanoseconds + right.nanoseconds)
        }
    }

    /// Runs a plan in one snapshot.
    /// - Parameters:
    ///   - format: the body's form; CSV only without attachments.
    ///   - namesEntities: whether the answer's tags are wanted.
    /// - Throws: ``ServiceError`` if what is asked for is not there, `DatabaseError`, `CancellationError`.
    public func answer(
        _ plan: ReadPlan, _ format: RowFormat = .json, namesEntities: Bool = false
    ) async throws -> Answer {
        let (encoding, limit) = (encoding, maximumAnswerSize)
        do {
            return try await database.read(deadline: deadline, origin: origin) { connection in
                let recorder = namesEntities ? EntityTags.recorder() : nil
                var answer = try Self.answer(
                    plan, format, encoding, limit: limit, recorder: recorder, on: connection)
                if let recorder { answer.tags = EntityTags(of: plan, recorder) }
                return answer
            }
        } catch {
            throw Self.told(error)
        }
    }

    /// Reads a row, to notice a database that is gone, damaged or another one.
    /// - Throws: `DatabaseError` if nothing can be read, or not within the request timeout and two seconds for the statement.
    public func checkReadiness() async throws {
        _ = try await database.read(
            timeout: .limit(.seconds(2)), deadline: deadline, origin: origin
        ) { connection in
            try connection.execute("SELECT emp_no FROM employees ORDER BY emp_no LIMIT 1")
        }
    }

    /// Runs a plan on a connection that is in a transaction already.
    /// - Parameter recorder: notes the entities that are shown.
    static func answer(
        _ plan: ReadPlan, _ format: RowFormat, _ encoding: ValueEncoding, limit maximumSize: Int,
        recorder: EntityRecorder? = nil, on connection: Connection
    ) throws -> Answer {
        let start = DispatchTime.now().uptimeNanoseconds
        let statementsBefore = connection.statementCount
        var answer = Answer(body: ByteBufferAllocator().buffer(capacity: 4096))
        try complete(&answer, plan, format, encoding, limit: maximumSize, recorder: recorder, on: connection)
        answer.cost = Cost(
            statements: connection.statementCount - statementsBefore,
            nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        return answer
    }

    /// Runs a plan on a connection that is in a transaction already.
    /// - Parameters:
    ///   - answer: has what the body begins with; what the plan reads comes behind it. Its cost is the caller's to count.
    ///   - recorder: notes the entities that are shown.
    static func complete(
        _ answer: inout Answer, _ plan: ReadPlan, _ format: RowFormat, _ encoding: ValueEncoding,
        limit maximumSize: Int, recorder: EntityRecorder?, on connection: Connection
    ) throws {
        let statement = plan.statement
        let resultSet = try connection.query(statement.sql, plan.arguments)
        try check(plan.existence, with: resultSet, on: connection)
        let adapter = ResultSetAdapter(
            resultSet, on: connection, encoding: encoding, shape: statement.shape, known: plan.known,
            maximumSize: maximumSize, recorder: recorder)
        for (form, attachments) in statement.attachments.enumerated() {
            for attachment in attachments {
                let attached = adapter.attach(
                    attachment.member, for: attachment.key, attachment.sql, attachment.arguments,
                    shape: attachment.shape, toForm: form, isForEachKey: attachment.isForEachKey)
                Self.attach(attachment.attachments, to: attached)
            }
        }
        switch plan.form {
        case .object(let subject):
            guard try adapter.writeObject(to: &answer.body) else { throw subject.missing }
            answer.rows = 1
        case .whole:
            answer.rows = try adapter.write(format, to: &answer.body).rows
        case .page(let page):
            let written = try adapter.write(
                format, to: &answer.body, limit: page.limit ?? .max, boundary: page.order.map(\.label))
            answer.rows = written.rows
            answer.boundary = written.boundary
            answer.next = written.boundary.map { Cursor(values: $0).encoded(context: page.context) }
        case .connection(let form):
            try adapter.writePage(form, to: &answer.body)
        }
    }

    private static func attach(_ queries: [[ReadPlan.AttachedQuery]], to parent: Attachment) {
        for (form, queries) in queries.enumerated() {
            for query in queries {
                let attached = parent.attach(
                    query.member, for: query.key, query.sql, query.arguments, shape: query.shape, toForm: form,
                    isForEachKey: query.isForEachKey)
                attach(query.attachments, to: attached)
            }
        }
    }

    /// Runs a plan of any length, piece by piece, in one snapshot and in bounded memory.
    ///
    /// Rows with attachments are read in pages behind each other, so the statements are those of one page, repeated;
    /// without attachments there is one statement.
    /// - Returns: the pieces of the body.
    /// - Throws: what ``answer(_:_:)`` throws.
    public func stream(_ plan: ReadPlan, _ format: RowFormat) async throws -> ReadStream<ByteBuffer> {
        let encoding = encoding
        return try await database.stream(timeout: requestTimeout, origin: origin) { connection in
            guard plan.hasAttachments, case .page(let page) = plan.form else {
                let resultSet = try connection.query(plan.statement.sql, plan.arguments)
                try Self.check(plan.existence, with: resultSet, on: connection)
                return ResultSetAdapter(resultSet, on: connection, encoding: encoding, shape: plan.statement.shape)
                    .pieces(format)
            }
            // The first page begins where the plan does; `resume` knows the rest.
            var next: ReadPlan? = page.resume(Self.rowsPerPiece, page.after)
            next?.existence = plan.existence
            return {
                guard let plan = next else { return nil }
                let answer = try Self.answer(plan, format, encoding, limit: .max, on: connection)
                next = answer.boundary.map { page.resume(Self.rowsPerPiece, Cursor(values: $0)) }
                return answer.body
            }
        }
    }

    /// What has failed, in the service's words if it is that an answer became too large.
    static func told(_ error: any Error) -> any Error {
        guard let failure = error as? DatabaseError, failure.code == .tooLarge else { return error }
        return ServiceError(
            .answerTooLarge, "the answer would be larger than the server sends; ask for fewer rows or fields")
    }

    /// Rows with attachments in one piece of a stream.
    private static let rowsPerPiece = 250

    /// Makes sure that the row is there which the rest belongs to; both statements start together.
    private static func check(
        _ existence: ReadPlan.Existence?, with resultSet: ResultSet, on connection: Connection
    ) throws {
        guard let existence else { return }
        let row = try connection.query(existence.sql, existence.arguments)
        try connection.start([row, resultSet])
        guard try row.next() else { throw existence.subject.missing }
        row.close()
    }
}

extension DatabaseURL {
    /// The SQL its database speaks.
    var dialect: Dialect {
        switch location {
        case .sqlite: .sqlite
        case .mariaDB: .mariaDB
        }
    }
}
