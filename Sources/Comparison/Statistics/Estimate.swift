/// The median of what several rounds have given, and how sure it is.
package struct Estimate: Sendable, Hashable {
    /// The median.
    package let median: Double
    /// Between these two the true median lies with at least 93 % confidence, if there were five rounds or more; with fewer they are
    /// the least and the greatest.
    package let low: Double
    /// See ``low``.
    package let high: Double
    /// Number of rounds.
    package let count: Int

    /// Whether there were enough rounds for that.
    package var isSure: Bool { count >= 5 }

    /// - Parameter values: one of each round; at least one.
    package init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        count = sorted.count
        let outside = Self.ranksOutside(of: sorted.count)
        low = sorted[outside]
        high = sorted[sorted.count - 1 - outside]
    }

    /// How many of the least values, and of the greatest, may be left out: each value is below the true median with a chance of one
    /// half, whatever the distribution, so their number is binomial (the sign test's interval).
    static func ranksOutside(of count: Int) -> Int {
        var outside = 0
        var ways = 1.0
        var below = ways
        let all = 0.07 / 2 * (0..<count).reduce(1.0) { result, _ in result * 2 }
        while true {
            ways *= Double(count - outside) / Double(outside + 1)
            guard below + ways <= all, outside + 1 <= (count - 1) / 2 else { return outside }
            below += ways
            outside += 1
        }
    }
}
