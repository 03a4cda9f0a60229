public import CoreMetrics
import Synchronization

/// A backend of swift-metrics that Prometheus can scrape: it keeps every series in memory and writes them as text on
/// demand.
///
/// Counting takes no lock; making a series does, so it is made once and kept. Label values must be few and the
/// program's own, never what a client has sent: each combination is a series for as long as the factory lives.
public final class PrometheusMetricsFactory: MetricsFactory {
    /// `Content-Type` of ``text()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let registry: Mutex<SeriesRegistry>

    /// - Parameter maximumSeries: Most series of one name. What would be a further one is counted in a series whose
    ///   label values are all `other`, so that a label that has too many values by mistake takes no memory without end.
    public init(maximumSeries: Int = 1_000) {
        registry = Mutex(SeriesRegistry(maximumSeries: maximumSeries))
    }

    /// Everything there is to tell now, in the text format's version 0.0.4
    /// (https://prometheus.io/docs/instrumenting/exposition_formats), ordered by name and labels.
    public func text() -> String {
        // Callbacks run here, without the lock: they may take others.
        let families = registry.withLock { $0.families }
        var text = ExpositionText()
        for family in families.values.sorted(by: { $0.name < $1.name }) { text.write(family) }
        return text.text
    }

    // MARK: With a help text

    /// A counter. Its name ends in `_total`; the ending is added where it is missing.
    /// - Parameters:
    ///   - help: What it counts, for people.
    ///   - labels: Names and values. The same name and labels give the same series.
    public func counter(_ name: String, help: String, labels: [(String, String)] = []) -> Counter {
        Counter(
            label: name, dimensions: labels, handler: series(name, .counter, labels, help: help) { CounterSeries() },
            factory: self)
    }

    /// A counter that somebody else keeps, read when the metrics are.
    /// - Parameter read: The count, which only grows; `nil` leaves the series out. It is called on the thread of
    ///   whoever asks for the metrics, so it must be quick. A later one for the same name and labels takes its place.
    public func counter(
        _ name: String, help: String, labels: [(String, String)] = [], read: @escaping @Sendable () -> Double?
    ) {
        setCallback(name, .counter, labels, help, read)
    }

    /// A count that an object keeps. It is told as long as the object lives, which this does not prolong: what is
    /// measured often leads back to the metrics.
    /// - Parameter read: The count, which only grows; see above.
    public func counter<Object: AnyObject & Sendable>(
        _ name: String, help: String, labels: [(String, String)] = [], of object: Object,
        read: @escaping @Sendable (Object) -> Double?
    ) {
        counter(name, help: help, labels: labels) { [weak object] in object.flatMap(read) }
    }

    /// Counters for many combinations of labels, each made when it is first counted in.
    /// - Parameters:
    ///   - count: How many combinations there may be.
    ///   - labels: Those of each, by its number.
    public func counters(
        _ name: String, help: String, count: Int, labels: @escaping @Sendable (Int) -> [(String, String)]
    ) -> CounterTable {
        // Weak, for whoever holds the table may be held by the factory's callbacks.
        CounterTable(count) { [weak self] index in
            self?.series(name, .counter, labels(index), help: help) { CounterSeries() } ?? CounterSeries()
        }
    }

    /// A number that goes up and down.
    public func meter(_ name: String, help: String, labels: [(String, String)] = []) -> Meter {
        Meter(
            label: name, dimensions: labels, handler: series(name, .gauge, labels, help: help) { GaugeSeries() },
            factory: self)
    }

    /// A number that goes up and down and that somebody else keeps, read when the metrics are.
    /// - Parameter read: As for a counter.
    public func gauge(
        _ name: String, help: String, labels: [(String, String)] = [], read: @escaping @Sendable () -> Double?
    ) {
        setCallback(name, .gauge, labels, help, read)
    }

    /// A number that an object keeps. It is told as long as the object lives, which this does not prolong: what is
    /// measured often leads back to the metrics.
    /// - Parameter read: As for a counter.
    public func gauge<Object: AnyObject & Sendable>(
        _ name: String, help: String, labels: [(String, String)] = [], of object: Object,
        read: @escaping @Sendable (Object) -> Double?
    ) {
        gauge(name, help: help, labels: labels) { [weak object] in object.flatMap(read) }
    }

    /// A histogram of durations. Its name ends in `_seconds`; the ending is added where it is missing.
    /// - Parameter buckets: Their upper bounds in seconds, the same for every series of the name.
    public func timer(
        _ name: String, help: String, labels: [(String, String)] = [],
        buckets: [Double] = HistogramBuckets.requestSeconds
    ) -> Timer {
        Timer(
            label: name, dimensions: labels,
            handler: series(name, .histogram, unit: "_seconds", labels, help: help) { HistogramSeries(buckets) },
            factory: self)
    }

    /// A histogram of whatever is counted in numbers, such as bytes or rows.
    /// - Parameter buckets: Their upper bounds, the same for every series of the name.
    public func recorder(
        _ name: String, help: String, labels: [(String, String)] = [], buckets: [Double] = HistogramBuckets.powersOfTen
    ) -> Recorder {
        Recorder(
            label: name, dimensions: labels, aggregate: true,
            handler: series(name, .histogram, labels, help: help) { HistogramSeries(buckets) }, factory: self)
    }

    // MARK: MetricsFactory

    /// A counter without a help text.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions) { CounterSeries() }
    }

    /// The same; it may be counted in by other than whole numbers.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, .counter, dimensions) { CounterSeries() }
    }

    /// A number that goes up and down, without a help text.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions) { GaugeSeries() }
    }

    /// A histogram with buckets for numbers of which nothing is known; not aggregated, the last value.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        // What is not aggregated is swift-metrics' Gauge: the last value counts.
        if aggregate {
            series(label, .histogram, dimensions) { HistogramSeries(HistogramBuckets.powersOfTen) }
        } else {
            series(label, .gauge, dimensions) { GaugeSeries() }
        }
    }

    /// A histogram of durations without a help text.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, .histogram, unit: "_seconds", dimensions) { HistogramSeries(HistogramBuckets.requestSeconds) }
    }

    /// Tells it no more.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    /// Tells it no more.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    /// Tells it no more.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    /// Tells it no more.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    /// Tells it no more.
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
