/// A small random number generator with equal results on every machine and in every version: SplitMix64 by Steele, Lea
/// and Flood ("Fast splittable pseudorandom number generators", 2014).
///
/// The standard library's `random(in:using:)` may change its algorithm between releases. Therefore this type derives
/// all results from integers itself.
package struct SplitMix64 {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: The seed of the sequence.
    ///   - stream: The number of one of the seed's independent sequences, for example an employee number.
    package init(seed: UInt64, stream: UInt64) {
        state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) ^ Self.mixed(stream)
    }

    /// Returns the next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Returns a number from 0 up to, but not including, `bound`, which must be positive.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns a number of the range, including its bounds.
    package mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// Returns true with a probability of `perThousand` / 1000.
    package mutating func chance(perThousand: Int) -> Bool {
        below(1000) < perThousand
    }

    /// Returns an index into `weights`. Its probability is the share of its weight in the sum, which must be positive.
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
