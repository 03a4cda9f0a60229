import Dispatch
import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore

/// Executes plans on one connection that is in a transaction. Only the connection's thread uses an instance.
final class PlanExecution {
    private let connection: Connection
    private let catalogue: Catalogue
    private let encoding: ValueEncoding
    /// The number of bytes that remain for the bodies of all further answers to the request.
    private var maximumSize: Int
    /// See ``ResourceService/maximumScan``.
    private let maximumScan: Int?
    private let recorder: KeyRecorder?
    /// The values of the named parameters; see ``ResourceService/parameters``.
    private let parameters: [String: JSONValue]
    private var dependencies = EntityTags()

    init(
        connection: Connection, catalogue: Catalogue, encoding: ValueEncoding, maximumSize: Int, maximumScan: Int?,
        namesEntities: Bool, parameters: [String: JSONValue]
    ) {
        self.maximumScan = maximumScan
        self.parameters = parameters
        self.connection = connection
        self.catalogue = catalogue
        self.encoding = encoding
        self.maximumSize = maximumSize
        recorder =
            namesEntities ? KeyRecorder(kinds: catalogue.entityTypes.count, limit: EntityTags.limit) : nil
    }

    /// The names of the entities on which the answers depend; empty if `namesEntities` was false.
    var tags: EntityTags {
        guard let recorder else { return EntityTags() }
        var tags = dependencies
        tags.add(recorder, catalogue)
        tags.limitSize()
        return tags
    }

    /// The maximum size in bytes of an answer that should be written on the calling thread. Writing a larger answer
    /// takes more than a millisecond, and `ResourceService.directReadBudget` does not limit this time. After a larger
    /// answer, the next requests with the same plan therefore run on a thread of the database's pool.
    private static let largestShortAnswer = 256 << 10

