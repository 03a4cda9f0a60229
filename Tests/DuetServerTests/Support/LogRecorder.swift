import Logging
import Synchronization

/// Records log lines.
final class LogRecorder: Sendable {
    private let kept = Mutex<[(level: Logger.Level, text: String)]>([])

    /// Returns a logger that records lines of at least the given level.
    func logger(level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { [self] _ in Handler(recorder: self, logLevel: level) }
    }

    /// The level, message and metadata of each line.
    var lines: [String] { kept.withLock { $0.map { "\($0.level) \($0.text)" } } }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.kept.withLock { $0.append((event.level, "\(event.message) \(event.metadata ?? [:])")) }
        }
    }
}
