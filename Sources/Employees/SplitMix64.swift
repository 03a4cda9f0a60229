/// A small random number generator whose numbers are the same on every machine and in every version: Steele, Lea and
/// Flood's SplitMix64 ("Fast splittable pseudorandom number generators", 2014).
///
/// The standard library's `random(in:using:)` may change its algorithm between releases, so draws are made here, from
/// whole numbers only.
package struct SplitMix64 {
    private var state: UInt64

    /// - Parameters:
    ///   - seed: which sequence.
    ///   - stream: which of the seed's independent sequences, for example an employee's number.
    package init(seed: UInt64, stream: UInt64) {
        state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15) ^ Self.mixed(stream)
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number from 0 up to, not including, `bound`, which must be above 0.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// A number from the range's lower to its upper bound, both included.
    package mutating func within(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + below(range.upperBound - range.lowerBound + 1)
    }

    /// True `perThousand` times of a thousand.
    package mutating func chance(perThousand: Int) -> Bool {
        below(1000) < perThousand
    }

    /// An index into `weights`, each as likely as its share of the sum; the sum must be above 0.
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
