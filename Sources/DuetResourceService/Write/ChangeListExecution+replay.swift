import DuetJSON
import DuetSQLDatabase
import NIOCore
import Synchronization

/// The repetition of a request with an idempotency key whose changes an earlier request has performed.
extension ChangeListExecution {
    /// Returns the record of the results of all steps.
    func record(
        _ results: [StepResult], of key: IdempotencyKey, on connection: Connection
    ) throws -> IdempotencyRecord {
        let performance = ChangePerformance(ChangeTransaction(connection, service))
        let transaction = performance.transaction
        return IdempotencyRecord(
            contract: service.contract(for: key),
            steps: try zip(steps, results).map { step, result in
                var outcome = result.outcome
                // No response shows the rows that a filter has selected.
                if step.change.maximum != nil { outcome.keys = [] }
                var recorded = IdempotencyRecord.Step(
                    resource: step.resource.name, outcome: outcome, tags: result.tags,
                    answers: result.answers.map(\.body))
                guard steps.count > 1 else { return recorded }
                performance.rows[step.step.name] = outcome.keys.first.map { (step.resource.name, $0) }
                if step.change.link != nil {
                    let known = step.step.hasUnknownKey ? try step.known(performance) : step
                    recorded.removedEnds = try known.change.link.map { try performance.missingEnds(of: $0) } ?? []
                }
                guard step.change.kind != .delete else { return recorded }
                recorded.removed = try outcome.keys.indices.filter {
                    try !transaction.exists(transaction.planner.presence(of: step.resource, outcome.keys[$0]))
                }
                return recorded
            })
    }

    /// Returns the results in a record, if the caller may still see the rows. The representations are read again if the
    /// record does not contain them, or if the API or the permissions of the caller have changed.
    /// - Throws: ``ServiceError`` for a row that does not exist for the caller. It is not the error of a step, because
    ///   the steps have taken effect.
    func replay(
        _ record: IdempotencyRecord, of key: IdempotencyKey, on connection: Connection
    ) throws -> [StepResult] {
        do {
            return try results(of: record, key, connection)
        } catch var error as ServiceError where error.isMissingSubject {
            error.detail = "the write took effect when it was first sent, but now \(error.detail)"
            throw error
        }
    }

    private func results(
        of record: IdempotencyRecord, _ key: IdempotencyKey, _ connection: Connection
    ) throws -> [StepResult] {
        guard record.steps.map(\.resource) == steps.map(\.resource.name) else {
            throw ServiceError.idempotencyKeyReused
        }
        let isCurrent = record.contract == service.contract(for: key)
        let performance = ChangePerformance(ChangeTransaction(connection, service))
        let execution = service.execution(on: connection, namesEntities: false)
        return try zip(steps, record.steps).map { step, recorded in
            performance.rows[step.step.name] = recorded.outcome.keys.first.map { (recorded.resource, $0) }
            if step.change.kind != .delete {
                for (index, key) in recorded.outcome.keys.enumerated() where !recorded.removed.contains(index) {
                    try performance.transaction.requireRow(of: recorded.resource, key)
                }
            }
            let known = step.step.hasUnknownKey ? try step.known(performance) : step
            if let link = known.change.link { try performance.requireEnds(of: link, except: recorded.removedEnds) }
            let answers: [Answer]
            if isCurrent, let bodies = recorded.answers {
                answers = bodies.map(Answer.init)
            } else {
                answers = try known.answers(
                    recorded.outcome, performance, execution, removed: recorded.removed,
                    hasParent: !recorded.removedEnds.contains(0))
            }
            return StepResult(
                outcome: recorded.outcome, answers: answers, entities: [], lists: [], replayedTags: recorded.tags)
        }
    }
}

extension ChangeList {
    /// True if the transaction is rolled back at its end.
    var isRolledBack: Bool { steps.contains { $0.change.isRolledBack } }
}

/// The digest of the API that clients see. It is computed only for requests with idempotency keys.
final class ContractDigest: Sendable {
    private let digest = Mutex<BodyDigest?>(nil)

    /// Returns the digest, which the closure computes once.
    func value(_ compute: () -> BodyDigest) -> BodyDigest {
        digest.withLock { digest in
            let value = digest ?? compute()
            digest = value
            return value
        }
    }
}

extension ResourceService {
    /// Returns the digest of all that determines the representations for the sender of a key, except for the rows: the
    /// API, and the permissions and claims of the sender.
    func contract(for key: IdempotencyKey) -> BodyDigest {
        let api = contract.value {
            let schema = try? CatalogueSchema.schema(of: catalogue, dates: encoding.dates)
            return BodyDigest(of: ByteBuffer(string: schema.map(GraphQLStyle.sdl) ?? ""))
        }
        return key.permissions.map { api.masked(($0.low, $0.high)) } ?? api
    }
}

extension ResourceService {
    /// Adds rows with an idempotency key, unless an earlier request with the key has added them.
    /// - Parameters:
    ///   - key: The key; nil if there is none.
    ///   - add: A closure that adds the rows, and returns their number.
    /// - Returns: The number of rows, and true if an earlier request has added them.
    func once(
        _ key: IdempotencyKey?, _ resource: Resource, _ connection: Connection, _ add: () throws -> Int
    ) throws -> (count: Int, isReplayed: Bool) {
        guard let key else { return (try add(), false) }
        if let record = try idempotencyKeys.begin(key, on: connection) {
            return (record.steps.first?.outcome.count ?? 0, true)
        }
        let count = try add()
        let step = IdempotencyRecord.Step(
            resource: resource.name, outcome: ChangeOutcome(keys: [], count: count, isNew: true), tags: EntityTags(),
            answers: [])
        try idempotencyKeys.end(
            key, IdempotencyRecord(contract: contract(for: key), steps: [step]), on: connection)
        return (count, false)
    }
}
