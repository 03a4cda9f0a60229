import Histogram

/// A histogram of durations with three significant digits (HdrHistogram).
struct Latencies: Sendable {
    /// The histogram of the durations in nanoseconds.
    private var histogram = Histogram<UInt32>(
        highestTrackableValue: 600_000_000_000, numberOfSignificantValueDigits: .three)

    /// The number of recorded durations.
    var count: Int { Int(histogram.totalCount) }

    mutating func record(_ latency: Duration) {
        histogram.record(UInt64(max(1, latency / .nanoseconds(1))))
    }

    mutating func add(_ other: Latencies) { histogram.add(other.histogram) }

    /// The median in microseconds.
    var median: Double { microseconds(50) }

    /// Returns a percentile in microseconds. Returns nil if fewer than ten durations are above the percentile, because
    /// the value would then depend on chance.
    /// - Parameter percentile: The percentile, from 50 to 100.
    func tail(_ percentile: Double) -> Double? {
        Double(count) * (1 - percentile / 100) >= 10 - 1e-6 ? microseconds(percentile) : nil
    }

    private func microseconds(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1000 }
}
