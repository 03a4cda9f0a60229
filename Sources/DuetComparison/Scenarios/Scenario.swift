package import DuetJSON

/// A task of a client, with its requests in each style.
package struct Scenario: Sendable {
    /// The name, such as `list-with-histories`.
    package let name: String
    /// The description of the task: one sentence.
    package let task: String
    /// The rounds of each REST style that uses no cache. ``Style/restExport`` is missing unless the task reads a whole
    /// list, and ``Style/restAggregates`` is missing unless aggregates contain the values of the task.
    let requests: [Style: [RequestRound]]
    /// The GraphQL operations. They are sent sequentially.
    let operations: [TaskOperation]
    /// The operations with aggregates instead of rows; empty unless aggregates contain the values of the task.
    let aggregateOperations: [TaskOperation]
    /// The maximum number of pages that the task reads of its list.
    let pages: Int
    /// The value that the task writes; nil if the task only reads.
    let written: Written?
    /// The values that the task needs.
    let picks: Picks
    /// True if the task writes. A cache cannot store the responses of such a task.
    package var writes: Bool { written != nil }

    /// Returns true if the task can be performed in a style.
    package func has(_ style: Style) -> Bool {
        switch style {
        case .restExport, .restAggregates: requests[style] != nil
        case .graphQLAggregates: !aggregateOperations.isEmpty
        default: true
        }
    }

    /// Returns the operations of a GraphQL style.
    func operations(of style: Style) -> [TaskOperation] {
        style == .graphQLAggregates ? aggregateOperations : operations
    }

    /// Returns the rounds of a REST style; an empty array for a GraphQL style.
    func rounds(of style: Style) -> [RequestRound] {
        requests[style == .restCold || style == .restWarm ? .restSparse : style] ?? []
    }

    /// The value that a task stores in the database.
    struct Written: Sendable {
        /// The value in the bodies of the task's requests. Each execution writes a different value of the same length,
        /// because a write of the stored value would change nothing.
        let value: String
        /// The address at which the value can be read and restored.
        let target: String
        /// The response from this address after the value was stored.
        let stored: JSONValue
    }

    /// The content of `tasks.json`: the tasks for the employees database.
    package static let sampleTasks: [UInt8] = PackageResources.tasks_json

    private static let declared = Result { try TaskFileParser.scenarios(in: sampleTasks) }

    /// All tasks of the file `tasks.json`, in their order.
    /// - Throws: ``TaskFileError`` if the file is malformed.
    package static var all: [Scenario] { get throws { try declared.get() } }

    /// Reads tasks.
    /// - Parameter tasks: An array of tasks, in the format that `docs/comparison.md` describes.
    /// - Throws: ``TaskFileError`` for the first fault.
    package static func tasks(in tasks: JSONValue) throws -> [Scenario] { try TaskFileParser.scenarios(in: tasks) }

    /// Returns the task with the given name.
    /// - Throws: ``TaskFileError`` if the file is malformed or has no such task.
    package static func named(_ name: String) throws -> Scenario {
        guard let scenario = try all.first(where: { $0.name == name }) else {
            throw TaskFileError(task: name, reason: "is missing")
        }
        return scenario
    }
}

/// The error for a response that does not match the scenario.
struct UnexpectedAnswer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
