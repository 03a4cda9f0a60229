import Foundation

/// The number of repetitions in tests with random input or with many requests.
///
/// Two environment variables apply to all of these tests:
/// - `DUET_TEST_SCALE` is the factor by which their counts are multiplied. The default is 1, with which the tests take
///   seconds. `make check-tests` uses 4.
/// - `DUET_TEST_SEED` is the first seed of random input. The default is 1. The message of a failure names its seed, so
///   `make test FILTER=… DUET_TEST_SEED=17` repeats a failure with seed 17 first.
package enum TestScale {
    private static let factor = number("DUET_TEST_SCALE", or: 1)
    private static let firstSeed = UInt64(number("DUET_TEST_SEED", or: 1))

    /// True if the tests may take longer than those of each change. Such a test says so in its condition.
    package static var isRaised: Bool { factor > 1 }

    /// Returns a number of repetitions.
    /// - Parameter count: The number at the scale 1.
    package static func count(_ count: Int) -> Int { max(1, count * factor) }

    /// Returns a seed for each repetition.
    /// - Parameter count: The number of seeds at the scale 1.
    package static func seeds(_ count: Int) -> Range<UInt64> { firstSeed..<firstSeed + UInt64(self.count(count)) }

    /// Returns seeds that are arguments of a test. Their number does not depend on the scale, so that the number of
    /// test cases is constant.
    package static func fixedSeeds(_ count: Int) -> Range<UInt64> { firstSeed..<firstSeed + UInt64(count) }

    /// Zero and invalid numbers count as not set.
    private static func number(_ name: String, or standard: Int) -> Int {
        guard let text = ProcessInfo.processInfo.environment[name], let number = Int(text), number > 0 else {
            return standard
        }
        return number
    }
}
