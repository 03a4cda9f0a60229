import DuetJSON

/// An error that ends the comparison, or because of which the comparison skips a scenario or one of its styles.
package struct ComparisonFailure: Error, CustomStringConvertible {
    /// The name of the scenario in which the error occurred, or a field that the generated scenarios omit.
    package let scenario: String
    package let style: Style?
    /// The error that occurred.
    package let underlying: any Error

    init(scenario: String, style: Style?, underlying: any Error) {
        (self.scenario, self.style, self.underlying) = (scenario, style, underlying)
    }

    /// Creates the failure of a field that the generated scenarios omit.
    /// - Parameters:
    ///   - field: The field with its resource, such as `orders.note`.
    ///   - reason: The reason why it cannot be read.
    package init(field: String, reason: String) {
        self.init(scenario: "the field \(field)", style: nil, underlying: UnexpectedAnswer(reason))
    }

    /// Creates the failure of a task, or of a group of tasks.
    package init(task: String, reason: String) {
        self.init(scenario: task, style: nil, underlying: UnexpectedAnswer(reason))
    }

    /// True if the server responded, but its response does not match the task.
    package var isOfAnswer: Bool { underlying is UnexpectedAnswer || underlying is JSONError }

    /// The message without the name of the scenario.
    var reason: String { "\(style.map { "\($0.title): " } ?? "")\(underlying)" }

    /// The complete message on one line.
    package var description: String {
        "\(scenario)\(style.map { " as \($0.title)" } ?? ""): \(underlying)"
    }
}
