import Dispatch
public import DuetJSON
import DuetResultSetJSON
public import DuetSQLDatabase
import NIOCore

/// A request for a write, independent of the API style (REST or GraphQL).
public struct WriteRequest: Sendable {
    /// The write.
    public let write: Write
    /// The key of the row that the write changes or, for a related row, of its parent row; empty for a new row of the
    /// resource.
    public let key: [SQLValue]
    /// The values of the fields that identify the related row; empty if the write changes no related row.
    public let relatedKey: [SQLValue]
    /// The input.
    public let values: WriteValues
    /// The precondition; nil if the request has none. It is evaluated before the change. It refers to the
    /// representation that answers the first question.
    public var precondition: Precondition?
    /// The questions to answer after the change. If the write changes a row of the resource itself, a question for a
    /// single row of the resource is answered with the changed row, even if the row has a new key.
    public var questions: [Question]

    /// Creates a request.
    public init(
        _ write: Write, key: [SQLValue], relatedKey: [SQLValue] = [], values: WriteValues,
        precondition: Precondition? = nil, questions: [Question]
    ) {
        self.write = write
        self.key = key
        self.relatedKey = relatedKey
        self.values = values
        self.precondition = precondition
        self.questions = questions
    }
}

/// The result of a write.
public struct WriteAnswer: Sendable {
    /// The key of the changed row, and a flag for a new row.
    public let outcome: WriteOutcome
    /// The answers to the questions in their order; empty after a removal.
    public let answers: [Answer]
    /// The cost of the whole transaction, including the commit.
    public let cost: Answer.Cost
    /// The names of the entities that the write has changed, and the cache tags of the lists that may contain these
    /// entities.
    public let tags: EntityTags
}

extension ResourceService {
    /// The maximum number of repetitions of a transaction.
    private static let maximumRepetitions = 10

    /// Performs a write, and answers the questions of the request in the same transaction.
    /// - Throws: ``ServiceError`` for a row that does not exist, a conflict or a failed precondition; `DatabaseError`;
    ///   `CancellationError`.
    public func write(_ request: WriteRequest) async throws -> WriteAnswer {
        let service = bounded(by: deadline)
        var repetitions = 0
        while true {
            do {
                return try await service.writeOnce(request)
            } catch let repetition as WriteRepetition {
                guard request.write.isRepeatable, repetitions < Self.maximumRepetitions else { throw repetition.error }
            } catch let error as DatabaseError where error.isDeadlock {
                guard request.write.isRepeatable, repetitions < Self.maximumRepetitions else { throw error }
            }
            repetitions += 1
        }
    }

    private func writeOnce(_ request: WriteRequest) async throws -> WriteAnswer {
        let write = request.write
        let resource = try planner.resource(write.resource)
        let plans = try request.questions.map(planner.plan)
        let relatedEntities = try planner.relatedEntities(of: request, resource)
        let changedLists = try planner.changedLists(of: write, resource)
        do {
            let (outcome, answers, entities, statements, start) = try await database.write(
                deadline: deadline, origin: origin
            ) { connection in
                let start = DispatchTime.now().uptimeNanoseconds
                let execution = execution(on: connection, namesEntities: false)
                let context = WriteContext(
                    connection: connection, key: request.key, relatedKey: request.relatedKey, values: request.values)
                var entities: [Subject.EntityKey] = []
                if write.target != .newItem {
                    try lock(Subject(resource, request.key), resource, connection)
                    entities = try self.entities(of: resource, request.key, connection)
                }
                try write.check(context)
                if let precondition = request.precondition {
                    try precondition.check(try Self.current(plans.first, write, execution))
                }
                let outcome = try write.perform(context)
                if write.target != .removal { entities += try self.entities(of: resource, outcome.key, connection) }
                let answers = try Self.answers(plans, Subject(resource, outcome.key), write, execution)
                return (outcome, answers, entities, connection.statementCount, start)
            }
            return WriteAnswer(
                outcome: outcome, answers: answers,
                cost: Answer.Cost(
                    statements: statements, nanoseconds: DispatchTime.now().uptimeNanoseconds - start),
                tags: EntityTags(changing: entities + relatedEntities, lists: changedLists))
        } catch {
            throw Self.map(error)
        }
    }

    /// Checks that a row exists, and locks it until the end of the transaction.
    private func lock(_ subject: Subject, _ resource: Resource, _ connection: Connection) throws {
        let existence = try planner.existence(of: resource, subject)
        connection.sharedArguments = try arguments(of: existence.parameters)
        let row = try connection.query(existence.sql + connection.dialect.rowLock, existence.arguments)
        guard try row.next() else { throw subject.missing }
        row.close()
    }

    /// Returns the representation of the row before the change; nil if the row does not exist.
    private static func current(
        _ plan: Plan?, _ write: Write, _ execution: PlanExecution
    ) throws -> ByteBuffer? {
        guard let plan, write.target != .newItem else { return nil }
        do {
            return try execution.answer(plan, .json).body
        } catch let error as ServiceError where error.isMissingSubject {
            return nil
        }
    }

    private static func answers(
        _ plans: [Plan], _ subject: Subject, _ write: Write, _ execution: PlanExecution
    ) throws -> [Answer] {
        guard write.target != .removal else { return [] }
        return try plans.map { plan in
            // The key of a new row is known only after the insert, and a change can change the key.
            let isAboutRow = write.target.relation == nil && plan.isRow(of: write.resource)
            return try execution.answer(isAboutRow ? plan.about(subject) : plan, .json)
        }
    }

    /// Reads the values of a write's input.
    /// - Throws: ``ServiceError`` with the code `malformed-body` or `validation-failed`.
    public func values(of body: JSONValue, for write: Write) throws -> WriteValues {
        try InputReader.values(of: body, for: write, dates: encoding.dates)
    }
}
