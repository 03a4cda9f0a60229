import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation
import NIOCore
import ProcessTesting
import TestSupport
import Testing

@Suite("GraphQL over WebSocket")
struct LiveSocketTests {
    private static let protocolField = "Sec-WebSocket-Protocol: graphql-transport-ws\r\n"

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
            try await shop.server.connect { client in
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

    // MARK: Tokens

    /// A role whose callers see the customer with the identifier of their claim `customer`.
    private static let customer = Role(
        "customer", reads: ["customers": .init(where: .compare("id", .equal, [.parameter("customer")]))])

    private static func token(_ customer: Int64, sub: String = "a", expiresIn seconds: Double = 1000) -> JSONValue {
        let expiry = Int64(Date().timeIntervalSince1970 + seconds)
        let claims: JSONObject = [
            "role": "customer", "sub": .string(sub), "customer": .integer(customer), "exp": .integer(expiry),
        ]
        return ["Authorization": .string("Bearer \(TestToken(claims).text)")]
    }

    private static let names = "subscription { customers(first: 5) { nodes { name } } }"

    private static func next(_ id: String, _ names: String...) -> String {
        let nodes = names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        return #"text {"id":"\#(id)","type":"next","payload":{"data":{"customers":{"nodes":[\#(nodes)]}}}}"#
    }

    @Test("The first message can have the token, and a later ping a new one, which ends operations with other rights")
    func tokens() async throws {
        try await WritableShop.with(.sqlite, roles: [Self.customer]) { shop in
            try await shop.server.connect { client in
                try await client.send(Self.handshake(shop))
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
                try await client.send(Self.text(["type": "connection_init", "payload": Self.token(1)]))
                #expect(try await client.frame() == #"text {"type":"connection_ack"}"#)
                try await client.send(Self.subscribe("a", Self.names))
                #expect(try await client.frame() == Self.next("a", "Ada"))
                // A token of the same caller with the same rights.
                let same = Self.token(1, expiresIn: 2000)
                try await client.send(Self.text(["type": "ping", "payload": same]))
                #expect(try await client.frame().hasPrefix(#"text {"type":"pong""#))
                try await shop.database.write { try $0.execute("UPDATE customers SET name = 'Eve' WHERE id = 1") }
                #expect(try await client.frame() == Self.next("a", "Eve"))
                try await client.send(Self.text(["type": "ping", "payload": Self.token(2)]))
                let ended = try await client.frame()
                #expect(ended.contains(#""id":"a","type":"error""#) && ended.contains("TOKEN_REPLACED"), "\(ended)")
                #expect(try await client.frame().hasPrefix(#"text {"type":"pong""#))
                try await client.send(Self.subscribe("a", Self.names))
                #expect(try await client.frame() == Self.next("a", "Bob"))
                try await client.send(
                    Self.text(["type": "ping", "payload": ["authorization": "Bearer nonsense"]]))
                let close = try await client.frame()
                #expect(close.hasPrefix("close 4403 "), "\(close)")
            }
        }
    }

    @Test(
        "A connection without a valid token is closed with 4403, and a handshake with an invalid token is a 401",
        arguments: [JSONValue.object([:]), ["Authorization": "Bearer x"], ["Authorization": "Basic x"]])
    func invalidTokens(_ payload: JSONValue) async throws {
        try await WritableShop.with(.sqlite, roles: [Self.customer]) { shop in
            try await shop.server.connect { client in
                try await client.send(Self.handshake(shop))
                _ = try await client.head()
                try await client.send(Self.text(["type": "connection_init", "payload": payload]))
                let close = try await client.frame()
                #expect(close.hasPrefix("close 4403 "), "\(close)")
            }
            guard case .string(let field)? = payload["Authorization"] else { return }
            try await shop.server.connect { client in
                let fields = Self.protocolField + "Authorization: \(field)\r\n"
                try await client.send(Self.handshake(shop, fields: fields))
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 401 "), "\(head)")
            }
        }
    }

    @Test("When the token expires, a connection is closed with 4401, and a stream of events ends with `expired`")
    func expiry() async throws {
        try await WritableShop.with(.sqlite, roles: [Self.customer]) { shop in
            // The token is valid when the server reads it, because the server tolerates differences of clocks.
            let token = Self.token(1, expiresIn: 1)
            guard case .string(let field)? = token["Authorization"] else { return }
            try await shop.server.connect { client in
                try await client.send(
                    Self.handshake(shop, fields: Self.protocolField + "Authorization: \(field)\r\n"))
                _ = try await client.head()
                try await client.send(Self.text(["type": "connection_init"]))
                var frame = try await client.frame()
                if frame == #"text {"type":"connection_ack"}"# { frame = try await client.frame() }
                #expect(frame.hasPrefix("close 4401 "), "\(frame)")
            }
            var events = try await shop.server.events("GET", "/customers", ["Authorization": field])
            var last: String?
            while let event = try await events.next() { last = event.name }
            #expect(last == "expired")
            let body: JSONValue = ["query": .string(Self.names)]
            var responses = try await shop.server.events(
                "POST", "/graphql", ["Authorization": field], body: body.compactText)
            var received: [String] = []
            while let event = try await responses.next() { received.append("\(event.name) \(event.data)") }
            #expect(received.last == "complete " && received.contains { $0.contains("UNAUTHORIZED") }, "\(received)")
            let waited = try await shop.server.get("/customers?wait=60", ["Authorization": field])
            #expect(waited.status == 401)
        }
    }

    @Test("A page of another site, and a client of an older subprotocol, cannot open a connection")
    func refused() async throws {
        try await WritableShop.with(.sqlite) { shop in
            for (fields, status) in [
                (Self.protocolField + "Origin: https://other.example\r\n", "403"),
                ("Sec-WebSocket-Protocol: graphql-ws\r\n", "400"), ("", "400"),
            ] {
                try await shop.server.connect { client in
                    try await client.send(Self.handshake(shop, fields: fields))
                    let head = try await client.head()
                    #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(head)")
                }
            }
            try await shop.server.connect { client in
                let origin = "Origin: http://127.0.0.1:\(shop.server.port)\r\n"
                try await client.send(Self.handshake(shop, fields: Self.protocolField + origin))
                let head = try await client.head()
                #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
            }
        }
    }
}
