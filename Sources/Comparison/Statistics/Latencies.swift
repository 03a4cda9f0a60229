import Histogram

/// How long something took each time, in classes of three significant digits (HdrHistogram).
struct Latencies: Sendable {
    /// Nanoseconds.
    private var histogram = Histogram<UInt32>(
        highestTrackableValue: 600_000_000_000, numberOfSignificantValueDigits: .three)

    /// How often.
    var count: Int { Int(histogram.totalCount) }

    mutating func record(_ latency: Duration) {
        histogram.record(UInt64(max(1, latency / .nanoseconds(1))))
    }

    mutating func add(_ other: Latencies) { histogram.add(other.histogram) }

    /// In microseconds.
    var median: Double { microseconds(50) }

    /// In microseconds; `nil` where fewer than ten have taken longer: it would be the luck of a few.
    /// - Parameter percentile: 50 to 100.
    func tail(_ percentile: Double) -> Double? {
        Double(count) * (1 - percentile / 100) >= 10 - 1e-6 ? microseconds(percentile) : nil
    }

    private func microseconds(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1000 }
}
