import ComparisonTasks
import DuetJSON

/// A task that clients have, and the requests of each style for it.
package struct Scenario: Sendable {
    /// The name, such as `list-with-histories`.
    package let name: String
    /// The client's task, as a sentence.
    package let task: String
    /// The rounds of the REST styles without a cache; ``Style/restExport`` is missing where a task has no such response.
    let requests: [Style: [RequestRound]]
    /// The operations of GraphQL, which are sent one after the other.
    let operations: [Operation]
    /// The maximum number of pages of the task's list that are read.
    let pages: Int
    /// The value that the task writes; `nil` if it only reads.
    let written: Written?
    /// Reduces the answers to the values that the task needs.
    let reduce: Reduction
    /// True if the task writes, so that no cache can store its responses.
    package var writes: Bool { written != nil }

    /// Returns true if the task can be asked for in a style.
    package func has(_ style: Style) -> Bool { style != .restExport || requests[.restExport] != nil }

    /// The rounds of a REST style; none for a style of GraphQL.
    func rounds(of style: Style) -> [RequestRound] {
        requests[style == .restCold || style == .restWarm ? .restSparse : style] ?? []
    }

    /// The value that a task leaves in the database.
    struct Written: Sendable {
        /// The value in the bodies of the task's requests. Each execution writes another value of the same length, since writing the stored
        /// value again would be no change.
        let value: String
        /// The address at which the value can be read and put back.
        let target: String
        /// The answer at that address once the value is stored.
        let stored: JSONValue
    }

    private static let declared = Result { try TaskFile.scenarios(in: ComparisonTasks.json) }

    /// All tasks, in the order of their file.
    /// - Throws: ``TaskFileError`` if the file is malformed.
    package static var all: [Scenario] { get throws { try declared.get() } }

    /// The tasks of a file.
    /// - Parameter bytes: A JSON array of tasks, as `docs/comparison.md` describes it.
    /// - Throws: ``TaskFileError`` for the first fault.
    package static func tasks(in bytes: [UInt8]) throws -> [Scenario] { try TaskFile.scenarios(in: bytes) }

    /// The task with a name.
    /// - Throws: ``TaskFileError`` if the file is malformed or has no such task.
    package static func named(_ name: String) throws -> Scenario {
        guard let scenario = try all.first(where: { $0.name == name }) else {
            throw TaskFileError(task: name, reason: "is missing")
        }
        return scenario
    }
}
