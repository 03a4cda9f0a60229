import Testing
import Tracing

@testable import DuetServer

@Suite("The trace context of a request") struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test("A valid traceparent is read and written without a change", arguments: ["00", "01"])
    func valid(flags: String) throws {
        let text = "00-\(Self.trace)-\(Self.span)-\(flags)"
        let context = try #require(TraceContext(parent: text, state: nil))
        #expect("\(context.traceID)" == Self.trace)
        #expect(context.spanID == 0x00f0_67aa_0ba9_02b7)
        #expect(context.isSampled == (flags == "01"))
        #expect(context.parent == text)
    }

    @Test("Only the flag sampled of unknown flags is read, and a later version can have further parts")
    func later() throws {
        let flags = try #require(TraceContext(parent: "00-\(Self.trace)-\(Self.span)-fe", state: nil))
        #expect(!flags.isSampled)
        for end in ["", "-", "-what-the-future-brings"] {
            let context = try #require(TraceContext(parent: "cc-\(Self.trace)-\(Self.span)-03\(end)", state: nil))
            #expect(context.parent == "00-\(Self.trace)-\(Self.span)-01")
        }
    }

    @Test(
        "An invalid traceparent is ignored",
        arguments: [
            "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-0", "00-\(trace)-\(span)-01-",
            "ff-\(trace)-\(span)-01",
            "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span.uppercased())-01", "0A-\(trace)-\(span)-01",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
            "00-\(trace)-\(span)-0g", "00_\(trace)-\(span)-01", "00-\(trace)-\(span)-01, 00-\(trace)-\(span)-01",
            "cc-\(trace)-\(span)-01.", " 00-\(trace)-\(span)-01", "00-\(trace)-\(span)-01é",
        ])
    func invalid(text: String) {
        #expect(TraceContext(parent: text, state: "a=1") == nil)
    }

    @Test("A tracestate is passed on, unless it is too long")
    func state() throws {
        let text = "00-\(Self.trace)-\(Self.span)-01"
        #expect(TraceContext(parent: text, state: "rojo=00f067,congo=t61")?.state == "rojo=00f067,congo=t61")
        let long = "a=" + String(repeating: "b", count: 510)
        #expect(TraceContext(parent: text, state: long)?.state == long)
        let context = try #require(TraceContext(parent: text, state: String(repeating: "b", count: 5000)))
        #expect(context.state == nil)
        #expect(TraceContext(parent: text, state: "")?.state == nil)
    }

    @Test("A share of the new traces is recorded, and none or all at the limits", arguments: [0, 0.01, 0.5, 1])
    func ratio(_ ratio: Double) {
        let (sampler, identifiers) = (TraceSampler(ratio: ratio), TraceIdentifiers())
        let count = (0..<100_000).count { _ in sampler.isSampled(identifiers.traceID()) }
        // Ten standard deviations are at most 1,600.
        #expect(abs(Double(count) - ratio * 100_000) <= (ratio == 0 || ratio == 1 ? 0 : 1_600))
    }

    @Test("Identifiers are different")
    func identifiers() {
        let identifiers = TraceIdentifiers()
        #expect(Set((0..<10_000).map { _ in identifiers.spanID() }).count == 10_000)
        let traces = (0..<10_000).map { _ in identifiers.traceID() }
        #expect(Set(traces).count == 10_000 && Set(traces.map(\.high)).count == 10_000)
    }
}
