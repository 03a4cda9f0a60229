extension Estimate {
    /// How two estimates of the same measure compare.
    enum Difference: Sendable, Hashable {
        /// The first is less, by more than the noise.
        case less
        /// The first is greater, by more than the noise.
        case greater
        /// The difference cannot be told from noise.
        case noise
        /// There were too few rounds to tell.
        case tooFewRounds
    }

    /// The least difference that counts, as a share of the lesser median. What is measured is not only noisy but also a little unfair: styles
    /// share the processors with the client and, from afar, with each other.
    private static let least = 0.05

    /// The chance that counts as noise, as for the interval of an estimate.
    private static let noise = 0.07

    /// Compares this estimate with another one.
    ///
    /// Two estimates differ if their intervals do not touch. With few rounds the intervals are ranges, which also miss each other by chance:
    /// those of `n` and `m` rounds of the same distribution in 2 of `(n + m)! / (n! m!)` cases. Where this is likely, no answer is given.
    func difference(from other: Estimate) -> Difference {
        guard 2 / Self.ways(toChoose: count, of: count + other.count) <= Self.noise else { return .tooFewRounds }
        guard abs(median - other.median) >= Self.least * min(median, other.median) else { return .noise }
        if high < other.low { return .less }
        if other.high < low { return .greater }
        return .noise
    }

    /// The binomial coefficient.
    private static func ways(toChoose count: Int, of all: Int) -> Double {
        (0..<count).reduce(1.0) { $0 * Double(all - $1) / Double($1 + 1) }
    }
}
