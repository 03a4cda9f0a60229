import Dispatch
public import DuetJSON
public import DuetResultSetJSON
public import DuetSQLDatabase
public import NIOCore

/// The service that the REST API and the GraphQL API share. It reads the answers to ``Question``s from a database, and
/// performs the writes of a ``Catalogue``. In this module, REST and GraphQL are the two *styles* of the API.
public struct ResourceService: Sendable {
    /// The resources.
    public let catalogue: Catalogue
    /// The database.
    public let database: Database
    /// The encoding of values in both styles.
    public let encoding: ValueEncoding
    /// The maximum number of bytes of a buffered answer before compression. Creating an answer can need several times
    /// as much memory.
    public let maximumAnswerSize: Int
    /// The maximum total time of the transactions of one request. The time begins when the request has been read. It
    /// includes the waits for a connection, the statements and the retries. For a stream, the property is the maximum
    /// time of each piece.
    public let requestTimeout: Duration
    /// The origin of the service's transactions. With a different origin for each style, metrics can count the
    /// statements of each style separately.
    public var origin = TransactionOrigin.unspecified
    /// The maximum work of a read on the calling thread, which may be the thread of an event loop; nil if all reads run
    /// on threads of the pool. During a read on an event loop, the loop serves no other request.
    ///
    /// On SQLite, a read of one row by its key runs on the calling thread, if the row is expected to have few nested
    /// rows. If the read exceeds the budget, it runs again in the pool, so some of its statements run twice. The next
    /// thousand reads with the same plan then run in the pool. On MariaDB, all reads run in the pool.
    public var directReadBudget: ReadBudget? = Self.defaultDirectReadBudget
    /// The maximum number of rows that each statement of a read can examine without returning them; nil for no limit. A
    /// resource can have a limit of its own (``Resource/maximumScan``). A statement that examines more rows fails with
    /// the code ``ServiceError/Code/scanTooLarge``.
    ///
    /// SQLite stops the statement while it runs. MariaDB has no such limit that fails instead of omitting rows, so a
    /// statement of MariaDB is limited only by ``requestTimeout``.
    public var maximumScan: Int? = Self.defaultMaximumScan
    /// The values of the parameters in the conditions of resources and questions (``Operand/parameter(_:)``), by name.
    /// A list is an array. A value has the JSON format of the field with which it is compared.
    ///
    /// A plan does not depend on the values. An answer needs a value for each parameter in its statements, and
    /// otherwise fails with ``ParameterError``.
    public var parameters: [String: JSONValue] = [:]
    /// A digest of the permissions of the caller. It is combined with each entity tag, so that the tags of equal rows
    /// differ for callers with different permissions; nil without roles.
    public var tagMask: BodyDigest?
    /// The records of writes with idempotency keys.
    package var idempotencyKeys = IdempotencyStore()
    /// The questions that callers watch. The services of all roles have the same object.
    public var live: LiveQueries
    /// The digest of the API that clients see.
    let contract = ContractDigest()
    /// The rules for changes, by the names of the changed resources.
    public let hooks: ChangeHooks
    /// The deadline that all calls for one request share; nil if each call has a separate deadline.
    private var requestDeadline: Deadline?
    let planner: Planner

    /// The number of rows of a page, in both styles, if the client does not specify a number.
    public static let defaultPageSize = 100
    /// The maximum number of rows of a page.
    public static let maximumPageSize = 1000

    /// The default of ``maximumAnswerSize`` in bytes.
    public static let defaultMaximumAnswerSize = 32 << 20

    /// The default of ``maximumScan``.
    public static let defaultMaximumScan = 1_000_000
    /// The largest number that a setting of ``maximumScan`` accepts.
    package static let largestMaximumScan = 1_000_000_000_000

    /// The default of ``requestTimeout``.
    public static let defaultRequestTimeout: Duration = .seconds(30)

    /// The default of ``directReadBudget``. The number of steps corresponds to about 3 ms of processor time; most reads
    /// need one hundredth of this time. The limit of the elapsed time bounds the wait for a slow disk. It is larger
    /// than 3 ms, because the thread may have to wait for a processor.
    public static let defaultDirectReadBudget = ReadBudget(steps: 300_000, time: .milliseconds(20))

