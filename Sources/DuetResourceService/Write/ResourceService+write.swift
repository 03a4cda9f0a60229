import Dispatch
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore

extension ResourceService {
    /// The maximum number of repetitions of a transaction.
    private static let maximumRepetitions = 10

    /// Performs a change, and reads its representations in the same transaction.
    /// - Throws: ``ServiceError`` for a row that does not exist, a conflict or a failed precondition; `DatabaseError`;
    ///   `CancellationError`.
    public func write(_ change: Change) async throws -> ChangeAnswer {
        let service = bounded(by: deadline)
        let isRepeatable = hooks[change.resource]?.isRepeatable(change) ?? false
        var repetitions = 0
        while true {
            do {
                return try await service.writeOnce(change)
            } catch let repetition as ChangeRepetition {
                guard isRepeatable, repetitions < Self.maximumRepetitions else { throw repetition.error }
            } catch let error as DatabaseError where error.isDeadlock {
                guard isRepeatable, repetitions < Self.maximumRepetitions else { throw error }
            }
            repetitions += 1
        }
    }

    private func writeOnce(_ change: Change) async throws -> ChangeAnswer {
        let execution = try ChangeExecution(change, self)
        do {
            let (outcome, answers, entities, statements, start) = try await database.write(
                deadline: deadline, origin: origin
            ) { connection in
                let start = DispatchTime.now().uptimeNanoseconds
                let (outcome, answers, entities) = try execution.run(on: connection)
                return (outcome, answers, entities, connection.statementCount, start)
            }
            return ChangeAnswer(
                outcome: outcome, answers: answers,
                cost: Answer.Cost(
                    statements: statements, nanoseconds: DispatchTime.now().uptimeNanoseconds - start),
                tags: EntityTags(changing: entities + execution.relatedEntities, lists: execution.changedLists))
        } catch {
            throw Self.map(error)
        }
    }
}

/// The execution of a change in one transaction. All that does not need the database is planned before the transaction
/// begins, so that a request that cannot be answered writes nothing.
private struct ChangeExecution: Sendable {
    private let change: Change
    private let service: ResourceService
    private let resource: Resource
    /// The key of the row that the change updates, upserts or deletes; nil if it adds rows, or changes all rows that
    /// match the condition.
    private let key: [SQLValue]?
    private let representations: [PlannedRepresentation]
    let relatedEntities: [Subject.EntityKey]
    let changedLists: [String]

    private var planner: Planner { service.planner }

    private enum PlannedRepresentation {
        /// The statement that reads a changed row. The key of the row can be unknown before the change.
        case row(Plan.Statement)
        case question(Plan)
    }

    init(_ change: Change, _ service: ResourceService) throws {
        let planner = service.planner
        let resource = try planner.resource(change.resource)
        self.change = change
        self.service = service
        self.resource = resource
        key = change.kind == .upsert ? change.rows.first?.values(of: resource.key) : change.key
        if change.precondition != nil {
            guard !change.representations.isEmpty, change.kind == .insert || change.parent != nil || key != nil else {
                throw CatalogueError("a precondition of a change needs the key of a row, and a representation")
            }
        }
        representations = try change.representations.map { representation -> PlannedRepresentation in
            switch representation {
            case .row(let selection): .row(try planner.item(of: resource, selection))
            case .question(let question): .question(try planner.plan(question))
            }
        }
        relatedEntities = try planner.relatedEntities(of: change)
        changedLists = try planner.changedLists(of: change)
    }

    /// Runs all steps of the change.
    /// - Returns: The outcome, the representations after the change, and the keys of the entities whose data the
    ///   changed rows contained before the change and contain after it.
    func run(on connection: Connection) throws -> (ChangeOutcome, [Answer], [Subject.EntityKey]) {
        let transaction = ChangeTransaction(connection, service)
        let execution = service.execution(on: connection, namesEntities: false)
        let hook = service.hooks[change.resource]
        let existing = try lock(in: transaction)
        try hook?.check(change, in: transaction)
        if let precondition = change.precondition {
            try precondition.check(existing == nil ? nil : try current(execution))
        }
        let outcome: ChangeOutcome
        do {
            outcome = try hook?.perform(change, in: transaction) ?? transaction.perform(change)
        } catch let error as DatabaseError where error.code == .uniqueViolation {
            throw ServiceError(.conflict, "another row already has the same key or another unique value")
        }
        var entities = existing ?? []
        guard change.kind != .delete else { return (outcome, [], entities) }
        if let parent = change.parent {
            entities += try service.entities(of: try planner.resource(parent.resource), parent.key, connection)
        } else {
            for key in outcome.keys { entities += try service.entities(of: resource, key, connection) }
        }
        let answers = try representations.flatMap { representation -> [Answer] in
            switch representation {
            case .row(let statement):
                try outcome.keys.map { try execution.answer(row(statement, $0), .json) }
            case .question(let plan): [try execution.answer(plan, .json)]
            }
        }
        return (outcome, answers, entities)
    }

    /// Locks the parent row, or the row of the change.
    /// - Returns: The keys of the entities whose data the row contains; nil if the change has no such row.
    private func lock(in transaction: ChangeTransaction) throws -> [Subject.EntityKey]? {
        if let parent = change.parent {
            return try lock(try planner.resource(parent.resource), parent.key, in: transaction)
        }
        guard let key else { return nil }
        // The rows of an upsert need not exist.
        if change.kind == .upsert {
            let keys = change.rows.compactMap { $0.values(of: resource.key) }
            let existing = try keys.filter { try transaction.lock(resource, $0, where: change.condition) }
            guard !existing.isEmpty else { return nil }
            return try existing.flatMap { try service.entities(of: resource, $0, transaction.connection) }
        }
        return try lock(resource, key, where: change.condition, in: transaction)
    }

    private func lock(
        _ resource: Resource, _ key: [SQLValue], where condition: Filter = .everything,
        in transaction: ChangeTransaction
    ) throws -> [Subject.EntityKey] {
        guard try transaction.lock(resource, key, where: condition) else { throw ServiceError.missing(resource, key) }
        return try service.entities(of: resource, key, transaction.connection)
    }

    /// Returns the plan of the changed row with a key.
    private func row(_ statement: Plan.Statement, _ key: [SQLValue]) -> Plan {
        Plan(statement: statement, subject: Subject(resource, key))
    }

    /// Returns the first representation before the change; nil if it does not exist.
    private func current(_ execution: PlanExecution) throws -> ByteBuffer? {
        do {
            switch representations.first {
            case .row(let statement): return try key.map { try execution.answer(row(statement, $0), .json).body }
            case .question(let plan): return try execution.answer(plan, .json).body
            case nil: return nil
            }
        } catch let error as ServiceError where error.isMissingSubject {
            return nil
        }
    }
}
