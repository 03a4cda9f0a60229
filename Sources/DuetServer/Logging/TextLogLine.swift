import Logging
import NIOCore

/// A log event as one line for people:
///
///     2026-07-31T08:15:00.042Z info duet: Server started port=8080 database="sqlite:.duet/employees.sqlite"
///
/// Line breaks and other control characters are escaped everywhere, so that external text can neither create lines nor
/// control the terminal.
enum TextLogLine {
    /// Returns the line with a trailing line feed.
    static func make(
        _ event: LogEvent, label: String, metadata: [LogMetadata.Member], at timestamp: LogTimestamp
    ) -> ByteBuffer {
        var line = ByteBufferAllocator().buffer(capacity: 256)
        timestamp.withCharacters { _ = line.writeBytes($0) }
        line.writeStaticString(" ")
        line.writeString(event.level.rawValue)
        line.writeStaticString(" ")
        Self.write(label, to: &line)
        line.writeStaticString(": ")
        Self.write(event.message.description, to: &line)
        for member in metadata {
            line.writeStaticString(" ")
            Self.write(member.key, to: &line)
            line.writeStaticString("=")
            Self.write(member.value, to: &line)
        }
        line.writeStaticString("\n")
        return line
    }

    private static func write(_ value: Logger.MetadataValue, to line: inout ByteBuffer) {
        switch value {
        case .string(let text): Self.write(value: text, to: &line)
        case .stringConvertible(let value): Self.write(value: value.description, to: &line)
        case .array(let elements):
            line.writeStaticString("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { line.writeStaticString(", ") }
                Self.write(element, to: &line)
            }
            line.writeStaticString("]")
        case .dictionary(let members):
            line.writeStaticString("{")
            for (index, member) in LogMetadata.sorted(members).enumerated() {
                if index > 0 { line.writeStaticString(", ") }
                Self.write(member.key, to: &line)
                line.writeStaticString("=")
                Self.write(member.value, to: &line)
            }
            line.writeStaticString("}")
        }
    }

    /// Writes a value. The value is quoted if it is not a single word.
    private static func write(value: String, to line: inout ByteBuffer) {
        let isOneWord = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && !"=\"".utf8.contains($0) }
        if isOneWord {
            Self.write(value, to: &line)
        } else {
            line.writeStaticString("\"")
            Self.write(value, to: &line, escaping: UInt8(ascii: "\""))
            line.writeStaticString("\"")
        }
    }

    /// Writes a text. `character` and the control characters C0, DEL and C1 (C2 80 to C2 9F in UTF-8) are escaped.
    private static func write(_ text: String, to line: inout ByteBuffer, escaping character: UInt8? = nil) {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != character }) {
            line.writeString(text)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: line.writeStaticString("\\n")
            case 0x0D: line.writeStaticString("\\r")
            case 0x09: line.writeStaticString("\\t")
            case 0x00..<0x20, 0x7F..<0xA0: line.writeString("\\u{\(String(scalar.value, radix: 16))}")
            case let value where character.map(UInt32.init) == value:
                line.writeStaticString("\\")
                line.writeInteger(UInt8(truncatingIfNeeded: value))
            default: line.writeString(String(scalar))
            }
        }
    }
}
