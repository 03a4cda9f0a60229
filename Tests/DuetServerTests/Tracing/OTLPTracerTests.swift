import DuetJSON
import Testing
import Tracing

@testable import DuetServer

@Suite("The tracer for OTLP") struct OTLPTracerTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"

    /// Returns the spans of a tracer as JSON.
    private func json(_ tracer: OTLPTracer) throws -> [JSONValue] {
        let writer = OTLPTraceJSON(resource: [("service.name", "tests")], scopeVersion: "1")
        let body = try JSONValue(parsing: writer.body(tracer.buffer.takeBatch()))
        let resource = body["resourceSpans"]?.first
        #expect(
            resource?["resource"] == ["attributes": [["key": "service.name", "value": ["stringValue": "tests"]]]])
        let scope = resource?["scopeSpans"]?.first
        #expect(scope?["scope"] == ["name": "duet", "version": "1"])
        guard case .array(let spans)? = scope?["spans"] else { return [] }
        return spans
    }

    private func context(_ fields: [String: String], _ tracer: OTLPTracer) -> ServiceContext {
        var context = ServiceContext.topLevel
        tracer.extract(fields, into: &context, using: Fields())
        return context
    }

    @Test("A span has the form of OTLP in JSON")
    func form() throws {
        let tracer = OTLPTracer(sampleRatio: 1)
        let start = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_700_000_000_000_000_001)
        let end = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_700_000_000_000_000_009)
        let context = context(["traceparent": Self.parent + "-01", "tracestate": "a=1"], tracer)
        let span = tracer.startSpan("first", context: context, ofKind: .client, at: start)
        span.operationName = "second \"quoted\""
        span.attributes["text"] = "é\n"
        span.attributes["number"] = 9_007_199_254_740_993
        span.attributes["share"] = 0.5
        span.attributes["flag"] = true
        span.attributes["list"] = ["a", "b"]
        span.attributes["nan"] = Double.nan
        span.addEvent(SpanEvent(name: "event", at: start, attributes: ["n": 1]))
        span.addLink(SpanLink(context: context, attributes: [:]))
        span.setStatus(SpanStatus(code: .error, message: "why"))
        span.end(at: end)
        span.operationName = "too late"
        span.end(at: start)
        let spans = try json(tracer)
        #expect(spans.count == 1)
        let written = try #require(spans.first)
        #expect(written["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(written["parentSpanId"] == "00f067aa0ba902b7")
        #expect(written["traceState"] == "a=1")
        guard case .string(let identifier)? = written["spanId"] else { throw Missing() }
        #expect(identifier.utf8.count == 16 && identifier != "00f067aa0ba902b7")
        #expect(written["name"] == "second \"quoted\"" && written["kind"] == 3 && written["flags"] == 1)
        #expect(written["startTimeUnixNano"] == "1700000000000000001")
        #expect(written["endTimeUnixNano"] == "1700000000000000009")
        #expect(written["status"] == ["code": 2, "message": "why"])
        #expect(
            written["events"]
                == [
                    [
                        "timeUnixNano": "1700000000000000001", "name": "event",
                        "attributes": [["key": "n", "value": ["intValue": "1"]]],
                    ]
                ])
        #expect(
            written["links"] == [["traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "spanId": "00f067aa0ba902b7"]])
        var attributes: [String: JSONValue] = [:]
        guard case .array(let members)? = written["attributes"] else { throw Missing() }
        for member in members {
            guard case .string(let key)? = member["key"] else { throw Missing() }
            attributes[key] = member["value"]
        }
        let strings: JSONValue = ["values": [["stringValue": "a"], ["stringValue": "b"]]]
        #expect(
            attributes == [
                "text": ["stringValue": "é\n"], "number": ["intValue": "9007199254740993"],
                "share": ["doubleValue": 0.5], "flag": ["boolValue": true], "list": ["arrayValue": strings],
                "nan": ["doubleValue": "NaN"],
            ])
    }

    @Test("A trace of a client follows its decision, and a new trace that of the ratio", arguments: [0.0, 1.0])
    func sampling(ratio: Double) throws {
        let tracer = OTLPTracer(sampleRatio: ratio)
        for (fields, isRecorded) in [
            (["traceparent": Self.parent + "-01"], true), (["traceparent": Self.parent + "-00"], false),
            ([:], ratio == 1), (["traceparent": "00-0-0-01"], ratio == 1),
        ] {
            let root = tracer.startSpan("root", context: context(fields, tracer))
            #expect(root.isRecording == isRecorded)
            let child = tracer.startSpan("child", context: root.context)
            #expect(child.isRecording == isRecorded)
            #expect(child.context.trace?.traceID == root.context.trace?.traceID)
            child.end()
            root.end()
            #expect(!root.isRecording)
            let spans = try json(tracer)
            #expect(spans.map { $0["name"] } == (isRecorded ? ["child", "root"] : []))
            if isRecorded { #expect(spans[0]["parentSpanId"] == spans[1]["spanId"]) }
        }
    }

    @Test("The context of a span is passed on to the next server, also if the span is not recorded")
    func injection() throws {
        let tracer = OTLPTracer(sampleRatio: 1)
        var carrier: [String: String] = [:]
        tracer.inject(.topLevel, into: &carrier, using: Fields())
        #expect(carrier.isEmpty)
        for flags in ["00", "01"] {
            let given = context(["traceparent": "\(Self.parent)-\(flags)", "tracestate": "a=1,b=2"], tracer)
            let span = tracer.startSpan("span", context: given)
            tracer.inject(span.context, into: &carrier, using: Fields())
            #expect(carrier["tracestate"] == "a=1,b=2")
            let passed = try #require(carrier["traceparent"])
            #expect(passed.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && passed.hasSuffix("-\(flags)"))
        }
    }

    @Test("A request for a key set has the context of the span that needs the keys")
    func keySet() async throws {
        try await KeyServer.with { _ in
            .response()
        } _: { server in
            let request = KeySetRequest(address: try KeySetAddress(server.base + "/keys?secret"))
            _ = try await request.send()
            #expect(!server.lastRequest.lowercased().contains("traceparent"))
            let tracer = OTLPTracer(sampleRatio: 1)
            let given = context(["traceparent": Self.parent + "-01", "tracestate": "a=1"], tracer)
            let span = tracer.startSpan("span", context: given)
            _ = try await withTracer(tracer) {
                try await ServiceContext.withValue(span.context) { try await request.send() }
            }
            let trace = try #require(span.context.trace)
            #expect(server.lastRequest.contains("\r\ntraceparent: \(trace.parent)\r\n"))
            #expect(server.lastRequest.contains("\r\ntracestate: a=1\r\n"))
            // The client has no span of its own, because its attributes would contain the query.
            #expect(try json(tracer).isEmpty)
        }
    }

    @Test("A text that is very long is cut off")
    func longText() throws {
        let tracer = OTLPTracer(sampleRatio: 1)
        let span = tracer.startSpan("span", context: .topLevel)
        span.attributes["text"] = String(repeating: "a", count: 100_000)
        span.end()
        guard case .string(let text)? = try json(tracer)[0]["attributes"]?.first?["value"]?["stringValue"] else {
            throw Missing()
        }
        #expect(text == String(repeating: "a", count: OTLPTraceJSON.maximumTextSize))
    }
}

extension JSONValue {
    /// The first element of an array; nil for any other value.
    fileprivate var first: JSONValue? { if case .array(let elements) = self { elements.first } else { nil } }
}

private struct Missing: Error {}

/// Reads and writes fields in a dictionary.
private struct Fields: Extractor, Injector {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }

    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
}
