import Synchronization

/// A series: the values of a metric with one combination of label values.
protocol Series: AnyObject, Sendable {
    /// Writes the current samples.
    func write(_ name: String, _ labels: String, to text: inout ExpositionText)
}

/// A number that is read by a callback.
final class CallbackSeries: Series {
    private let read: @Sendable () -> Double?

    init(_ read: @escaping @Sendable () -> Double?) {
        self.read = read
    }

    func write(_ name: String, _ labels: String, to text: inout ExpositionText) {
        if let value = read() { text.write(name, labels, ExpositionText.number(value)) }
    }
}

/// A floating-point number. Several threads can add to it concurrently.
struct AtomicDouble: ~Copyable {
    private let bits = Atomic<UInt64>((0.0).bitPattern)

    var value: Double {
        Double(bitPattern: bits.load(ordering: .relaxed))
    }

    borrowing func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    borrowing func add(_ amount: Double) {
        var current = bits.load(ordering: .relaxed)
        while true {
            let sum = Double(bitPattern: current) + amount
            let (exchanged, original) = bits.weakCompareExchange(
                expected: current, desired: sum.bitPattern, ordering: .relaxed)
            if exchanged { return }
            current = original
        }
    }
}
