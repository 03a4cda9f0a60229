import DuetGraphQL
import DuetJSON
import Logging
import NIOCore

/// A log event as one line of JSON:
///
///     {"ts":"2026-07-31T08:15:00.042Z","level":"info","label":"duet","message":"…","metadata":{"request.id":"…"}}
///
/// `metadata` is omitted if it is empty. An `Int`, `Double` or `Bool` in `.stringConvertible` is written as a JSON
/// number or Boolean. All other values are written as strings, arrays and objects.
enum JSONLogLine {
    /// Returns the line with a trailing line feed.
    static func make(
        _ event: LogEvent, label: String, metadata: [LogMetadata.Member], at timestamp: LogTimestamp
    ) -> ByteBuffer {
        var line = JSONWriter(capacity: 512)
        line.write(raw: "{\"ts\":\"")
        timestamp.withCharacters { line.write(raw: $0) }
        line.write(raw: "\",\"level\":\"")
        line.write(raw: event.level.rawValue.utf8)
        line.write(raw: "\",\"label\":")
        line.write(label)
        line.write(raw: ",\"message\":")
        line.write(event.message.description)
        if !metadata.isEmpty {
            line.write(raw: ",\"metadata\":")
            Self.write(metadata, to: &line)
        }
        line.write(raw: "}\n")
        return line.buffer
    }

    private static func write(_ metadata: [LogMetadata.Member], to line: inout JSONWriter) {
        line.write(byte: UInt8(ascii: "{"))
        for (index, member) in metadata.enumerated() {
            if index > 0 { line.write(byte: UInt8(ascii: ",")) }
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
                if index > 0 { line.write(byte: UInt8(ascii: ",")) }
                Self.write(element, to: &line)
            }
            line.write(byte: UInt8(ascii: "]"))
        }
    }
}
