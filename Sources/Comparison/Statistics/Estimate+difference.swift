extension Estimate {
    /// The result of comparing two estimates of the same measure.
    enum Difference: Sendable, Hashable {
        /// The first estimate is less than the second by more than the noise.
        case less
        /// The first estimate is greater than the second by more than the noise.
        case greater
        /// The difference is not distinguishable from noise.
        case noise
        /// There are too few rounds for a comparison.
        case tooFewRounds
    }

    /// The minimum difference that counts, as a fraction of the lesser median. Besides noise, measurements contain a
    /// bias: styles share the processors with the client and, at a distance, with each other.
    private static let least = 0.05

    /// The probability that counts as noise, as for the interval of an estimate.
    private static let noise = 0.07

    /// Compares this estimate with another one.
    ///
    /// Two estimates differ if their intervals do not overlap. With few rounds, the intervals are ranges, which can
    /// also be disjoint by chance: those of `n` and `m` rounds of the same distribution are disjoint in 2 of `(n + m)!
    /// / (n! m!)` cases. If this is likely, the result is ``Difference/tooFewRounds``.
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
