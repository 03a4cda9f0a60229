import CoreMetrics
import Synchronization

/// A counter of integers and of floating-point numbers. Negative amounts are ignored, because Prometheus interprets a
/// lower value as a restart.
final class CounterSeries: CounterHandler, FloatingPointCounterHandler, Series {
    // Integers have a separate counter, so that an increment is one instruction and exact.
    private let whole = Atomic<UInt64>(0)
    private let fraction = AtomicDouble()

    init() {}

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        whole.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        fraction.add(amount)
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fraction.set(0)
    }

    func write(_ name: String, _ labels: String, to text: inout ExpositionText) {
        let (whole, fraction) = (whole.load(ordering: .relaxed), fraction.value)
        text.write(name, labels, fraction == 0 ? String(whole) : ExpositionText.number(Double(whole) + fraction))
    }
}