    /// Creates a service for a database that has the tables of the catalogue.
    public init(
        _ catalogue: Catalogue, database: Database, encoding: ValueEncoding,
        maximumAnswerSize: Int = Self.defaultMaximumAnswerSize, requestTimeout: Duration = Self.defaultRequestTimeout,
        hooks: ChangeHooks = [:]
    ) {
        self.catalogue = catalogue
        self.database = database
        live = LiveQueries(database)
        var encoding = encoding
        // The type of the field, not the type of the column, determines whether a value is written as a Boolean.
        encoding.writesBooleans = false
        self.encoding = encoding
        self.maximumAnswerSize = maximumAnswerSize
        self.requestTimeout = requestTimeout
        self.hooks = hooks
        planner = Planner(catalogue: catalogue, dialect: database.dialect)
    }

    /// Returns the service for the callers of a role. It has the catalogue of the role
    /// (``Catalogue/restricted(to:)``). Set ``parameters`` to the claims of the caller.
    /// - Throws: ``RoleError`` for an error in the role.
    public func restricted(to role: Role) throws(RoleError) -> ResourceService {
        var service = ResourceService(
            try catalogue.restricted(to: role), database: database, encoding: encoding,
            maximumAnswerSize: maximumAnswerSize, requestTimeout: requestTimeout, hooks: hooks)
        service.origin = origin
        service.directReadBudget = directReadBudget
        service.maximumScan = maximumScan
        service.requestDeadline = requestDeadline
        service.parameters = parameters
        service.tagMask = tagMask
        service.idempotencyKeys = idempotencyKeys
        service.live = live
        return service
    }

    /// The deadline of a transaction that begins now.
    var deadline: Deadline { requestDeadline ?? .after(requestTimeout) }

    /// Returns a copy of the service whose calls share a deadline.
    func bounded(by deadline: Deadline) -> ResourceService {
        var service = self
        service.requestDeadline = deadline
        return service
    }

    /// Returns the plan of a question.
    /// - Throws: ``ServiceError`` for a cursor that does not belong to the list.
    public func plan(_ question: Question) throws -> Plan { try planner.plan(question) }

    /// Answers a question in one snapshot of the database.
    /// - Throws: ``ServiceError`` if the row does not exist; `DatabaseError`; `CancellationError`.
    public func answer(
        _ question: Question, _ format: RowFormat = .json, namesEntities: Bool = false
    ) async throws -> Answer {
        try await answer(try plan(question), format, namesEntities: namesEntities)
    }

    /// Executes a plan in one snapshot of the database.
    /// - Parameters:
    ///   - plan: The plan.
    ///   - format: The format of the body. CSV is valid only if ``Plan/hasAttachments`` is false.
    ///   - namesEntities: True to set ``Answer/tags``.
    /// - Throws: ``ServiceError`` if the row does not exist; `DatabaseError`; `CancellationError`.
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

    /// Runs a closure in one snapshot of the database.
    /// - Parameter short: The plans that the closure executes, if ``Plan/isShort`` is true for all of them; otherwise
    ///   nil. If the value is not nil, the closure first runs on the calling thread, with ``directReadBudget``. If this
    ///   run is not possible or exceeds the budget, the closure runs on a thread of the pool.
    func read<Value: Sendable>(
        _ short: [Plan]?, before deadline: Deadline, _ body: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        if let short, let budget = directReadBudget {
            switch try database.readDirectly(within: budget, deadline: deadline, origin: origin, body) {
            case .value(let value): return value
            case .overBudget: for plan in short { plan.statement.tookLong() }
            case .unavailable: break
            }
        }
        return try await database.read(deadline: deadline, origin: origin, body)
    }

