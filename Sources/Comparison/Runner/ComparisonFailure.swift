import DuetJSON

/// Why a comparison cannot go on.
package struct ComparisonFailure: Error, CustomStringConvertible {
    /// The scenario that was asked for, and the style.
    package let scenario: String
    package let style: Style?
    /// What has happened.
    package let underlying: any Error

    /// True if the server has answered, but not as the task expects.
    package var isOfAnswer: Bool { underlying is UnexpectedAnswer || underlying is JSONError }

    /// All of it, on one line.
    package var description: String {
        "\(scenario)\(style.map { " as \($0.title)" } ?? ""): \(underlying)"
    }
}
