public import CoreMetrics
import Synchronization

/// A backend of swift-metrics for Prometheus. A *series* is a metric with one combination of label values. The factory
/// stores all series in memory, and ``text()`` writes them as text.
///
/// An increment takes no lock. The creation of a series takes a lock, so create each series once and store it. Use a
/// small number of label values that the program defines, not values that clients send, because each series exists as
/// long as the factory.
public final class PrometheusMetricsFactory: MetricsFactory {
    /// The `Content-Type` of ``text()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let registry: Mutex<SeriesRegistry>

    /// Creates a factory.
    /// - Parameter maximumSeries: The maximum number of series with one name. Further combinations of labels share one
    ///   series whose label values are all `other`. Thus a label with too many values cannot use unbounded memory.
    public init(maximumSeries: Int = 1_000) {
        registry = Mutex(SeriesRegistry(maximumSeries: maximumSeries))
    }

    /// Returns the current values in version 0.0.4 of the text format
    /// (https://prometheus.io/docs/instrumenting/exposition_formats), in the order of names and labels.
    public func text() -> String {
        // The callbacks run without the lock, because they can take other locks.
        let families = registry.withLock { $0.families }
        var text = ExpositionText()
        for family in families.values.sorted(by: { $0.name < $1.name }) { text.write(family) }
        return text.text
    }

    // MARK: With a help text

    /// Returns a counter. The suffix `_total` is added to the name if it is missing.
    /// - Parameters:
    ///   - help: The description of the counter.
    ///   - labels: The names and values of the labels. Calls with equal names and labels return the same series.
    public func counter(_ name: String, help: String, labels: [(String, String)] = []) -> Counter {
        Counter(
            label: name, dimensions: labels, handler: series(name, .counter, labels, help: help) { CounterSeries() },
            factory: self)
    }

    /// Adds a counter whose value is read by a function when the metrics are requested.
    /// - Parameter read: A function that returns the count, which must not decrease; `nil` omits the series. The
    ///   function is called on the thread that requests the metrics, so it must return quickly. Another call with the
    ///   same name and labels replaces the function.
    public func counter(
        _ name: String, help: String, labels: [(String, String)] = [], read: @escaping @Sendable () -> Double?
    ) {
        setCallback(name, .counter, labels, help, read)
    }

    /// Adds a counter whose value is read from an object. The series is omitted from the text after the object is
    /// released. The series does not retain the object. This prevents a reference cycle, because a measured object
    /// often refers to the metrics.
    /// - Parameter read: A function that returns the count, which must not decrease; `nil` omits the series.
    public func counter<Object: AnyObject & Sendable>(
        _ name: String, help: String, labels: [(String, String)] = [], of object: Object,
        read: @escaping @Sendable (Object) -> Double?
    ) {
        counter(name, help: help, labels: labels) { [weak object] in object.flatMap(read) }
    }

    /// Returns counters for many combinations of labels. Each counter is created at its first increment.
    /// - Parameters:
    ///   - count: The maximum number of combinations.
    ///   - labels: A function that returns the labels of the combination with an index.
    public func counters(
        _ name: String, help: String, count: Int, labels: @escaping @Sendable (Int) -> [(String, String)]
    ) -> CounterTable {
        // The reference is weak, because callbacks of the factory can retain the owner of the table.
        CounterTable(count) { [weak self] index in
            self?.series(name, .counter, labels(index), help: help) { CounterSeries() } ?? CounterSeries()
        }
    }

    /// Returns a meter: a number that can increase and decrease.
    public func meter(_ name: String, help: String, labels: [(String, String)] = []) -> Meter {
        Meter(
            label: name, dimensions: labels, handler: series(name, .gauge, labels, help: help) { GaugeSeries() },
            factory: self)
    }

    /// Adds a gauge whose value is read by a function when the metrics are requested.
    /// - Parameter read: A function that returns the value; `nil` omits the series. The function is called on the
    ///   thread that requests the metrics, so it must return quickly. Another call with the same name and labels
    ///   replaces the function.
    public func gauge(
        _ name: String, help: String, labels: [(String, String)] = [], read: @escaping @Sendable () -> Double?
    ) {
        setCallback(name, .gauge, labels, help, read)
    }

    /// Adds a gauge whose value is read from an object. The series is omitted from the text after the object is
    /// released. The series does not retain the object. This prevents a reference cycle, because a measured object
    /// often refers to the metrics.
    /// - Parameter read: A function that returns the value; `nil` omits the series.
    public func gauge<Object: AnyObject & Sendable>(
        _ name: String, help: String, labels: [(String, String)] = [], of object: Object,
        read: @escaping @Sendable (Object) -> Double?
    ) {
        gauge(name, help: help, labels: labels) { [weak object] in object.flatMap(read) }
    }

    /// Returns a histogram of durations. The suffix `_seconds` is added to the name if it is missing.
    /// - Parameter buckets: The upper bounds of the buckets in seconds. They must be the same for all series with this
    ///   name.
    public func timer(
        _ name: String, help: String, labels: [(String, String)] = [],
        buckets: [Double] = HistogramBuckets.requestSeconds
    ) -> Timer {
        Timer(
            label: name, dimensions: labels,
            handler: series(name, .histogram, unit: "_seconds", labels, help: help) { HistogramSeries(buckets) },
            factory: self)
    }

    /// Returns a histogram of numbers, such as bytes or rows.
    /// - Parameter buckets: The upper bounds of the buckets. They must be the same for all series with this name.
    public func recorder(
        _ name: String, help: String, labels: [(String, String)] = [], buckets: [Double] = HistogramBuckets.powersOfTen
    ) -> Recorder {
        Recorder(
            label: name, dimensions: labels, aggregate: true,
            handler: series(name, .histogram, labels, help: help) { HistogramSeries(buckets) }, factory: self)
    }

    // MARK: MetricsFactory

    /// Returns a counter without a help text.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions) { CounterSeries() }
    }

    /// Returns a counter of floating-point numbers without a help text.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, .counter, dimensions) { CounterSeries() }
    }

    /// Returns a number that can increase and decrease, without a help text.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions) { GaugeSeries() }
    }

    /// Returns a histogram with the buckets ``HistogramBuckets/powersOfTen``, or a gauge if `aggregate` is false.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        // A recorder without aggregation is a Gauge of swift-metrics. It stores the last value.
        if aggregate {
            series(label, .histogram, dimensions) { HistogramSeries(HistogramBuckets.powersOfTen) }
        } else {
            series(label, .gauge, dimensions) { GaugeSeries() }
        }
    }

    /// Returns a histogram of durations without a help text.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .histogram, unit: "_seconds", dimensions) { HistogramSeries(HistogramBuckets.requestSeconds) }
    }

    /// Removes the series of the counter.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Removes the series of the counter.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Removes the series of the meter.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Removes the series of the recorder.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Removes the series of the timer.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }

    // MARK: Series

    private func series<S: Series>(
        _ name: String, _ kind: MetricFamily.Kind, unit: String = "", _ labels: [(String, String)],
        help: String? = nil, make: () -> S
    ) -> S {
        registry.withLock { $0.series(name, kind, unit: unit, SeriesLabels(labels), help: help, make: make) }
    }

    private func setCallback(
        _ name: String, _ kind: MetricFamily.Kind, _ labels: [(String, String)], _ help: String,
        _ read: @escaping @Sendable () -> Double?
    ) {
        let callback = CallbackSeries(read)
        registry.withLock { $0.set(callback, name, kind, SeriesLabels(labels), help: help) }
    }

    private func remove(_ handler: AnyObject) {
        registry.withLock { $0.remove(handler) }
    }
}