    /// Checks that a row exists.
    /// - Returns: The cost, and the names of the entities whose data the row contains.
    /// - Throws: ``ServiceError`` if the row does not exist; `DatabaseError`.
    public func requireRow(_ resource: Resource, _ key: [SQLValue]) async throws -> (Answer.Cost, EntityTags) {
        let existence = try planner.existence(of: resource, Subject(resource, key))
        let (cost, entities) = try await database.read(deadline: deadline, origin: origin) { connection in
            let start = DispatchTime.now().uptimeNanoseconds
            connection.sharedArguments = try arguments(of: existence.parameters)
            let row = try connection.query(existence.sql, existence.arguments)
            guard try row.next() else { throw existence.subject.missing }
            row.close()
            let entities = try self.entities(of: resource, key, connection)
            let cost = Answer.Cost(
                statements: connection.statementCount, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
            return (cost, entities)
        }
        return (cost, EntityTags(changing: entities, lists: []))
    }

    /// Creates a ``PlanExecution`` on a connection that is already in a transaction.
    /// - Parameters:
    ///   - parameters: The values of parameters; nil for ``parameters``.
    ///   - tagMask: The digest of the permissions of the caller; nil for ``tagMask``.
    func execution(
        on connection: Connection, namesEntities: Bool, parameters: [String: JSONValue]? = nil,
        tagMask: BodyDigest? = nil
    ) -> PlanExecution {
        var encoding = encoding
        if let mask = tagMask ?? self.tagMask { encoding.digestMask = (mask.low, mask.high) }
        return PlanExecution(
            connection: connection, catalogue: catalogue, encoding: encoding, maximumSize: maximumAnswerSize,
            maximumScan: maximumScan, namesEntities: namesEntities, parameters: parameters ?? self.parameters)
    }

    /// Returns the arguments of parameters.
    /// - Throws: ``ParameterError``.
    func arguments(of parameters: [PlanParameter]) throws -> Arguments {
        try PlanParameter.arguments(
            of: parameters, self.parameters, ValueReader(dates: encoding.dates, dialect: database.dialect))
    }

    /// Executes a plan in one snapshot of the database. The answer can have any length, because only a part of it is in
    /// memory at a time.
    ///
    /// A plan with attachments (see ``Plan/hasAttachments``) is executed page by page, with separate statements for
    /// each page. A plan without attachments is executed with one statement.
    /// - Returns: The pieces of the body.
    /// - Throws: The errors of ``answer(_:_:namesEntities:)-(Plan,_,_)``; ``ServiceError`` for a plan with attachments
    ///   whose order contains aggregates of relations, because each page would compute the aggregates of all rows
    ///   again.
    public func stream(_ plan: Plan, _ format: RowFormat) async throws -> ReadStream<ByteBuffer> {
        if plan.hasAttachments, case .rows(let rows) = plan.form, rows.order.contains(where: { $0.related != nil }) {
            throw ServiceError(
                .invalidParameter,
                "all rows with details cannot be sorted by an aggregate of a relation; request a page with first, or remove details or the aggregate",
                parameter: "sort")
        }
        return try await database.stream(timeout: requestTimeout, origin: origin) { connection in
            guard plan.hasAttachments, case .rows(let rows) = plan.form else {
                return try execution(on: connection, namesEntities: false).pieces(plan, format)
            }
            // The first page begins after the cursor of the plan, if the plan has one. `resume` creates the plan of
            // each page.
            var next: Plan? = try rows.resume(Self.rowsPerPiece, rows.after)
            next?.existence = plan.existence
            return {
                guard let plan = next else { return nil }
                let answer: Answer
                do {
                    // Each piece has the size limit of a buffered answer.
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

    /// Returns a ``ServiceError`` if the error reports that the answer exceeded the size limit; otherwise returns the
    /// error unchanged.
    static func map(_ error: any Error) -> any Error {
        guard let failure = error as? DatabaseError, failure.code == .tooLarge else { return error }
        return ServiceError(
            .answerTooLarge, "the response exceeds the size limit of the server; request fewer rows or fields")
    }

    /// Reads a row to detect a database that is unavailable, damaged or replaced.
    /// - Throws: `DatabaseError` if the read fails, if the statement takes more than two seconds, or if the whole read
    ///   exceeds the request timeout.
    public func checkReadiness() async throws {
        guard let resource = catalogue.resources.first else { return }
        var scope = StatementScope()
        // No client receives the row.
        let source = try RowSource(resource, planner, &scope, .all)
        let key = resource.keyFields.map { catalogue.compared(source.table.column($0.column), $0, of: resource) }
            .joined(separator: ", ")
        let sql = source.select(key.isEmpty ? "1" : key) + (key.isEmpty ? "" : " ORDER BY \(key)") + " LIMIT 1"
        _ = try await database.read(timeout: .limit(.seconds(2)), deadline: deadline, origin: origin) { connection in
            try connection.execute(sql)
        }
    }
}