    /// Executes a plan and measures the cost.
    func answer(_ plan: Plan, _ format: RowFormat) throws -> Answer {
        let start = DispatchTime.now().uptimeNanoseconds
        let statementsBefore = connection.statementCount
        var answer = Answer(body: ByteBufferAllocator().buffer(capacity: 4096))
        try complete(&answer, plan, format)
        answer.cost = Answer.Cost(
            statements: connection.statementCount - statementsBefore,
            nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
        return answer
    }

    /// Executes a plan.
    /// - Parameter answer: The answer to complete. The function appends the rows to the body. The caller sets the cost.
    /// - Throws: ``UnreadableResource`` if the tables of the plan cannot be read.
    func complete(_ answer: inout Answer, _ plan: Plan, _ format: RowFormat) throws {
        let nullifiedBefore = connection.nullifiedValues
        try read(plan) { try write(&answer, plan, format) }
        answer.mismatches = connection.nullifiedValues - nullifiedBefore
    }

    /// Runs a closure that reads the rows of a plan.
    /// - Throws: ``UnreadableResource`` if `isOfTable` is true for the error. The function adds the name of the
    ///   resource to any other `DatabaseError`.
    private func read<Value>(_ plan: Plan, _ body: () throws -> Value) throws -> Value {
        let bound = plan.parameters
        if !bound.isEmpty || !connection.sharedArguments.isEmpty {
            connection.sharedArguments = try PlanParameter.arguments(
                of: bound, parameters, ValueReader(dates: encoding.dates, dialect: connection.dialect))
        }
        let maximumScan = plan.maximumScan(default: maximumScan)
        connection.limitScans(to: maximumScan)
        do {
            return try body()
        } catch let error as DatabaseError where error.code == .changedValue {
            throw Cursor.changed
        } catch let error as DatabaseError where error.code == .scanTooLarge {
            // An attached query has the limit of its own resource.
            let own = error.source.flatMap { catalogue[$0]?.maximumScan }
            throw ServiceError(
                scanOf: error.source ?? plan.statement.source, limit: own ?? maximumScan ?? 0,
                advice: advice(for: error, plan))
        } catch let error as DatabaseError {
            if let mismatch = catalogue.mismatch(error) { throw mismatch }
            if let error = catalogue.longKey(error) { throw error }
            // The error of an attached query already has the name of its resource.
            let source = error.source ?? plan.statement.source
            throw error.isOfTable ? UnreadableResource(source, error) : error.reading(source)
        }
    }

    /// Returns the advice for a statement that examines too many rows.
    private func advice(for error: DatabaseError, _ plan: Plan) -> String {
        guard let advice = plan.statement.scanAdvice, error.source ?? plan.statement.source == plan.statement.source
        else { return ScanAdvice.general }
        return advice.text(error.statement.flatMap { connection.explain($0) })
    }

    private func write(_ answer: inout Answer, _ plan: Plan, _ format: RowFormat) throws {
        let start = answer.body.writerIndex
        if recorder != nil { dependencies.add(plan, catalogue) }
        let statement = plan.statement
        let resultSet = try connection.query(statement.sql, plan.arguments)
        try check(plan.existence, with: resultSet)
        let adapter = ResultSetAdapter(
            resultSet, on: connection, encoding: encoding, shape: statement.shape, known: plan.known,
            maximumSize: maximumSize, recorder: recorder, recordedKeys: statement.entities,
            attachments: statement.attachments)
        switch plan.form {
        case .item(let subject):
            guard try adapter.writeObject(to: &answer.body) else { throw subject.missing }
            answer.rows = 1
            if answer.body.writerIndex - start > Self.largestShortAnswer { statement.tookLong() }
        case .rows(let rows):
            let written = try adapter.write(
                format, to: &answer.body, limit: rows.limit ?? .max,
                boundary: rows.limit == nil ? [] : rows.order.map(\.label))
            answer.rows = written.rows
            answer.boundary = written.boundary
            if rows.hasCursors {
                answer.next = written.boundary.map {
                    Cursor(values: $0).encoded(context: rows.context, order: rows.order)
                }
            }
        case .page(let form):
            try adapter.writePage(form, to: &answer.body)
        case .aggregates:
            if format == .json {
                _ = try adapter.writeObject(to: &answer.body)
            } else {
                _ = try adapter.write(format, to: &answer.body)
            }
            answer.rows = 1
        }
        if let count = statement.count, !count.isForLongerLists || answer.boundary != nil {
            let rows = try connection.query(count.sql, count.arguments)
            if try rows.next() { answer.totalCount = rows.integer(at: 0) }
            rows.close()
        }
        let size = answer.body.writerIndex - start
        // For lists, the adapter has already checked the size while it read the rows, so that a list that is too large
        // is rejected before it needs much memory.
        guard size <= maximumSize else { throw DatabaseError(.tooLarge, "the answer has \(size) bytes") }
        maximumSize -= size
    }

    /// Returns a function that returns the next piece of a plan's rows, or nil after the last piece. The plan must not
    /// have attachments.
    func pieces(_ plan: Plan, _ format: RowFormat) throws -> () throws -> ByteBuffer? {
        let next = try read(plan) {
            let resultSet = try connection.query(plan.statement.sql, plan.arguments)
            try check(plan.existence, with: resultSet)
            return try ResultSetAdapter(resultSet, on: connection, encoding: encoding, shape: plan.statement.shape)
                .pieces(format)
        }
        return { [self] in try read(plan, next) }
    }

    /// Checks that the parent row exists. The statement of the check and the statement of the rows start together, so
    /// that they take one round trip on MariaDB.
    private func check(_ existence: Plan.Existence?, with resultSet: ResultSet) throws {
        guard let existence else { return }
        let row = try connection.query(existence.sql, existence.arguments)
        try connection.start([row, resultSet])
        guard try row.next() else { throw existence.subject.missing }
        if recorder != nil, let type = existence.storedType {
            let key = existence.subject.key.enumerated().map { $1.shown(row.value(at: $0)) }
            dependencies.add(Subject.EntityKey(type: type, key: key))
        }
        row.close()
    }
}

extension DatabaseError {
    /// True if a table or column of the catalogue does not exist in the database.
    package var isChangeOfSchema: Bool { code == .missingTable || code == .missingColumn }

    /// True if the error concerns only the tables or values of the statement, or damaged data. Other tables may be
    /// readable.
    package var isOfTable: Bool {
        isChangeOfSchema
            || [.syntax, .constraintViolation, .failed, .corrupt, .invalidNumber, .invalidValue].contains(code)
    }
}

/// The error for a resource that cannot be read: a table or column does not exist, the data is damaged, or the
/// statement fails, for example because a view is broken.
struct UnreadableResource: ValueBearingError, CustomStringConvertible {
    let resource: String
    let underlying: DatabaseError

    init(_ resource: String, _ underlying: DatabaseError) {
        self.resource = resource
        self.underlying = underlying
    }

    /// A clause for an error message. It contains the name of the missing table or column, if the database reports the
    /// name.
    var change: String {
        guard let name = underlying.missingName else {
            return "the schema of the database differs from the description of the API"
        }
        return
            "the database has no \(underlying.code == .missingTable ? "table" : "column") \(name), which the API describes"
    }

    var description: String { description("\(underlying)") }
    var descriptionWithoutValues: String { description(underlying.descriptionWithoutValues) }

    private func description(_ reason: String) -> String {
        "\(resource) or one of its relations cannot be read: \(reason)"
    }
}
