import Foundation

extension LiveReport {
    /// The heading of the conclusion.
    static let conclusionTitle = "Which way to watch is cheaper"

    /// The conclusion without its details, and without a final period.
    var headline: String {
        guard difference == nil else { return "Some ways do not show the last state" }
        guard let polling = polling.first, let waiting = waiting.first else {
            return "There is nothing to compare here"
        }
        let (cheaper, dearer) = waiting.bytes < polling.bytes ? (waiting, polling) : (polling, waiting)
        let saving = (1 - Double(cheaper.bytes) / Double(dearer.bytes)).formatted(
            .percent.precision(.fractionLength(0)).locale(Locale(identifier: "en_US")))
        guard waiting.bytes < polling.bytes else { return "Polling takes \(saving) fewer bytes here" }
        // Without a report of commits, the database is read at an interval.
        let isLater = (waiting.medianDelay ?? 0) > (polling.medianDelay ?? .infinity)
        return "Waiting for changes is cheaper than polling here: \(saving) fewer bytes"
            + (isLater ? ", but changes arrive later" : "")
    }

    /// The figures of the best way that waits for changes, of the best one of the other style, and of the best way that
    /// polls, as sentences.
    var details: [String] {
        guard difference == nil else { return [difference].compactMap(\.self) }
        func figures(_ way: Way) -> String {
            let delay = way.medianDelay.map { ["a median delay of \(Measure.number($0).readable) ms"] } ?? []
            let statements = way.statements.map { [$0.of("statement")] } ?? []
            return (["\(way.requests.of("request"))", "\(way.bytes.grouped) bytes"] + statements + delay).inWords
        }
        let others = waiting.dropFirst().filter { $0.way.isGraphQL != waiting[0].way.isGraphQL }
        return (waiting.prefix(1) + others.prefix(1) + polling.prefix(1)).map { "\($0.way.title): \(figures($0))." }
    }

    /// The conclusion as a text.
    var conclusion: String { ([headline + "."] + details).joined(separator: " ") }

    /// The ways that poll each second, those with the fewest bytes first.
    private var polling: [Way] { ways.filter(\.way.isPolling).sorted { $0.bytes < $1.bytes } }
    /// The ways that wait for changes, those with the fewest bytes first.
    private var waiting: [Way] { ways.filter { !$0.way.isPolling }.sorted { $0.bytes < $1.bytes } }
}
