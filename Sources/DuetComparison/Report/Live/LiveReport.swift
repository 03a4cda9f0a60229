import DuetJSON

/// The costs of watching a screen in several ways.
package struct LiveReport: Sendable {
    /// The name of the task.
    package static let name = "live"

    /// The description of the task: one sentence.
    package let task: String
    /// The time for which the screen was watched.
    package let duration: Duration
    /// The number of changes.
    package let changes: Int
    package let ways: [Way]

    /// True if all ways have shown the last state.
    package var isEqual: Bool { ways.allSatisfy(\.isEqual) }

    /// The cost of one way.
    package struct Way: Sendable {
        package let way: LiveWay
        package let requests: Int
        /// The sent bytes, with header fields and frames.
        package let up: Int
        /// The received bytes.
        package let down: Int
        /// The SQL statements of the server; nil if the server does not report their number.
        package let statements: Int?
        /// The changes that the answers have shown.
        package let shown: ShownChanges

        /// The bytes in both directions.
        var bytes: Int { up + down }
        /// True if the last answer shows the state of the database.
        var isEqual: Bool { shown.endsEqual }
    }
}

/// The changes that the answers of one way have shown.
package struct ShownChanges: Sendable {
    /// A state of the screen. For a change, the time is that of the response to the write, which follows the commit.
    /// For an answer, it is the time of its complete arrival.
    struct Moment: Sendable {
        let state: JSONValue
        let time: ContinuousClock.Instant
    }

    /// For each change, the time from the commit to the first answer that shows this change or a later one; nil without
    /// such an answer.
    let delays: [Duration?]
    /// The numbers of the changes, from 1, that no answer has shown, because a later change preceded the next answer.
    let missed: [Int]
    /// True if the last answer shows the last state of the database.
    let endsEqual: Bool

    /// - Parameters:
    ///   - changes: The changes. Their states are all different.
    ///   - last: The state of the database at the end.
    init(_ changes: [Moment], answers: [Moment], last: JSONValue) {
        delays = changes.indices.map { index in
            let answer = answers.first { answer in changes[index...].contains { $0.state == answer.state } }
            // An answer can arrive before the response to the write.
            return answer.map { max(.zero, $0.time - changes[index].time) }
        }
        missed = changes.indices.filter { index in !answers.contains { $0.state == changes[index].state } }
            .map { $0 + 1 }
        endsEqual = answers.last?.state == last
    }
}
