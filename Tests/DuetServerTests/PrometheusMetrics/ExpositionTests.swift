import CoreMetrics
import DuetServer
import TestSupport
import Testing

@Suite("Text format") struct ExpositionTests {
    @Test("The text has the help, type and samples of each metric. Metrics are sorted by name, samples by labels")
    func order() throws {
        let factory = PrometheusMetricsFactory()
        factory.meter("zebras", help: "Those in the house.").set(3)
        factory.counter("visits", help: "Those who came.", labels: [("sex", "m"), ("age", "old")]).increment(by: 2)
        factory.counter("visits", help: "Those who came.", labels: [("sex", "f"), ("age", "old")]).increment()
        factory.gauge("ants", help: "Those that are counted.") { 1.5 }
        #expect(
            factory.text() == """
                # HELP ants Those that are counted.
                # TYPE ants gauge
                ants 1.5
                # HELP visits_total Those who came.
                # TYPE visits_total counter
                visits_total{age="old",sex="f"} 1
                visits_total{age="old",sex="m"} 2
                # HELP zebras Those in the house.
                # TYPE zebras gauge
                zebras 3

                """)
        #expect(try Exposition(factory.text()).families.map(\.type) == ["gauge", "counter", "gauge"])
    }

    @Test("The text is empty if no metric has a sample")
    func empty() {
        let factory = PrometheusMetricsFactory()
        #expect(factory.text() == "")
        factory.gauge("absent", help: "Nothing known.") { nil }
        #expect(factory.text() == "")
    }

    @Test("The text of a histogram has cumulative buckets, the sum and the count")
    func histogram() throws {
        let factory = PrometheusMetricsFactory()
        let timer = factory.timer("wait", help: "Waiting.", labels: [("at", "door")], buckets: [0.5, 0.001, 2, 0.5])
        for nanoseconds: Int64 in [0, 1_000_000, 1_000_001, 500_000_000, 2_000_000_001, -5] {
            timer.recordNanoseconds(nanoseconds)
        }
        #expect(
            factory.text() == """
                # HELP wait_seconds Waiting.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{at="door",le="0.001"} 3
                wait_seconds_bucket{at="door",le="0.5"} 5
                wait_seconds_bucket{at="door",le="2"} 5
                wait_seconds_bucket{at="door",le="+Inf"} 6
                wait_seconds_sum{at="door"} 2.502000002
                wait_seconds_count{at="door"} 6

                """)
        #expect(try Exposition(factory.text()).families.count == 1)
    }

    @Test("Each histogram bucket includes durations that are equal to its bound")
    func bounds() throws {
        for (index, bound) in HistogramBuckets.statementSeconds.enumerated() {
            let factory = PrometheusMetricsFactory()
            let timer = factory.timer("t", help: "", buckets: HistogramBuckets.statementSeconds)
            timer.recordNanoseconds(Int64((bound * 1e9).rounded()))
            let buckets = try Exposition(factory.text()).families[0].samples.filter { $0.name == "t_seconds_bucket" }
            #expect(buckets.firstIndex { $0.value == 1 } == index, "\(bound)")
            timer.recordNanoseconds(Int64((bound * 1e9).rounded()) + 1)
            let next = try Exposition(factory.text()).families[0].samples.filter { $0.name == "t_seconds_bucket" }
            #expect(next[index].value == 1 && next[index + 1].value == 2, "\(bound)")
        }
    }

    @Test("Characters that would end a label or a line are escaped")
    func escapes() throws {
        let factory = PrometheusMetricsFactory()
        let value = "a\"b\\c\nd\r\né😀\\n{},= "
        factory.counter("odd", help: "One \"quote\", one \\ and\na line.", labels: [("a", value), ("b", "")])
            .increment()
        #expect(
            factory.text() == #"""
                # HELP odd_total One "quote", one \\ and\na line.
                # TYPE odd_total counter
                odd_total{a="a\"b\\c\nd\#r\né😀\\n{},= ",b=""} 1

                """#)
        let read = try Exposition(factory.text())
        #expect(read.value("odd_total", ["a": value, "b": ""]) == 1)
        #expect(read.families[0].help == "One \"quote\", one \\ and\na line.")
    }

    @Test(
        "Names are converted to valid Prometheus names",
        arguments: [
            ("http.requests-count", "http_requests_count"), ("9lives", "_9lives"), ("", "_"), ("größe", "gr__e"),
            ("ns:rule", "ns:rule"), ("a\nb{}", "a_b__"),
        ])
    func names(given: String, written: String) throws {
        let factory = PrometheusMetricsFactory()
        factory.makeMeter(label: given, dimensions: [(given, "x")]).set(Int64(1))
        let sample = try #require(try Exposition(factory.text()).families.first?.samples.first)
        #expect(sample.name == written)
        #expect(sample.labels.keys.first == written.replacing(":", with: "_"))
    }

    @Test("Labels with duplicate or reserved names are renamed")
    func labels() throws {
        let factory = PrometheusMetricsFactory()
        let dimensions = [("a", "1"), ("a", "2"), ("le", "3"), ("__name__", "4"), ("a_", "5")]
        factory.makeTimer(label: "t", dimensions: dimensions).recordNanoseconds(1)
        let labels = ["a": "1", "a_": "2", "le_": "3", "_name__": "4", "a__": "5"]
        #expect(try Exposition(factory.text()).value("t_seconds_count", labels) == 1)
    }

    @Test(
        "Numbers have the format that Go parses",
        arguments: [
            (0, "0"), (-0.5, "-0.5"), (1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
            (9_007_199_254_740_992, "9007199254740992"), (0.000_025, "2.5e-05"),
        ] as [(Double, String)])
    func number(value: Double, text: String) throws {
        let factory = PrometheusMetricsFactory()
        factory.gauge("g", help: "") { value }
        #expect(factory.text() == "# HELP g \n# TYPE g gauge\ng \(text)\n")
        let read = try Exposition(factory.text()).value("g")
        #expect(read == value || read.isNaN && value.isNaN)
    }
}

@Suite("Test parser of the Prometheus text format") struct ExpositionReaderTests {
    @Test(
        "The parser rejects invalid text",
        arguments: [
            "a 1", "# TYPE a gauge\na 1\n# TYPE a gauge\n", "# TYPE a gauge\nb 1\n", "# TYPE a gauge\na 1\na 2\n",
            "# TYPE a gauge\na{x=\"1\" 1\n", "# TYPE a gauge\na{x=\"\\q\"} 1\n", "# TYPE a gauge\na{x=\"1\",} 1\n",
            "# TYPE a gauge\na{x=\"1\",x=\"2\"} 1\n", "# TYPE a gauge\na one\n", "# TYPE a gauge\na nan\n",
            "# TYPE a gauge\n", "# TYPE a-b gauge\na-b 1\n", "# TYPE a size\na 1\n", "# TYPE a counter\na 1\n",
            "# TYPE a_total counter\na_total -1\n", "# HELP a x\n", "# HELP a x\n# TYPE b gauge\nb 1\n", "a 1\n", "\n",
            "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
            "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
            "# TYPE a histogram\na_bucket{le=\"2\"} 1\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
            "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
            "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
        ])
    func refuses(text: String) {
        #expect(throws: Exposition.Malformed.self) { try Exposition(text) }
    }
}
