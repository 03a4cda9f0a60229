/// The median of the values of a measurement's rounds, with a confidence interval. Each round has one value.
package struct Estimate: Sendable, Hashable {
    /// The median.
    package let median: Double
    /// The lower bound of the interval. With five rounds or more, the interval contains the true median with at least
    /// 93 % confidence. With fewer rounds, the lower bound is the least value.
    package let low: Double
    /// The upper bound of the interval (see ``low``).
    package let high: Double
    /// The number of rounds.
    package let count: Int

    /// True if there are enough rounds for a confidence interval.
    package var isSure: Bool { count >= 5 }

    /// - Parameter values: One value of each round. If there are no values, the result is nil.
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

    /// Returns the number of values that are below the interval. An equal number of values is above the interval. In
    /// any distribution, each value is below the true median with a probability of one half. The number of values below
    /// the true median therefore has a binomial distribution (the sign test).
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

extension Estimate {
    /// The result of comparing two estimates of the same measure.
    enum Difference: Sendable, Hashable {
        /// The difference exceeds the noise, and the first estimate is less than the second.
        case less
        /// The difference exceeds the noise, and the first estimate is greater than the second.
        case greater
        /// The difference does not exceed the noise.
        case noise
        /// There are too few rounds for a comparison.
        case tooFewRounds
    }

    /// The minimum difference, as a fraction of the lesser median. It exists because measurements also have a bias:
    /// styles share the processors with the client and, with a round-trip time, with each other.
    private static let least = 0.05

    /// The maximum probability that two intervals are disjoint by chance. With a higher probability, a comparison has
    /// too few rounds. The value corresponds to the confidence of an estimate's interval.
    private static let noise = 0.07

    /// Compares this estimate with an estimate of the same measure.
    ///
    /// Two estimates differ if their intervals do not overlap and their medians differ by at least the minimum
    /// difference. With few rounds, the intervals are the ranges of the values, which can also be disjoint by chance.
    /// For `n` and `m` values of the same distribution, the probability of disjoint ranges is `2·n!·m!/(n+m)!`. If this
    /// probability is too high, the result is ``Difference/tooFewRounds``.
    func difference(from other: Estimate) -> Difference {
        guard 2 / Self.ways(toChoose: count, of: count + other.count) <= Self.noise else { return .tooFewRounds }
        guard abs(median - other.median) >= Self.least * min(median, other.median) else { return .noise }
        if high < other.low { return .less }
        if other.high < low { return .greater }
        return .noise
    }

    /// Returns the binomial coefficient.
    private static func ways(toChoose count: Int, of all: Int) -> Double {
        (0..<count).reduce(1.0) { $0 * Double(all - $1) / Double($1 + 1) }
    }
}
