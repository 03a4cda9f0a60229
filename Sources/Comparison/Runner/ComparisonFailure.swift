/// Why a comparison cannot go on.
package struct ComparisonFailure: Error, CustomStringConvertible {
    /// The scenario that was asked for, and the style.
    package let scenario: String
    package let style: Style?
    /// What has happened.
    package let underlying: any Error

    /// All of it, on one line.
    package var description: String {
        "\(scenario)\(style.map { " as \($0.title)" } ?? ""): \(underlying)"
    }
}
