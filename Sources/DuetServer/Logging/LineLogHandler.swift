package import Logging

/// A log handler that writes each event as one line in a ``LogFormat``.
package struct LineLogHandler: LogHandler {
    private let format: LogFormat
    private let label: String
    private let output: LogOutput
    private let values: LogValues
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    package init(
        _ format: LogFormat, label: String, level: Logger.Level = .info,
        metadataProvider: Logger.MetadataProvider? = nil, output: LogOutput = .standardError,
        values: LogValues = .included
    ) {
        self.format = format
        self.label = label
        self.logLevel = level
        self.metadataProvider = metadataProvider
        self.output = output
        self.values = values
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let metadata = LogMetadata.merge(self.metadata, provider: self.metadataProvider, event: event, self.values)
        let line =
            switch self.format {
            case .text: TextLogLine.make(event, label: self.label, metadata: metadata, at: .now())
            case .json: JSONLogLine.make(event, label: self.label, metadata: metadata, at: .now())
            }
        self.output.write(line)
    }
}

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
