import Dispatch
import DuetResultSetJSON
import DuetSQLDatabase
import Synchronization

extension ResourceService {
    /// The maximum number of repetitions of a transaction, for changes whose hooks permit them.
    private static let maximumRepetitions = 10
    /// The maximum number of repetitions of a transaction with derived writes.
    private static let maximumDerivedRepetitions = 3

    /// Performs a change, and reads its representations in the same transaction.
    /// - Throws: ``ServiceError`` for a row that does not exist, a conflict or a failed precondition; `DatabaseError`;
    ///   `CancellationError`.
    public func write(_ change: Change) async throws -> ChangeAnswer { try await write(change, key: nil) }

    /// Performs a change with an idempotency key.
    /// - Parameter key: The key; nil if there is none.
    package func write(_ change: Change, key: IdempotencyKey?) async throws -> ChangeAnswer {
        do {
            var list = ChangeList([ChangeList.Step("", change)])
            list.idempotencyKey = key
            return try await write(list)[0]
        } catch let failure as ChangeStepError {
            throw failure.error
        }
    }

    /// Performs changes in one transaction, and reads their representations in the same transaction. If a change fails,
    /// none of them has an effect.
    /// - Returns: The answers, in the order of the steps. The cost of each answer is that of the whole transaction.
    /// - Throws: ``ServiceError`` if changes with a filter could change too many rows together; ``ChangeStepError`` for
    ///   the failure of a step, with an error of ``write(_:)-(Change)``;
    ///   `DatabaseError` if the transaction cannot begin, or cannot be committed; `CancellationError`.
    public func write(_ list: ChangeList) async throws -> [ChangeAnswer] {
        try list.checkMaximum()
        let service = bounded(by: deadline)
        let maximum = maximumRepetitions(of: list)
        var repetitions = 0
        while true {
            let failure: ChangeStepError
            do {
                return try await service.writeOnce(list)
            } catch let error as ChangeStepError {
                failure = error
            } catch let error as DatabaseError where error.isTransient {
                guard repetitions < maximum, !service.deadline.hasPassed else { throw error }
                repetitions += 1
                try await Self.pause(list)
                continue
            }
            switch failure.error {
            case let repetition as ChangeRepetition:
                guard repetitions < maximum else {
                    throw ChangeStepError(index: failure.index, error: repetition.error)
                }
            case let error as DatabaseError where error.isTransient:
                // The transaction was rolled back. If the outcome of COMMIT is unknown, the error is not transient.
                guard repetitions < maximum, !service.deadline.hasPassed else { throw failure }
                try await Self.pause(list)
            default: throw failure
            }
            repetitions += 1
        }
    }

    /// Waits before the repetition of a transaction with derived writes, so that the other transaction can end.
    private static func pause(_ list: ChangeList) async throws {
        guard list.steps.contains(where: { $0.change.appliesRules }) else { return }
        try await Task.sleep(for: .milliseconds(Int.random(in: 5...50)))
    }

    /// Returns the maximum number of repetitions of a transaction.
    private func maximumRepetitions(of list: ChangeList) -> Int {
        list.steps.map { step in
            if hooks[step.change.resource]?.isRepeatable(step.change) == true { return Self.maximumRepetitions }
            return step.change.appliesRules ? Self.maximumDerivedRepetitions : 0
        }.min() ?? 0
    }

    private func writeOnce(_ list: ChangeList) async throws -> [ChangeAnswer] {
        let execution = try ChangeListExecution(list, self)
        let progress = Progress()
        do {
            let (results, statements, start) = try await database.write(
                deadline: deadline, origin: origin,
                isRolledBack: list.isRolledBack
            ) { connection in
                let start = DispatchTime.now().uptimeNanoseconds
                let results = try execution.run(on: connection) { progress.step.store($0, ordering: .relaxed) }
                progress.step.store(-1, ordering: .relaxed)
                return (results, connection.statementCount, start)
            }
            let cost = Answer.Cost(
                statements: statements, nanoseconds: DispatchTime.now().uptimeNanoseconds - start)
            if list.idempotencyKey != nil { await idempotencyKeys.sweep(database) }
            return results.map { result in
                ChangeAnswer(
                    outcome: result.outcome, answers: result.answers, cost: cost, tags: result.tags,
                    isReplayed: result.replayedTags != nil)
            }
        } catch let error as DatabaseError
            where error.code == .foreignKeyViolation && progress.step.load(ordering: .relaxed) < 0
        {
            // Only a deferred foreign key is violated at the end of a transaction.
            guard let index = list.steps.lastIndex(where: { $0.change.appliesRules }) else { throw Self.map(error) }
            let change = list.steps[index].change
            throw ChangeStepError(
                index: index,
                error: ChangeTransaction.deferredReferenceError(
                    of: try planner.resource(change.resource), change))
        } catch let error as DatabaseError where error.code == .commitOutcomeUnknown && list.idempotencyKey != nil {
            throw UnconfirmedWrite(underlying: error)
        } catch {
            let step = progress.step.load(ordering: .relaxed)
            guard step >= 0, !(error is CancellationError) else { throw Self.map(error) }
            throw ChangeStepError(index: step, error: Self.map(error))
        }
    }

    /// The step of a transaction that is running.
    private final class Progress: Sendable {
        /// The index of the step; -1 before the first step and after the last one.
        let step = Atomic<Int>(-1)
    }
}
