import CoreMetrics

/// A number that can increase and decrease.
final class GaugeSeries: MeterHandler, RecorderHandler, Series {
    private let value = AtomicDouble()

    init() {}

    func set(_ value: Int64) { self.value.set(Double(value)) }
    func set(_ value: Double) { self.value.set(value) }
    func increment(by amount: Double) { value.add(amount) }
    func decrement(by amount: Double) { value.add(-amount) }
    func record(_ value: Int64) { self.value.set(Double(value)) }
    func record(_ value: Double) { self.value.set(value) }

    func write(_ name: String, _ labels: String, to text: inout ExpositionText) {
        text.write(name, labels, ExpositionText.number(value.value))
    }
}
