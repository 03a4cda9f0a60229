import CoreMetrics
import Synchronization

/// A histogram. It stores the number of values in each bucket, and the sum of the values.
final class HistogramSeries: RecorderHandler, TimerHandler, Series, @unchecked Sendable {
    private let bounds: [Double]
    private let boundTexts: [String]
    /// The number of values in each bucket, without the values in lower buckets. The last bucket has no upper bound.
    private let counts: UnsafeMutablePointer<Atomic<UInt64>>
    // Durations are added as integers, so that an addition is one instruction and exact.
    private let nanoseconds = Atomic<UInt64>(0)
    private let sum = AtomicDouble()

    /// - Parameter bounds: The upper bounds of the buckets, in any order.
    init(_ bounds: [Double]) {
        self.bounds = Set(bounds.filter(\.isFinite)).sorted()
        boundTexts = self.bounds.map(ExpositionText.number) + ["+Inf"]
        counts = .allocate(capacity: self.bounds.count + 1)
        for index in 0...self.bounds.count { (counts + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counts.deinitialize(count: bounds.count + 1)
        counts.deallocate()
    }

    func recordNanoseconds(_ duration: Int64) {
        // A clock that was set back can cause a negative duration.
        let duration = max(0, duration)
        // The result of a division is the floating-point number nearest to the decimal value. Each bound is also the
        // number nearest to its decimal value, so a duration that equals a bound belongs to the bucket of this bound.
        // The result of a multiplication by 0.000000001 could differ from the bound in the last digit.
        count(Double(duration) / 1_000_000_000)
        nanoseconds.wrappingAdd(UInt64(duration), ordering: .relaxed)
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        // A value that is not finite would make the sum useless, and NaN belongs to no bucket.
        guard value.isFinite else { return }
        count(value)
        sum.add(value)
    }

    private func count(_ value: Double) {
        // The search begins at the lowest bound, because most values are small.
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index].wrappingAdd(1, ordering: .relaxed)
    }

    func write(_ name: String, _ labels: String, to text: inout ExpositionText) {
        // The total count is the sum of the buckets. It therefore agrees with the buckets even during concurrent
        // updates.
        var count: UInt64 = 0
        for (index, bound) in boundTexts.enumerated() {
            count += counts[index].load(ordering: .relaxed)
            text.write(name + "_bucket", labels, bound: bound, String(count))
        }
        let total = sum.value + Double(nanoseconds.load(ordering: .relaxed)) / 1_000_000_000
        text.write(name + "_sum", labels, ExpositionText.number(total))
        text.write(name + "_count", labels, String(count))
    }
}

/// The upper bounds of a histogram's buckets.
public enum HistogramBuckets {
    /// Bounds in seconds for the duration of requests.
    public static let requestSeconds = [
        0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Bounds in seconds for the duration of statements, which can take about ten microseconds.
    public static let statementSeconds = [0.000_025, 0.000_05, 0.000_1, 0.000_25] + requestSeconds
    /// Bounds for numbers of an unknown range.
    public static let powersOfTen = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
}
