/// The median of the values of several rounds, with a confidence interval.
package struct Estimate: Sendable, Hashable {
    /// The median.
    package let median: Double
    /// The lower bound of the interval that contains the true median with at least 93 % confidence, if there are five
    /// rounds or more. With fewer rounds, it is the least value.
    package let low: Double
    /// The upper bound of the interval. See ``low``.
    package let high: Double
    /// The number of rounds.
    package let count: Int

    /// True if there are enough rounds for the confidence interval.
    package var isSure: Bool { count >= 5 }

    /// - Parameter values: One value of each round; at least one.
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

    /// Returns the number of least values, and of greatest values, that lie outside the interval. Each value is below
    /// the true median with a probability of one half, whatever the distribution, so their number has a binomial
    /// distribution (the interval of the sign test).
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
