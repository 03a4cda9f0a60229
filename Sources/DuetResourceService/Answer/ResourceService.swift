import Dispatch
public import DuetResultSetJSON
public import DuetSQLDatabase
public import NIOCore

/// The one service of both API styles: it answers questions about the resources of a catalogue from a database.
public struct ResourceService: Sendable {
    /// The resources.
    public let catalogue: Catalogue
    /// The database.
    public let database: Database
    /// How values are written, in either style.
    public let encoding: ValueEncoding
    /// The maximum number of bytes of an answer that is made whole, before compression. Several times as much may be in memory while
    /// it is made.
    public let maximumAnswerSize: Int
    /// The maximum time of the transactions of one request together, from the moment the request has been read: their waits for a
    /// connection, their statements and retries. A stream has this time for each of its pieces.
    public let requestTimeout: Duration
    /// Reported with each statement, so that each style's statements are counted apart.
    public var origin = TransactionOrigin.unspecified
    /// The deadline of the request that all calls belong to; without one, each call is a request of its own.
    private var requestDeadline: Deadline?
    let planner: Planner

    /// The number of rows of a page, in either style, if a client asks for none.
    public static let defaultPageSize = 100
    /// The maximum number of rows of a page.
    public static let maximumPageSize = 1000

    /// The maximum size of a body in bytes if no other is set.
    public static let defaultMaximumAnswerSize = 32 << 20

    /// The maximum time of a request's transactions if no other is set.
    public static let defaultRequestTimeout: Duration = .seconds(30)

    /// Creates a service on a database that has the catalogue's tables.
    public init(
        _ catalogue: Catalogue, database: Database, encoding: ValueEncoding,
        maximumAnswerSize: Int = Self.defaultMaximumAnswerSize, requestTimeout: Duration = Self.defaultRequestTimeout
    ) {
        self.catalogue = catalogue
        self.database = database
        var encoding = encoding
        // The types of fields decide, not those of columns.
        encoding.writesBooleans = false
        self.encoding = encoding
        self.maximumAnswerSize = maximumAnswerSize
        self.requestTimeout = requestTimeout
        planner = Planner(catalogue: catalogue, dialect: database.url.dialect)
    }

    /// The time at which a transaction that begins now must have ended.
    var deadline: Deadline { requestDeadline ?? .after(requestTimeout) }

    /// The same service for several calls of one request, which must all have ended by the deadline.
    func bounded(by deadline: Deadline) -> ResourceService {
        var service = self
        service.requestDeadline = deadline
        return service
    }

    /// The plan of a question.
    /// - Throws: ``ServiceError`` for a cursor that is not of the list.
    public func plan(_ question: Question) throws -> Plan { try planner.plan(question) }

    /// Answers a question in one snapshot.
    /// - Throws: ``ServiceError`` if the subject is not there, `DatabaseError`, `CancellationError`.
    public func answer(
        _ question: Question, _ format: RowFormat = .json, namesEntities: Bool = false
    ) async throws -> Answer {
        try await answer(try plan(question), format, namesEntities: namesEntities)
    }

    /// Runs a plan in one snapshot.
    /// - Parameters:
    ///   - format: The form of the body; CSV only without attachments.
    ///   - namesEntities: True to record the entities that the answer shows.
    /// - Throws: ``ServiceError`` if the subject is not there, `DatabaseError`, `CancellationError`.
    public func answer(
        _ plan: Plan, _ format: RowFormat = .json, namesEntities: Bool = false
    ) async throws -> Answer {
        do {
            return try await read(plan.isShort ? [plan] : nil, before: deadline) { connection in
                let execution = execution(on: connection, namesEntities: namesEntities)
                var answer = try execution.answer(plan, format)
                answer.tags = execution.tags
                return answer
            }
        } catch {
            throw Self.map(error)
        }
    }

    /// Runs a closure in a snapshot.
    /// - Parameter short: The plans that it runs, if all are short. They are then tried on the calling thread.
    func read<Value: Sendable>(
        _ short: [Plan]?, before deadline: Deadline, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        if let short {
            switch try database.readDirectly(within: Self.directReadBudget, origin: origin, body) {
            case .value(let value): return value
            case .overBudget: for plan in short { plan.statement.tookLong() }
            case .unavailable: break
            }
        }
        return try await database.read(deadline: deadline, origin: origin, body)
    }

