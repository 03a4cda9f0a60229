import JSON
package import Logging
import NIOCore

/// Writes each log event as one line of JSON:
///
///     {"ts":"2026-07-31T08:15:00.042Z","level":"info","label":"duet","message":"…","metadata":{"request.id":"…"}}
///
/// `metadata` is left out when there is none. Integers, floating-point numbers and booleans given as
/// `.stringConvertible` are written as such, everything else as strings, arrays and objects.
package struct JSONLogHandler: LogHandler {
    private let label: String
    private let output: LogOutput
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    package init(
        label: String, level: Logger.Level = .info, metadataProvider: Logger.MetadataProvider? = nil,
        output: LogOutput = .standardError
    ) {
        self.label = label
        self.logLevel = level
        self.metadataProvider = metadataProvider
        self.output = output
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        self.output.write(self.line(for: event, at: .now()))
    }

    /// The line for an event, with the line feed.
    func line(for event: LogEvent, at timestamp: LogTimestamp) -> ByteBuffer {
        var line = JSONWriter(capacity: 512)
        line.write(raw: "{\"ts\":\"")
        timestamp.withCharacters { line.write(raw: $0) }
        line.write(raw: "\",\"level\":\"")
        line.write(raw: event.level.rawValue.utf8)
        line.write(raw: "\",\"label\":")
        line.write(self.label)
        line.write(raw: ",\"message\":")
        line.write(event.message.description)
        let metadata = LogMetadata.merge(self.metadata, provider: self.metadataProvider, event: event)
        if !metadata.isEmpty {
            line.write(raw: ",\"metadata\":")
            Self.write(metadata, to: &line)
        }
        line.write(raw: "}\n")
        return line.buffer
    }

    private static func write(_ metadata: [(key: String, value: Logger.MetadataValue)], to line: inout JSONWriter) {
        line.write(byte: UInt8(ascii: "{"))
        for (index, member) in metadata.enumerated() {
            if index > 0 { line.write(byte: .comma) }
            line.write(key: member.key)
            Self.write(member.value, to: &line)
        }
        line.write(byte: UInt8(ascii: "}"))
    }

    private static func write(_ value: Logger.MetadataValue, to line: inout JSONWriter) {
        switch value {
        case .string(let text): line.write(text)
        case .stringConvertible(let integer as Int): line.write(integer)
        case .stringConvertible(let number as Double): line.write(number)
        case .stringConvertible(let boolean as Bool): line.write(boolean)
        case .stringConvertible(let value): line.write(value.description)
        case .dictionary(let members): Self.write(LogMetadata.sorted(members), to: &line)
        case .array(let elements):
            line.write(byte: UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { line.write(byte: .comma) }
                Self.write(element, to: &line)
            }
            line.write(byte: UInt8(ascii: "]"))
        }
    }
}
