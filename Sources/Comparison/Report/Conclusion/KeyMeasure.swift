/// A measure of the picture and the sentences that a report opens with.
enum KeyMeasure: Sendable, Hashable {
    /// Requests sent.
    case requests
    /// Bytes in both directions: heads and bodies, responses in gzip where the server compresses them for those who accept it.
    case bytes
    /// How long a task takes with this round-trip time between client and server.
    case time(roundTrip: Duration)
    /// The processor time of the server for one task.
    case serverTime

    /// In JSON.
    var name: String {
        switch self {
        case .requests: "requests"
        case .bytes: "bytes"
        case .time(let roundTrip): "timeFrom\(roundTrip.inMilliseconds)ms"
        case .serverTime: "serverTime"
        }
    }

    /// At the head of a column.
    var title: String { noun.capitalizedFirst }

    /// In a sentence, without an article.
    var noun: String {
        switch self {
        case .requests: "requests"
        case .bytes: "bytes"
        case .time(let roundTrip): "time from \(roundTrip.inMilliseconds) ms away"
        case .serverTime: "server's processor time"
        }
    }

    /// A figure with its noun: `1 request`, `51.2 ms from 50 ms away`.
    func phrase(_ figure: KeyFigure) -> String {
        switch (self, figure) {
        case (.requests, .count(let count)): count.of("request")
        case (.bytes, .count(let count)): count.of("byte")
        case (.time(let roundTrip), _): "\(figure.text) from \(roundTrip.inMilliseconds) ms away"
        case (.serverTime, _): "\(figure.text) of the server's processor time"
        case (.requests, .time), (.bytes, .time): figure.text
        }
    }

    /// The figure of a style; `nil` if the report does not have it.
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
    /// The distance that a report opens with; of those measured, the one that is nearest to it.
    private static let distance = Duration.milliseconds(50)

    /// The measures that the report opens with: requests and bytes; if it was timed, the time from about 50 ms away and the server's
    /// processor time, or where no server reports that, the time without a distance.
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
    /// The timing that a report opens with: requests that do not depend on each other are sent at once, as browsers do.
    fileprivate var keyTiming: Timing? { timings.first { $0.mode == .parallel } ?? timings.first }
}

extension Cost {
    /// Bytes in both directions.
    var travelled: Int { up.total + down.head + gzippedDown.body }
}

extension Duration {
    var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
