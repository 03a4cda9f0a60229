import Synchronization

/// Counters of one name for many combinations of labels, found by a number. Each is made when it is first counted in,
/// so only those that have occurred are told; counting takes no lock but for that first time.
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

    /// Counts one more.
    /// - Parameter index: Below the table's size; what is not is left out.
    public func increment(_ index: Int) {
        guard index >= 0, index < count else { return }
        // Who comes second with a new one gets that of the first; the factory has given both the same anyway.
        let counter = counters[index].load() ?? counters[index].storeIfNil(make(index))
        counter.increment(by: Int64(1))
    }
}