    /// The maximum work of a read on the calling thread, which may be an event loop: some 3 ms. Most reads take a hundredth of it. The bound of
    /// the time is larger, because a thread may wait for a processor; it is for a slow disk.
    private static let directReadBudget = ReadBudget(steps: 300_000, time: .milliseconds(20))

    /// Sees that a row is there.
    /// - Returns: The cost, and the entities that an answer about the row shows.
    /// - Throws: ``ServiceError`` if it is not, `DatabaseError`.
    public func requireRow(_ resource: Resource, _ key: [SQLValue]) async throws -> (Answer.Cost, EntityTags) {
        let existence = planner.existence(of: resource, Subject(resource, key))
        let cost = try await database.read(deadline: deadline, origin: origin) { connection in
            let start = DispatchTime.now().uptimeNanoseconds
            let row = try connection.query(existence.sql, existence.arguments)
            guard try row.next() else { throw existence.subject.missing }
            row.close()
            return Answer.Cost(
                statements: connection.statementCount, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        }
        return (cost, EntityTags(changing: [(resource.type, key)], lists: []))
    }

    /// Plans on a connection that is in a transaction already.
    func execution(on connection: Connection, namesEntities: Bool) -> PlanExecution {
        PlanExecution(
            connection: connection, catalogue: catalogue, encoding: encoding, maximumSize: maximumAnswerSize,
            namesEntities: namesEntities)
    }

    /// Runs a plan of any length, piece by piece, in one snapshot and in bounded memory.
    ///
    /// Rows with attachments are read in pages one after the other, so the statements are those of one page, repeated; without
    /// attachments there is one statement.
    /// - Returns: The pieces of the body.
    /// - Throws: As ``answer(_:_:namesEntities:)-(Plan,_,_)``.
    public func stream(_ plan: Plan, _ format: RowFormat) async throws -> ReadStream<ByteBuffer> {
        try await database.stream(timeout: requestTimeout, origin: origin) { connection in
            guard plan.hasAttachments, case .rows(let rows) = plan.form else {
                return try execution(on: connection, namesEntities: false).pieces(plan, format)
            }
            // The first page begins where the plan does; `resume` makes the others.
            var next: Plan? = try rows.resume(Self.rowsPerPiece, rows.after)
            next?.existence = plan.existence
            return {
                guard let plan = next else { return nil }
                let answer: Answer
                do {
                    // Each piece has the bound of an answer that is made whole.
                    answer = try execution(on: connection, namesEntities: false).answer(plan, format)
                } catch {
                    throw Self.map(error)
                }
                next = try answer.boundary.map { try rows.resume(Self.rowsPerPiece, Cursor(values: $0)) }
                return answer.body
            }
        }
    }

    /// The number of rows with attachments in one piece of a stream.
    private static let rowsPerPiece = 250

    /// A failure in the service's words if an answer became too large.
    static func map(_ error: any Error) -> any Error {
        guard let failure = error as? DatabaseError, failure.code == .tooLarge else { return error }
        return ServiceError(
            .answerTooLarge, "the answer would be larger than the server sends; ask for fewer rows or fields")
    }

    /// Reads a row, to notice a database that is gone, damaged or another one.
    /// - Throws: `DatabaseError` if nothing can be read, or not within the request timeout and two seconds for the statement.
    public func checkReadiness() async throws {
        guard let resource = catalogue.resources.first else { return }
        let key = resource.keyFields.map { SQLIdentifier.quoted($0.column) }.joined(separator: ", ")
        _ = try await database.read(timeout: .limit(.seconds(2)), deadline: deadline, origin: origin) { connection in
            try connection.execute(
                "SELECT \(key.isEmpty ? "1" : key) FROM \(SQLIdentifier.quoted(resource.table))"
                    + (key.isEmpty ? "" : " ORDER BY \(key)") + " LIMIT 1")
        }
    }
}
