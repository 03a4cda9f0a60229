import DuetJSON
import Foundation
import NIOCore
import NIOPosix
import ProcessTesting
import TestSupport
import Testing

@Suite("GraphQL over WebSocket")
struct LiveSocketTests {
    private static let protocolField = "Sec-WebSocket-Protocol: graphql-transport-ws\r\n"

    /// Connects to the server of a shop.
    private static func connect(
        to shop: WritableShop, _ body: (inout WebSocketTestClient) async throws -> Void
    ) async throws {
        let port = Int(shop.server.port) ?? 0
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            var client = WebSocketTestClient(bytes: inbound.makeAsyncIterator(), outbound: outbound)
            try await body(&client)
        }
    }

    private static func handshake(_ shop: WritableShop, fields: String = protocolField) -> String {
        WebSocketTestClient.handshake("/graphql", host: "127.0.0.1:\(shop.server.port)", fields: fields)
    }

    private static func text(_ message: JSONValue) -> ByteBuffer {
        ClientFrame.make(ClientFrame.text, message.compactText)
    }

    private static func subscribe(_ id: String, _ document: String) -> ByteBuffer {
        text(["id": .string(id), "type": "subscribe", "payload": ["query": .string(document)]])
    }

    @Test(
        "A connection has queries, mutations and subscriptions, whose responses follow each commit",
        arguments: TestBackend.available)
    func operations(_ backend: TestBackend) async throws {
        try await WritableShop.with(backend) { shop in
            try await Self.connect(to: shop) { client in
                try await client.send(Self.handshake(shop))
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 101 ") && head.contains("graphql-transport-ws"), "\(head)")
                try await client.send(Self.text(["type": "connection_init"]))
                #expect(try await client.frame() == #"text {"type":"connection_ack"}"#)
                try await client.send(Self.subscribe("a", "subscription { customer(id: 1) { name } }"))
                let first = try await client.frame()
                #expect(
                    first == #"text {"id":"a","type":"next","payload":{"data":{"customer":{"name":"Ada"}}}}"#)
                let mutation = #"mutation { updateCustomer(id: 1, patch: {name: "Eve"}) { customer { name } } }"#
                try await client.send(Self.subscribe("b", mutation))
                // The response to the mutation and that of the subscription have no order.
                var frames: [String] = []
                for _ in 1...3 { frames.append(try await client.frame()) }
                #expect(
                    frames.contains(#"text {"id":"a","type":"next","payload":{"data":{"customer":{"name":"Eve"}}}}"#),
                    "\(frames)")
                #expect(frames.contains(#"text {"id":"b","type":"complete"}"#), "\(frames)")
                #expect(frames.contains { $0.contains(#""updateCustomer":{"customer":{"name":"Eve"}}"#) }, "\(frames)")
                try await client.send(Self.subscribe("c", "{ unknown }"))
                let error = try await client.frame()
                #expect(error.contains(#""type":"error""#) && error.contains("GRAPHQL_VALIDATION_FAILED"), "\(error)")
            }
        }
    }

    @Test("A page of another site, and a client of an older subprotocol, cannot open a connection")
    func refused() async throws {
        try await WritableShop.with(.sqlite) { shop in
            for (fields, status) in [
                (Self.protocolField + "Origin: https://other.example\r\n", "403"),
                ("Sec-WebSocket-Protocol: graphql-ws\r\n", "400"), ("", "400"),
            ] {
                try await Self.connect(to: shop) { client in
                    try await client.send(Self.handshake(shop, fields: fields))
                    let head = try await client.head()
                    #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
                }
            }
            try await Self.connect(to: shop) { client in
                let origin = "Origin: http://127.0.0.1:\(shop.server.port)\r\n"
                try await client.send(Self.handshake(shop, fields: Self.protocolField + origin))
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
            }
        }
    }
}
