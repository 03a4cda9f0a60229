/// The hooks of a service, by the names of the resources whose changes they concern.
public typealias ChangeHooks = [String: any ChangeHook]

/// The rules for the changes of a resource that a description of the database cannot express, such as "a new period
/// ends the previous one". All functions have a default implementation that permits every change.
///
/// ``check(_:in:)`` and ``perform(_:in:)`` run in the transaction of the change. If one of them throws an error, the
/// transaction is rolled back, and the client receives the error.
public protocol ChangeHook: Sendable {
    /// Appends an error for each contradiction between the values of an input. The row does not include missing or
    /// invalid members. The errors of invalid members and of missing required members have already been appended.
    func validate(_ row: RowValues, _ errors: inout [ServiceError.FieldError])

    /// Checks the rows to which a change refers. The function is called before the precondition is evaluated, so that a
    /// missing row takes precedence over a false precondition.
    /// - Throws: ``ServiceError`` to refuse the change.
    func check(_ change: Change, in transaction: ChangeTransaction) throws

    /// Performs a change: calls ``ChangeTransaction/perform(_:)`` with the change, with an altered change, or with
    /// several changes. It can read and write other rows before and after that. The cache tags of the write contain
    /// only the entities of the requested change.
    /// - Returns: The outcome of the change that the client has requested.
    /// - Throws: ``ServiceError`` to refuse the change; ``ChangeRepetition``.
    func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome

    /// Returns true if the service repeats the transaction of a change after a deadlock, and after a
    /// ``ChangeRepetition``.
    func isRepeatable(_ change: Change) -> Bool
}

extension ChangeHook {
    /// Appends no error.
    public func validate(_ row: RowValues, _ errors: inout [ServiceError.FieldError]) {}

    /// Permits the change.
    public func check(_ change: Change, in transaction: ChangeTransaction) throws {}

    /// Performs the change.
    public func perform(_ change: Change, in transaction: ChangeTransaction) throws -> ChangeOutcome {
        try transaction.perform(change)
    }

    /// Returns false.
    public func isRepeatable(_ change: Change) -> Bool { false }
}

/// An error that ``ChangeHook/perform(_:in:)`` throws to request a repetition of the transaction after a rollback, for
/// example because a concurrent change has used the same number.
public struct ChangeRepetition: Error {
    /// The error to report if the change was repeated too often, or is not repeatable.
    public let error: any Error

    /// Creates a repetition.
    public init(_ error: any Error) {
        self.error = error
    }
}
