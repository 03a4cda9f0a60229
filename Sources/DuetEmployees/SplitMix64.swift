/// A small pseudorandom number generator whose results are equal on every machine and in every version of Swift:
/// SplitMix64 by Steele, Lea and Flood ("Fast splittable pseudorandom number generators", 2014).
///
/// The standard library's `random(in:using:)` may change its algorithm between releases. The functions of this type
/// therefore do not use it. Only tests use this type as a `RandomNumberGenerator`.
package struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the sequence of a seed. Its first numbers are already well distributed.
    package init(seed: UInt64) { state = seed }

    /// Creates one of many sequences of a seed.
    /// - Parameters:
    ///   - seed: The seed of the sequence.
    ///   - stream: The number of the sequence, for example an employee number. Sequences with different numbers are
    ///     independent.
    package init(seed: UInt64, stream: UInt64) {
        state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) ^ Self.mixed(stream)
    }

    /// Returns the next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Returns a random number in `0..<bound`. The bound must be positive.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns a random number in a range that includes both bounds.
    package mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true with a probability of `perThousand` / 1000.
    package mutating func chance(perThousand: Int) -> Bool {
        below(1000) < perThousand
    }

    /// Returns a random index of `weights`. The probability of an index is proportional to its weight. The sum of the
    /// weights must be positive.
    package mutating func index(weights: [Int]) -> Int {
        var remainder = below(weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            if remainder < weight { return index }
            remainder -= weight
        }
        return weights.count - 1
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
