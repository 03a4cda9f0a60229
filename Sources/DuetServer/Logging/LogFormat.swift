package import Logging

/// The format of log lines.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// The format for people: ``TextLogLine``.
    case text
    /// The format for machines, with one JSON object per line: ``JSONLogLine``.
    case json

    /// Returns `text` for a terminal, and `json` for any other output.
    package static func suited(to output: LogOutput) -> LogFormat {
        output.isTerminal ? .text : .json
    }

    /// Returns a factory for `LoggingSystem.bootstrap`.
    ///
    /// - Parameters:
    ///   - level: The lowest level that is written.
    ///   - output: The destination of the lines.
    ///   - values: The policy for values in errors.
    package func handlerFactory(
        level: Logger.Level, output: LogOutput = .standardError, values: LogValues = .included
    ) -> @Sendable (_ label: String, _ provider: Logger.MetadataProvider?) -> any LogHandler {
        { LineLogHandler(self, label: $0, level: level, metadataProvider: $1, output: output, values: values) }
    }
}
