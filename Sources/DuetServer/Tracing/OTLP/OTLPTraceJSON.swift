import DuetJSON
import Tracing

/// Writes spans as a request of OTLP in JSON (opentelemetry.io/docs/specs/otlp, "JSON Protobuf Encoding"): identifiers
/// are hexadecimal digits, enumerations are numbers, and 64-bit integers are strings.
struct OTLPTraceJSON {
    /// The maximum size of a text in bytes. The rest is cut off, because a statement can be long.
    static let maximumTextSize = 16 << 10

    /// The attributes of the program, such as `service.name`.
    let resource: [(name: String, value: String)]
    let scopeVersion: String

    /// Returns the body of a request.
    func body(_ spans: [OTLPSpan]) -> [UInt8] {
        var writer = JSONByteWriter(capacity: 512 + spans.count * 1024)
        writer.write(raw: #"{"resourceSpans":[{"resource":{"attributes":["#)
        for (index, attribute) in resource.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(attribute.name, .string(attribute.value))
        }
        writer.write(raw: #"]},"scopeSpans":[{"scope":{"name":"duet","version":"#)
        writer.write(scopeVersion)
        writer.write(raw: #"},"spans":["#)
        for (index, span) in spans.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(span)
        }
        writer.write(raw: "]}]}]}")
        return writer.bytes
    }
}

extension JSONByteWriter {
    fileprivate mutating func write(_ span: OTLPSpan) {
        let content = span.content
        write(raw: #"{"traceId":""#)
        writeHexadecimal(span.trace.traceID.high)
        writeHexadecimal(span.trace.traceID.low)
        write(raw: #"","spanId":""#)
        writeHexadecimal(span.trace.spanID)
        write(byte: UInt8(ascii: "\""))
        if let state = span.trace.state {
            write(raw: #","traceState":"#)
            write(state)
        }
        if let parentID = span.parentID {
            write(raw: #","parentSpanId":""#)
            writeHexadecimal(parentID)
            write(byte: UInt8(ascii: "\""))
        }
        // The flags of the span; the first bit is `sampled`.
        write(raw: #","flags":1,"name":"#)
        write(content.name)
        write(raw: #","kind":"#)
        write(span.kind.number)
        write(raw: #","startTimeUnixNano":"#)
        writeInString(span.start)
        write(raw: #","endTimeUnixNano":"#)
        writeInString(content.end ?? span.start)
        write(attributes: content.attributes)
        if !content.events.isEmpty {
            writeArray("events", content.events) { writer, event in
                writer.write(raw: #"{"timeUnixNano":"#)
                writer.writeInString(event.nanosecondsSinceEpoch)
                writer.write(raw: #","name":"#)
                writer.write(event.name)
                writer.write(attributes: event.attributes)
                writer.write(byte: UInt8(ascii: "}"))
            }
        }
        // A link to a span of another tracer has no identifiers.
        let links = content.links.filter { $0.context.trace != nil }
        if !links.isEmpty {
            writeArray("links", links) { writer, link in
                guard let trace = link.context.trace else { return }
                writer.write(raw: #"{"traceId":""#)
                writer.writeHexadecimal(trace.traceID.high)
                writer.writeHexadecimal(trace.traceID.low)
                writer.write(raw: #"","spanId":""#)
                writer.writeHexadecimal(trace.spanID)
                writer.write(byte: UInt8(ascii: "\""))
                writer.write(attributes: link.attributes)
                writer.write(byte: UInt8(ascii: "}"))
            }
        }
        if let status = content.status {
            write(raw: #","status":{"code":"#)
            write(status.code == .ok ? 1 : 2)
            if let message = status.message {
                write(raw: #","message":"#)
                write(message)
            }
            write(byte: UInt8(ascii: "}"))
        }
        write(byte: UInt8(ascii: "}"))
    }

    private mutating func write(attributes: SpanAttributes) {
        guard !attributes.isEmpty else { return }
        write(raw: #","attributes":["#)
        var isFirst = true
        // The type is not a sequence.
        // swift-format-ignore: ReplaceForEachWithForLoop
        attributes.forEach { name, value in
            if !isFirst { write(byte: UInt8(ascii: ",")) }
            isFirst = false
            write(name, value)
        }
        write(byte: UInt8(ascii: "]"))
    }

    fileprivate mutating func write(_ name: String, _ value: SpanAttribute) {
        var name = name
        name.withUTF8 { name in
            let name = UnsafeRawBufferPointer(name)
            switch value {
            case .string(var text) where text.utf8.count <= OTLPTraceJSON.maximumTextSize:
                text.withUTF8 { text in
                    let text = UnsafeRawBufferPointer(text)
                    let length = JSONBytes.longestString(utf8Count: text.count)
                    write(name, longestValue: length) { $0.write(#"{"stringValue":"#, string: text, #"}}"#) }
                }
            case .int64(let number):
                write(name, longestValue: JSONBytes.longestInteger) {
                    $0.write(#"{"intValue":""#, number: number, #""}}"#)
                }
            default:
                write(name, longestValue: 0) { _ in }
                write(other: value)
                write(byte: UInt8(ascii: "}"))
            }
        }
    }

    /// Writes the beginning of an attribute, and what a closure adds to it. The capacity is checked only once, because
    /// a span has many short attributes.
    /// - Parameter length: The maximum length of the value, apart from constant texts.
    private mutating func write(
        _ name: UnsafeRawBufferPointer, longestValue length: Int, _ value: (inout RawBytes) -> Void
    ) {
        write(atMost: 64 + JSONBytes.longestString(utf8Count: name.count) + length) { target in
            var bytes = RawBytes(end: target)
            bytes.write(#"{"key":"#, string: name, #","value":"#)
            value(&bytes)
            return bytes.end - target
        }
    }

    private mutating func write(other value: SpanAttribute) {
        switch value {
        case .string(let text): write(text: text)
        case .int32(let number): write(integer: Int64(number))
        case .int64(let number): write(integer: number)
        case .bool(let value): write(bool: value)
        case .double(let number): write(double: number)
        case .stringConvertible(let value): write(text: "\(value)")
        case .stringArray(let list): writeArray(list) { $0.write(text: $1) }
        case .int32Array(let list): writeArray(list) { $0.write(integer: Int64($1)) }
        case .int64Array(let list): writeArray(list) { $0.write(integer: $1) }
        case .boolArray(let list): writeArray(list) { $0.write(bool: $1) }
        case .doubleArray(let list): writeArray(list) { $0.write(double: $1) }
        case .stringConvertibleArray(let list): writeArray(list) { $0.write(text: "\($1)") }
        // A kind of a later version.
        default: write(text: "\(value)")
        }
    }

    private mutating func write(text: String) {
        write(raw: #"{"stringValue":"#)
        if text.utf8.count > OTLPTraceJSON.maximumTextSize {
            write(String(decoding: text.utf8.prefix(OTLPTraceJSON.maximumTextSize), as: UTF8.self))
        } else {
            write(text)
        }
        write(byte: UInt8(ascii: "}"))
    }

    private mutating func write(integer: Int64) {
        write(raw: #"{"intValue":""#)
        write(integer)
        write(raw: #""}"#)
    }

    private mutating func write(bool: Bool) {
        write(raw: #"{"boolValue":"#)
        write(bool)
        write(byte: UInt8(ascii: "}"))
    }

    private mutating func write(double: Double) {
        write(raw: #"{"doubleValue":"#)
        if double.isFinite {
            write(double)
        } else {
            // The spellings of protobuf's JSON.
            write(double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity")
        }
        write(byte: UInt8(ascii: "}"))
    }

    private mutating func writeArray<Element>(
        _ list: [Element], _ element: (inout JSONByteWriter, Element) -> Void
    ) {
        write(raw: #"{"arrayValue":{"values":["#)
        for (index, value) in list.enumerated() {
            if index > 0 { write(byte: UInt8(ascii: ",")) }
            element(&self, value)
        }
        write(raw: "]}}")
    }

    private mutating func writeArray<Element>(
        _ name: String, _ list: [Element], _ element: (inout JSONByteWriter, Element) -> Void
    ) {
        write(byte: UInt8(ascii: ","))
        write(key: name)
        write(byte: UInt8(ascii: "["))
        for (index, value) in list.enumerated() {
            if index > 0 { write(byte: UInt8(ascii: ",")) }
            element(&self, value)
        }
        write(byte: UInt8(ascii: "]"))
    }

    private mutating func writeHexadecimal(_ number: UInt64) {
        write(atMost: 16) { target in
            Hexadecimal.write(
                number,
                to: UnsafeMutableBufferPointer(start: target.assumingMemoryBound(to: UInt8.self), count: 16))
            return 16
        }
    }

    private mutating func writeInString(_ number: UInt64) {
        write(byte: UInt8(ascii: "\""))
        write(Int64(clamping: number))
        write(byte: UInt8(ascii: "\""))
    }
}

extension SpanKind {
    /// The number in OTLP.
    fileprivate var number: Int {
        switch self {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }
}

/// Writes to memory that the caller has reserved.
private struct RawBytes {
    /// The address after the last byte.
    var end: UnsafeMutableRawPointer

    /// Writes a text that is part of JSON, a string literal, and a further text.
    mutating func write(_ before: StaticString, string: UnsafeRawBufferPointer, _ after: StaticString) {
        write(before)
        end += JSONBytes.write(string: string, to: end)
        write(after)
    }

    /// Writes a text that is part of JSON, an integer, and a further text.
    mutating func write(_ before: StaticString, number: Int64, _ after: StaticString) {
        write(before)
        end += JSONBytes.write(number, to: end)
        write(after)
    }

    private mutating func write(_ text: StaticString) {
        end.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        end += text.utf8CodeUnitCount
    }
}
