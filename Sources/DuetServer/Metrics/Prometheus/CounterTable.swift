import Synchronization

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
