/// Changes that ``ResourceService/write(_:)-(ChangeList)`` performs in one transaction: all of them, or none.
public struct ChangeList: Sendable, Hashable {
    /// A change with a name, by which later changes refer to its row.
    public struct Step: Sendable, Hashable {
        /// The name. It is unique in the list, unless no other step refers to it.
        public var name: String
        /// The change.
        public var change: Change
        /// The name of an earlier step. The key of its row becomes the key of this change or, for a change of related
        /// rows, the key of the parent row. It is nil if the change contains the key.
        public var keyStep: String?
        /// The name of an earlier step. The key of its row becomes the key of the second row of a link. It is nil if
        /// the change contains the key.
        package var relatedKeyStep: String?

        /// Creates a step.
        public init(_ name: String, _ change: Change, keyStep: String? = nil) {
            self.name = name
            self.change = change
            self.keyStep = keyStep
        }

        /// True if a key becomes known in an earlier step.
        var hasUnknownKey: Bool { keyStep != nil || relatedKeyStep != nil }
    }

    /// The steps, in the order of their execution.
    public var steps: [Step]
    /// The idempotency key; nil if there is none. It has no effect if the transaction is rolled back.
    package var idempotencyKey: IdempotencyKey?

    /// Creates a list.
    public init(_ steps: [Step]) {
        self.steps = steps
    }
}

extension ChangeList {
    /// Checks that the changes with a filter change at most ``Change/maximumRows`` rows together, so that a short
    /// request cannot occupy the database for long.
    func checkMaximum() throws {
        let total = steps.reduce(0) { $0 + ($1.change.maximum ?? 0) }
        guard total > Change.maximumRows else { return }
        throw ServiceError(
            .invalidParameter,
            "the values of max of all changes with a filter are \(total) together; they can be at most \(Change.maximumRows)",
            parameter: "max")
    }
}

/// The failure of one step of a ``ChangeList``. No step had an effect.
public struct ChangeStepError: Error {
    /// The index of the step.
    public let index: Int
    /// The reason.
    public let error: any Error
}

/// The rows of the steps before a step of a ``ChangeList``, as far as they are known before the transaction.
package struct EarlierSteps: Sendable, Hashable {
    /// The name of the changed resource, by the name of the step.
    package private(set) var resources: [String: String] = [:]

    /// Creates the steps before the first step.
    package init() {}

    /// Adds a step. Steps that remove rows or change several rows have no row to which others can refer.
    package mutating func add(_ name: String, _ change: Change) {
        guard change.kind != .delete, change.kind == .insert ? change.rows.count == 1 : change.key != nil else {
            return
        }
        resources[name] = change.resource
    }
}
