package import Logging

/// How log lines look.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
    /// For a person: ``TextLogLine``.
    case text
    /// For a machine, one JSON object a line: ``JSONLogLine``.
    case json

    /// Text on a terminal, JSON everywhere else.
    package static func suited(to output: LogOutput) -> LogFormat {
        output.isTerminal ? .text : .json
    }

    /// A factory for `LoggingSystem.bootstrap`.
    ///
    /// - Parameters:
    ///   - level: The lowest level that is written.
    ///   - output: Where the lines go.
    package func handlerFactory(
        level: Logger.Level, output: LogOutput = .standardError
    ) -> @Sendable (_ label: String, _ provider: Logger.MetadataProvider?) -> any LogHandler {
        { LineLogHandler(self, label: $0, level: level, metadataProvider: $1, output: output) }
    }
}
