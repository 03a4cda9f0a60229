import Tracing

/// The identity of a span and of its trace, as a request carries it in `traceparent` and `tracestate` (W3C Trace
/// Context, www.w3.org/TR/trace-context).
struct TraceContext: Sendable, Hashable {
    /// The identifier of the trace, 16 bytes that are not all zero.
    var traceID: TraceID
    /// The identifier of the span, 8 bytes that are not all zero.
    var spanID: UInt64
    /// True if the spans of the trace are recorded.
    var isSampled: Bool
    /// The value of `tracestate`, which belongs to other tracing systems and is passed on unchanged; nil for none.
    var state: String?

    /// The maximum length of a passed `tracestate` in bytes. A recipient must pass on at least 512 (§3.3.1.5).
    private static let maximumStateSize = 1024

    init(traceID: TraceID, spanID: UInt64, isSampled: Bool, state: String? = nil) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Reads the values of a request (§3.2, §4.3).
    /// - Parameters:
    ///   - parent: The value of `traceparent`.
    ///   - state: The combined value of `tracestate`. It is ignored if it is too long.
    /// - Returns: nil if `traceparent` is invalid.
    init?(parent: String, state: String?) {
        var parent = parent
        let parsed: TraceContext? = parent.withUTF8 { bytes in
            // 00-<32 digits>-<16 digits>-<2 digits>. A later version can append further parts.
            guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
                let version = Hexadecimal.number(bytes[0..<2]), version != 0xFF,
                bytes.count == 55 || version > 0 && bytes[55] == UInt8(ascii: "-"),
                let high = Hexadecimal.number(bytes[3..<19]), let low = Hexadecimal.number(bytes[19..<35]),
                let span = Hexadecimal.number(bytes[36..<52]), let flags = Hexadecimal.number(bytes[53..<55]),
                high | low != 0, span != 0
            else { return nil }
            return TraceContext(traceID: TraceID(high: high, low: low), spanID: span, isSampled: flags & 1 == 1)
        }
        guard let parsed else { return nil }
        self = parsed
        if let state, !state.isEmpty, state.utf8.count <= Self.maximumStateSize { self.state = state }
    }

    /// The value of `traceparent`.
    var parent: String {
        String(unsafeUninitializedCapacity: 55) { target in
            target.initialize(repeating: UInt8(ascii: "-"))
            target[0] = UInt8(ascii: "0")
            target[1] = UInt8(ascii: "0")
            Hexadecimal.write(traceID.high, to: UnsafeMutableBufferPointer(rebasing: target[3..<19]))
            Hexadecimal.write(traceID.low, to: UnsafeMutableBufferPointer(rebasing: target[19..<35]))
            Hexadecimal.write(spanID, to: UnsafeMutableBufferPointer(rebasing: target[36..<52]))
            target[53] = UInt8(ascii: "0")
            target[54] = UInt8(ascii: isSampled ? "1" : "0")
            return 55
        }
    }
}

/// The identifier of a trace.
struct TraceID: Sendable, Hashable, CustomStringConvertible {
    var high: UInt64
    var low: UInt64

    /// 32 hexadecimal digits.
    var description: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

/// Numbers of fixed length in hexadecimal digits, in lower case.
enum Hexadecimal {
    private static let digits: StaticString = "0123456789abcdef"

    /// Returns 16 digits.
    static func text(_ number: UInt64) -> String {
        String(unsafeUninitializedCapacity: 16) { target in
            write(number, to: UnsafeMutableBufferPointer(rebasing: target[0..<16]))
            return 16
        }
    }

    /// Writes 16 digits.
    static func write(_ number: UInt64, to target: UnsafeMutableBufferPointer<UInt8>) {
        for index in 0..<16 { target[index] = digits.utf8Start[Int(number >> (60 - 4 * UInt64(index)) & 0xF)] }
    }

    /// Reads at most 16 digits; nil if there is another character, such as a digit in upper case.
    static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        var number: UInt64 = 0
        for byte in text {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            number = number << 4 | UInt64(digit)
        }
        return number
    }
}

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceContext
    }

    /// The identity of the span that ``OTLPTracer`` has created, or of the caller's span.
    var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}
