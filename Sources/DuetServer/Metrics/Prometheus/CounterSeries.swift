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

/// Counters with one name and many combinations of labels. An index identifies each combination. A counter is created
/// at its first increment, so the output only contains used combinations. Only the first increment of a counter takes a
/// lock.
public final class CounterTable: @unchecked Sendable {
    private let count: Int
    private let counters: UnsafeMutablePointer<AtomicLazyReference<CounterSeries>>
    private let make: @Sendable (Int) -> CounterSeries

    init(_ count: Int, make: @escaping @Sendable (Int) -> CounterSeries) {
        self.count = count
        self.make = make
        counters = .allocate(capacity: count)
        for index in 0..<count { (counters + index).initialize(to: AtomicLazyReference()) }
    }

    deinit {
        counters.deinitialize(count: count)
        counters.deallocate()
    }

    /// Increments a counter by one.
    /// - Parameter index: The index of the combination. An index outside the table is ignored.
    public func increment(_ index: Int) {
        guard index >= 0, index < count else { return }
        // If two threads call `make` for one index, it returns the same series to both of them. Only the first result
        // is stored.
        let counter = counters[index].load() ?? counters[index].storeIfNil(make(index))
        counter.increment(by: Int64(1))
    }
}
