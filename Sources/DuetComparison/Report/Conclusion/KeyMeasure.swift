import DuetJSON
import Foundation

/// A measure that the overview and the conclusions contain.
enum KeyMeasure: Sendable, Hashable {
    /// The number of requests.
    case requests
    /// The number of bytes in both directions, heads and bodies. Responses are compressed with gzip if the server
    /// supports it.
    case bytes
    /// The duration of a task, with the given round-trip time between client and server.
    case time(roundTrip: Duration)
    /// The processor time of the server for one task.
    case serverTime

    /// The name in JSON.
    var name: String {
        switch self {
        case .requests: "requests"
        case .bytes: "bytes"
        case .time(let roundTrip): "timeFrom\(roundTrip.inMilliseconds)ms"
        case .serverTime: "serverTime"
        }
    }

    /// The title of a column.
    var title: String { noun.capitalizedFirst }

    /// The noun in a sentence, without an article.
    var noun: String {
        switch self {
        case .requests: "requests"
        case .bytes: "bytes"
        case .time(let roundTrip): "time at \(roundTrip.inMilliseconds) ms RTT"
        case .serverTime: "server's processor time"
        }
    }

    /// Returns a figure with its noun: `1 request`, `51.2 ms at 50 ms RTT`.
    func phrase(_ figure: KeyFigure) -> String {
        switch (self, figure) {
        case (.requests, .count(let count)): count.of("request")
        case (.bytes, .count(let count)): count.of("byte")
        case (.time(let roundTrip), _): "\(figure.text) at \(roundTrip.inMilliseconds) ms RTT"
        case (.serverTime, _): "\(figure.text) of the server's processor time"
        case (.requests, .time), (.bytes, .time): figure.text
        }
    }

    /// Returns the figure of a style; nil if the report does not contain it.
    func figure(of style: ComparisonReport.StyleReport) -> KeyFigure? {
        switch self {
        case .requests: .count(style.cost.requests)
        case .bytes: .count(style.cost.travelled)
        case .time(let roundTrip):
            (style.keyTiming?.distances.first { $0.roundTrip == roundTrip }?.latency).map(KeyFigure.time)
        case .serverTime: (style.keyTiming?.busy.serverCPU).map(KeyFigure.time)
        }
    }
}

extension ComparisonReport {
    /// The preferred round-trip time. The conclusions use the measured round-trip time that is closest to this value.
    private static let distance = Duration.milliseconds(50)

    /// The measures that the overview and the conclusions contain: requests and bytes. If the report contains times,
    /// the time at a round-trip time of about 50 ms and the server's processor time follow. If no server reports its
    /// processor time, the time without a simulated round trip follows instead.
    var keyMeasures: [KeyMeasure] {
        let timings = scenarios.flatMap(\.styles).flatMap(\.timings)
        let distances = Set(timings.flatMap { $0.distances.map(\.roundTrip) })
        func gap(_ one: Duration) -> Duration { max(one, Self.distance) - min(one, Self.distance) }
        let far = distances.filter { $0 > .zero }.min { (gap($0), $0) < (gap($1), $1) }
        var measures: [KeyMeasure] = [.requests, .bytes]
        if let far { measures.append(.time(roundTrip: far)) }
        if timings.contains(where: { $0.busy.serverCPU != nil }) {
            measures.append(.serverTime)
        } else if distances.contains(.zero) {
            measures.append(.time(roundTrip: .zero))
        }
        return measures
    }
}

extension ComparisonReport.StyleReport {
    /// The timing that the overview and the conclusions use: the timing with parallel requests, if it exists. Browsers
    /// also send requests in parallel.
    fileprivate var keyTiming: Timing? { timings.first { $0.mode == .parallel } ?? timings.first }
}

extension TaskCost {
    /// The number of bytes in both directions.
    var travelled: Int { up.total + down.head + gzippedDown.body }
}

extension Duration {
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}

/// A figure that the overview and the conclusions contain.
enum KeyFigure: Sendable, Hashable {
    /// A counted value. It does not vary between runs.
    case count(Int)
    /// A measured time in microseconds.
    case time(Estimate)

    /// The number for comparisons. For a time, it is the median in microseconds.
    var value: Double {
        switch self {
        case .count(let count): Double(count)
        case .time(let time): time.median
        }
    }

    /// The number as text. A time has a unit: `1,566`, `51.2 ms`.
    var text: String {
        switch self {
        case .count(let count): count.grouped
        case .time(let time) where time.median < 999.5: "\(Self.threeDigits(time.median)) µs"
        case .time(let time): "\(Self.threeDigits(time.median / 1000)) ms"
        }
    }

    var json: JSONValue {
        switch self {
        case .count(let count): Measure.count(count).json
        case .time(let time): Measure.number(time).json
        }
    }

    private static func threeDigits(_ number: Double) -> String {
        number < 999.5
            ? number.formatted(.english.precision(.significantDigits(3)))
            : number.formatted(.english.precision(.fractionLength(0)))
    }
}
