import DuetGraphQL

/// Suggests the name that is most similar to an unknown name. The number of suggestions is limited, because each
/// suggestion requires a comparison with all names.
struct NearestName {
    private var remaining = 100

    /// Returns the most similar name; nil if no name is similar, or if the limit is reached.
    mutating func of(_ name: String, among names: @autoclosure () -> [String]) -> String? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        return Suggestions.nearest(to: name, among: names()).first
    }

    /// Returns `; did you mean name?` with the most similar name, or `other` if ``of(_:among:)`` returns nil.
    mutating func hint(_ name: String, among names: @autoclosure () -> [String], else other: String = "") -> String {
        of(name, among: names()).map { "; did you mean \($0)?" } ?? other
    }
}
