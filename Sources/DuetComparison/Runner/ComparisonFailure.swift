import DuetJSON

/// An error that ends the comparison or one of its scenarios.
package struct ComparisonFailure: Error, CustomStringConvertible {
    /// The name of the scenario in which the error occurred.
    package let scenario: String
    package let style: Style?
    /// The error that occurred.
    package let underlying: any Error

    /// True if the server responded, but its response does not match the task.
    package var isOfAnswer: Bool { underlying is UnexpectedAnswer || underlying is JSONError }

    /// The message without the name of the scenario.
    var reason: String { "\(style.map { "\($0.title): " } ?? "")\(underlying)" }

    /// The complete message on one line.
    package var description: String {
        "\(scenario)\(style.map { " as \($0.title)" } ?? ""): \(underlying)"
    }
}
