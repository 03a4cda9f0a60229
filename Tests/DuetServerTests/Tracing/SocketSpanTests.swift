import NIOCore
import ProcessTesting
import ServerTestSupport
import TestSupport
import Testing
import Tracing

@testable import DuetServer

@Suite("The spans of operations on a WebSocket connection") struct SocketSpanTests {
    private struct Endpoint: HTTPEndpoint {
        let base: String
    }

    @Test("They are not part of the trace of the handshake", arguments: [0.0, 1.0])
    func ownTrace(ratio: Double) async throws {
        let tracer = OTLPTracer(sampleRatio: ratio)
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        try await withTracer(tracer) {
            try await SampleServer.with(.sqlite, employees: 20) { origin in
                let server = Endpoint(base: origin)
                try await server.connect { client in
                    try await client.send(
                        WebSocketTestClient.handshake(
                            "/graphql", host: "127.0.0.1:\(server.port)",
                            fields:
                                "Sec-WebSocket-Protocol: graphql-transport-ws\r\ntraceparent: 00-\(trace)-00f067aa0ba902b7-01\r\n"
                        ))
                    let head = try await client.head()
                    #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
                    for message in [
                        #"{"type":"connection_init"}"#,
                        #"{"id":"a","type":"subscribe","payload":{"query":"{ employee(id: 10004) { lastName } }"}}"#,
                    ] { try await client.send(ClientFrame.make(ClientFrame.text, message)) }
                    #expect(try await client.frame() == #"text {"type":"connection_ack"}"#)
                    #expect(try await client.frame().contains("Koblick"))
                    #expect(try await client.frame() == #"text {"id":"a","type":"complete"}"#)
                }
            }
        }
        let spans = tracer.buffer.takeBatch()
        let ofHandshake = spans.filter { $0.trace.traceID.description == trace }.map(\.content.name)
        let others = spans.filter { $0.trace.traceID.description != trace }.map(\.content.name)
        #expect(ofHandshake == ["GET /graphql"])
        #expect(others == (ratio == 0 ? [] : ["SELECT employees", "query"]))
    }
}
