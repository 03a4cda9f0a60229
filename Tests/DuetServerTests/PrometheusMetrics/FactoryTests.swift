import CoreMetrics
import DuetServer
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Metrics factory") struct FactoryTests {
    @Test("The factory supports every kind of metric of swift-metrics")
    func kinds() throws {
        let factory = PrometheusMetricsFactory()
        Counter(label: "c", factory: factory).increment(by: 3)
        FloatingPointCounter(label: "f", factory: factory).increment(by: 0.25)
        let meter = Meter(label: "m", factory: factory)
        meter.set(5)
        meter.increment(by: 2)
        meter.decrement(by: 0.5)
        Gauge(label: "g", factory: factory).record(7)
        let recorder = Recorder(label: "r", factory: factory)
        recorder.record(20)
        recorder.record(0.5)
        recorder.record(Double.nan)
        CoreMetrics.Timer(label: "t", factory: factory).recordMilliseconds(3)
        let read = try Exposition(factory.text())
        #expect(
            read.families.map { "\($0.name) \($0.type)" } == [
                "c_total counter", "f_total counter", "g gauge", "m gauge", "r histogram", "t_seconds histogram",
            ])
        #expect(read.value("c_total") == 3)
        #expect(read.value("f_total") == 0.25)
        #expect(read.value("m") == 6.5)
        #expect(read.value("g") == 7)
        #expect(read.value("r_count") == 2 && read.value("r_sum") == 20.5)
        #expect(read.value("r_bucket", ["le": "1"]) == 1 && read.value("r_bucket", ["le": "100"]) == 2)
        #expect(read.value("t_seconds_sum") == 0.003 && read.value("t_seconds_bucket", ["le": "0.005"]) == 1)
    }

    @Test("Metrics share a series if only the order of their labels or the suffix of their name differs")
    func same() throws {
        let factory = PrometheusMetricsFactory()
        factory.makeCounter(label: "c", dimensions: [("a", "1"), ("b", "2")]).increment(by: 1)
        factory.makeCounter(label: "c_total", dimensions: [("b", "2"), ("a", "1")]).increment(by: 10)
        factory.makeFloatingPointCounter(label: "c", dimensions: [("a", "1"), ("b", "2")]).increment(by: 0.5)
        factory.counter("c", help: "Later.", labels: [("a", "1"), ("b", "2")]).increment(by: 100)
        #expect(factory.text() == "# HELP c_total Later.\n# TYPE c_total counter\nc_total{a=\"1\",b=\"2\"} 111.5\n")
        factory.makeTimer(label: "t", dimensions: []).recordNanoseconds(1)
        factory.makeTimer(label: "t_seconds", dimensions: []).recordNanoseconds(1)
        #expect(try Exposition(factory.text()).value("t_seconds_count") == 2)
    }

    @Test("Only a reset decreases a counter")
    func monotonic() {
        let factory = PrometheusMetricsFactory()
        let counter = Counter(label: "c", factory: factory)
        counter.increment(by: 5)
        counter.increment(by: -3)
        let fraction = FloatingPointCounter(label: "c", factory: factory)
        fraction.increment(by: -1.5)
        fraction.increment(by: Double.nan)
        #expect(factory.text() == "# TYPE c_total counter\nc_total 5\n")
        counter.reset()
        #expect(factory.text() == "# TYPE c_total counter\nc_total 0\n")
    }

    @Test("A metric is renamed if another kind of metric already uses its name")
    func conflicts() throws {
        let factory = PrometheusMetricsFactory()
        factory.makeMeter(label: "x", dimensions: []).set(Int64(1))
        factory.makeRecorder(label: "x", dimensions: [], aggregate: true).record(Int64(2))
        factory.makeMeter(label: "x_total", dimensions: []).set(Int64(3))
        factory.makeCounter(label: "x", dimensions: []).increment(by: 4)
        factory.makeMeter(label: "x_histogram_sum", dimensions: []).set(Int64(5))
        factory.counter("y", help: "") { 6 }
        factory.makeCounter(label: "y", dimensions: []).increment(by: 7)
        let read = try Exposition(factory.text())
        #expect(read.value("x") == 1)
        #expect(read.value("x_histogram_sum") == 2)
        #expect(read.value("x_total") == 3)
        #expect(read.value("x_counter_total") == 4)
        #expect(read.value("x_histogram_sum_gauge") == 5)
        #expect(read.value("y_total") == 6)
        #expect(read.value("y_counter_total") == 7)
    }

    @Test("When a metric has the maximum number of series, all new label values share one additional series")
    func bounded() throws {
        let factory = PrometheusMetricsFactory(maximumSeries: 3)
        for number in 0..<10 {
            factory.makeCounter(label: "c", dimensions: [("n", "\(number)")]).increment(by: 1)
        }
        factory.makeCounter(label: "c", dimensions: [("n", "1")]).increment(by: 1)
        factory.makeCounter(label: "d", dimensions: [("n", "9")]).increment(by: 1)
        let read = try Exposition(factory.text())
        #expect(read.families[0].samples.count == 4)
        #expect(read.value("c_total", ["n": "1"]) == 2)
        #expect(read.value("c_total", ["n": "other"]) == 7)
        #expect(read.value("d_total", ["n": "9"]) == 1)
    }

    @Test("Each read of the text calls the latest callback of a metric")
    func callbacks() {
        let factory = PrometheusMetricsFactory()
        let count = Atomic<Int>(0)
        factory.counter("reads", help: "Reads.") { Double(count.wrappingAdd(1, ordering: .relaxed).newValue) }
        #expect(factory.text().hasSuffix("reads_total 1\n"))
        #expect(factory.text().hasSuffix("reads_total 2\n"))
        // A callback may use the factory.
        factory.counter("reads", help: "Reads.") { [weak factory] in
            factory?.makeCounter(label: "inner", dimensions: []).increment(by: 1)
            return 40
        }
        #expect(factory.text().hasSuffix("reads_total 40\n"))
        #expect(factory.text().contains("inner_total 1\n"))
    }

    @Test("A metric of an object does not retain the object, and is removed when the object is deallocated")
    func objects() {
        final class Store: Sendable { let count = 3 }
        let factory = PrometheusMetricsFactory()
        weak var known: Store?
        do {
            let store = Store()
            known = store
            factory.gauge("entries", help: "Kept.", of: store) { Double($0.count) }
            factory.counter("made", help: "Made.", of: store) { Double($0.count) }
            #expect(factory.text().contains("entries 3\n") && factory.text().contains("made_total 3\n"))
            withExtendedLifetime(store) {}
        }
        #expect(known == nil)
        #expect(factory.text() == "")
    }

    @Test("A destroyed metric is removed")
    func destroyed() {
        let factory = PrometheusMetricsFactory()
        let counter = Counter(label: "c", factory: factory)
        let timer = CoreMetrics.Timer(label: "t", factory: factory)
        counter.increment()
        timer.recordNanoseconds(1)
        counter.destroy()
        timer.destroy()
        #expect(factory.text() == "")
        Counter(label: "c", factory: factory).increment(by: 2)
        #expect(factory.text() == "# TYPE c_total counter\nc_total 2\n")
    }

    @Test("Each counter of a table is created once, at its first increment, even by concurrent tasks")
    func table() async throws {
        let factory = PrometheusMetricsFactory()
        let table = factory.counters("c", help: "", count: 100) { [("tens", "\($0 / 10)"), ("ones", "\($0 % 10)")] }
        #expect(factory.text() == "")
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<4 {
                tasks.addTask {
                    for _ in 0..<1_000 { for index in [7, 42, 99, 100, -1] { table.increment(index) } }
                }
            }
        }
        let read = try Exposition(factory.text())
        #expect(read.families[0].samples.count == 3)
        for (tens, ones) in [("0", "7"), ("4", "2"), ("9", "9")] {
            #expect(read.value("c_total", ["tens": tens, "ones": ones]) == 4_000)
        }
    }

    @Test("Concurrent increments are not lost, and no reader sees an inconsistent histogram")
    func concurrency() async throws {
        let factory = PrometheusMetricsFactory()
        let (threads, rounds) = (8, 20_000)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for thread in 0..<threads {
                tasks.addTask {
                    // Each thread creates its own handle of the same series.
                    let counter = factory.counter("c", help: "")
                    let fraction = FloatingPointCounter(label: "f", factory: factory)
                    let meter = factory.meter("m", help: "")
                    let timer = factory.timer("t", help: "")
                    let recorder = factory.recorder("r", help: "")
                    let own = factory.counter("own", help: "", labels: [("thread", "\(thread)")])
                    for round in 0..<rounds {
                        counter.increment()
                        fraction.increment(by: 0.5)
                        if round % 2 == 0 { meter.increment() } else { meter.decrement() }
                        timer.recordNanoseconds(Int64(round) * 1_000_000)
                        recorder.record(round)
                        own.increment(by: 2)
                    }
                }
            }
            for _ in 0..<2 {
                tasks.addTask {
                    var last = 0.0
                    for _ in 0..<100 {
                        // Parsing the text checks each histogram.
                        let count = try Exposition(factory.text()).value("c_total")
                        #expect(count >= last)
                        last = count
                    }
                }
            }
            try await tasks.waitForAll()
        }
        let read = try Exposition(factory.text())
        let total = Double(threads * rounds)
        #expect(read.value("c_total") == total)
        #expect(read.value("f_total") == total / 2)
        #expect(read.value("m") == 0)
        #expect(read.value("t_seconds_count") == total && read.value("r_count") == total)
        #expect(read.value("r_sum") == total * Double(rounds - 1) / 2)
        #expect(read.value("t_seconds_sum") == total * Double(rounds - 1) / 2 / 1_000)
        #expect(read.value("t_seconds_bucket", ["le": "0.001"]) == Double(threads * 2))
        for thread in 0..<threads { #expect(read.value("own_total", ["thread": "\(thread)"]) == Double(rounds * 2)) }
    }
}

@Suite("Process metrics") struct ProcessTests {
    @Test("The process metrics report the start time and the used resources")
    func process() throws {
        let factory = PrometheusMetricsFactory()
        factory.observeProcess()
        let before = try Exposition(factory.text())
        #expect(before.value("process_cpu_seconds_total") > 0)
        #if os(Linux)
            let now = Date().timeIntervalSince1970
            let age = now - before.value("process_start_time_seconds")
            #expect(age > 0 && age < 86_400)
            #expect(before.value("process_resident_memory_bytes") > 1_048_576)
            #expect(before.value("process_virtual_memory_bytes") > before.value("process_resident_memory_bytes"))
            #expect(before.value("process_open_fds") >= 3)
            #expect(before.value("process_open_fds") <= before.value("process_max_fds"))
        #endif
        // The read also takes CPU time.
        let grows = try (0..<100_000).contains { _ in
            try Exposition(factory.text()).value("process_cpu_seconds_total")
                > before.value("process_cpu_seconds_total")
        }
        #expect(grows)
    }
}
