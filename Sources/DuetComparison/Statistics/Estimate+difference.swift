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
