import Synchronization

/// Decides whether the spans of a trace are recorded. A trace that the client has begun follows the decision of the
/// client, so that traces are complete. Of all other traces, a share is recorded.
struct TraceSampler: Sendable {
    /// The number of the 2^56 possible random parts of an identifier that are rejected. The random part has 7 bytes
    /// (W3C Trace Context, level 2, §5.1), and the largest numbers are recorded (OpenTelemetry, "TraceState:
    /// Probability Sampling").
    private let threshold: UInt64

    /// - Parameter ratio: The share of traces, from 0 to 1.
    init(ratio: Double) {
        threshold = UInt64(((1 - min(max(ratio, 0), 1)) * 0x1p56).rounded())
    }

    /// Returns the decision for a new trace.
    func isSampled(_ trace: TraceID) -> Bool { trace.low & (1 << 56 - 1) >= threshold }
}

/// Creates identifiers of traces and spans. They are random numbers (SplitMix64) and not secrets.
final class TraceIdentifiers: Sendable {
    private let state = Atomic<UInt64>(UInt64.random(in: 0 ... .max))
    /// Makes the first half of a trace's identifier independent of the second.
    private let offset = UInt64.random(in: 0 ... .max)

    func spanID() -> UInt64 {
        while true {
            let number = next()
            if number != 0 { return number }
        }
    }

    func traceID() -> TraceID { TraceID(high: next() ^ offset, low: spanID()) }

    private func next() -> UInt64 {
        var number = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
