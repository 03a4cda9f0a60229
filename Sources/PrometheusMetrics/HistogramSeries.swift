import CoreMetrics
import Synchronization

/// A histogram: how many values were at most as large as each bound, and their sum.
final class HistogramSeries: RecorderHandler, TimerHandler, Series, @unchecked Sendable {
    private let bounds: [Double]
    private let boundTexts: [String]
    /// How many values were in each bucket and in none before it; the last one has no bound.
    private let counts: UnsafeMutablePointer<Atomic<UInt64>>
    // Durations are added as whole numbers: exact, and in one instruction.
    private let nanoseconds = Atomic<UInt64>(0)
    private let sum = AtomicDouble()

    /// - Parameter bounds: The buckets' upper bounds, in any order.
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
        // A clock that was set back.
        let duration = max(0, duration)
        // The quotient is the number nearest to it, as the bounds are; a product would miss them by a digit.
        count(Double(duration) / 1_000_000_000)
        nanoseconds.wrappingAdd(UInt64(duration), ordering: .relaxed)
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        // It is in no bucket, and no sum is left after it.
        guard value.isFinite else { return }
        count(value)
        sum.add(value)
    }

    private func count(_ value: Double) {
        // From below, for most values are small.
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index].wrappingAdd(1, ordering: .relaxed)
    }

    func write(_ name: String, _ labels: String, to text: inout ExpositionText) {
        // The count is made of the buckets, so that the two agree whatever is recorded meanwhile.
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
