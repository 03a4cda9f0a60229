import DuetGraphQL
import DuetGraphQLHTTP
import NIOCore
import Synchronization
import Testing

/// Tests of the protocol graphql-transport-ws: the messages of a client, and those that it receives.
@Suite("The protocol graphql-transport-ws", .timeLimit(.minutes(15)))
struct GraphQLSocketTests {
    // MARK: The initialisation

    @Test("The connection is acknowledged, also with a payload")
    func acknowledgement() async throws {
        try await TestSocket.run { client in
            client.send(#"{"type":"connection_init"}"#)
            #expect(await client.next() == #"{"type":"connection_ack"}"#)
        }
        try await TestSocket.run(acknowledgement: ["tracking": "123"]) { client in
            client.send(#"{"type":"connection_init","payload":{"token":"t"}}"#)
            #expect(await client.next() == #"{"type":"connection_ack","payload":{"tracking":"123"}}"#)
        }
    }

    @Test("The payload of the initialisation identifies the client, whose operations receive the identity")
    func identity() async throws {
        try await TestSocket.run { client in
            await client.initialise(#"{"token":"ada"}"#)
            client.subscribe("1", "{ client }")
            #expect(await client.next() == #"{"id":"1","type":"next","payload":{"data":{"client":"ada"}}}"#)
            #expect(await client.next() == #"{"id":"1","type":"complete"}"#)
        }
    }

    @Test("A client that is not accepted is closed with 4403, or with the reason of the server")
    func rejected() async throws {
        try await TestSocket.run { client in
            client.send(#"{"type":"connection_init","payload":{"token":"rejected"}}"#)
            #expect(await client.next() == "close 4403 Forbidden")
        }
        try await TestSocket.run { client in
            client.send(#"{"type":"connection_init","payload":{"token":"expired"}}"#)
            #expect(await client.next() == "close 4401 Unauthorized")
        }
    }

    @Test("A client that does not initialise the connection in time is closed with 4408")
    func initTimeout() async throws {
        var limits = GraphQLSocketLimits()
        limits.initTimeout = .zero
        try await TestSocket.run(limits: limits) { client in
            #expect(await client.next() == "close 4408 Connection initialisation timeout")
        }
    }

    @Test("A second initialisation is closed with 4429, also while the first one is under way")
    func secondInit() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            client.send(#"{"type":"connection_init"}"#)
            #expect(await client.next() == "close 4429 Too many initialisation requests")
        }
        try await TestSocket.run { client in
            client.send(#"{"type":"connection_init","payload":{"token":"slow"}}"#)
            client.send(#"{"type":"connection_init"}"#)
            #expect(await client.next() == "close 4429 Too many initialisation requests")
        }
    }

    @Test("An operation before the acknowledgement is closed with 4401, and not executed", arguments: [true, false])
    func unauthorized(initialises: Bool) async throws {
        let log = try await TestSocket.run { client in
            if initialises { client.send(#"{"type":"connection_init","payload":{"token":"slow"}}"#) }
            client.subscribe("1", "mutation { count }")
            #expect(await client.next() == "close 4401 Unauthorized")
        }
        #expect(log == [])
    }

    // MARK: Messages

    @Test(
        "A message that the protocol does not define is closed with 4400",
        arguments: [
            "hello", "", "[]", "1", #"{"type":"start","id":"1"}"#, #"{"type":1}"#, #"{"id":"1"}"#, "{}", "null",
            #"{"type":"connection_init","payload":"token"}"#, #"{"type":"connection_init","payload":[]}"#,
            #"{"type":"connection_init","payload":1}"#, #"{"type":"ping","payload":true}"#,
            #"{"type":"connection_terminate"}"#, #"{"type":"complete"}"#, #"{"type":"complete","id":1}"#,
            #"{"type":"subscribe","payload":{"query":"{ version }"}}"#,
            #"{"type":"subscribe","id":"","payload":{"query":"{ version }"}}"#, #"{"type":"subscribe","id":"1"}"#,
            #"{"type":"subscribe","id":"1","payload":{}}"#, #"{"type":"subscribe","id":"1","payload":{"query":1}}"#,
            #"{"type":"subscribe","id":"1","payload":{"query":"{ version }","variables":[]}}"#,
        ])
    func invalid(message: String) async throws {
        try await TestSocket.run { client in
            client.send(message)
            let close = await client.next()
            #expect(close.hasPrefix("close 4400 "))
        }
    }

    @Test("A binary message is closed with 4400")
    func binary() async throws {
        try await TestSocket.run { client in
            client.input.yield(.binary)
            #expect(await client.next() == "close 4400 The message is not a text.")
        }
    }

    @Test("A ping is answered with its payload at any time, and a pong is ignored")
    func pings() async throws {
        try await TestSocket.run { client in
            client.send(#"{"type":"pong"}"#)
            client.send(#"{"type":"ping"}"#)
            #expect(await client.next() == #"{"type":"pong"}"#)
            await client.initialise()
            client.send(#"{"type":"pong","payload":{"a":1}}"#)
            client.send(#"{"type":"ping","payload":{"sent":[1,"x"]}}"#)
            #expect(await client.next() == #"{"type":"pong","payload":{"sent":[1,"x"]}}"#)
        }
    }

    // MARK: Operations

    @Test("A query and a mutation have one result, and a subscription has several")
    func results() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            for document in ["{ version }", "mutation { version }"] {
                client.subscribe("a", document)
                #expect(await client.next() == #"{"id":"a","type":"next","payload":{"data":{"version":"1"}}}"#)
                #expect(await client.next() == #"{"id":"a","type":"complete"}"#)
            }
            client.subscribe("\"b\"", "subscription { numbers }")
            for number in 1...2 {
                #expect(
                    await client.next()
                        == #"{"id":"\"b\"","type":"next","payload":{"data":{"numbers":\#(number)}}}"#)
            }
            #expect(await client.next() == #"{"id":"\"b\"","type":"complete"}"#)
        }
    }

    @Test("The name of the operation and the variables belong to the request")
    func request() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            client.send(
                #"{"type":"subscribe","id":"1","payload":{"query":"request","operationName":"B","variables":{"x":1},"#
                    + #""extensions":{"y":2}}}"#)
            #expect(await client.next() == #"{"id":"1","type":"next","payload":"B {\"x\":1} {\"y\":2}"}"#)
        }
    }

    @Test("Errors before and during the execution end the operation, without a complete message")
    func errors() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            let expected = [
                "requestError": #"[{"message":"Unknown field."}]"#,
                "throws": #"[{"message":"No.","extensions":{"code":"BAD_REQUEST"}}]"#,
                "fails": #"[{"message":"First."},{"message":"Second."}]"#,
                "crashes":
                    #"[{"message":"The operation failed because of an error of the server.","extensions":{"code":"#
                    + #""INTERNAL_SERVER_ERROR"}}]"#,
            ]
            for (document, errors) in expected {
                client.subscribe("1", document)
                #expect(await client.next() == #"{"id":"1","type":"error","payload":\#(errors)}"#)
                // The next message answers the ping: no message of the operation is between them.
                client.send(#"{"type":"ping"}"#)
                #expect(await client.next() == #"{"type":"pong"}"#)
            }
            client.subscribe("1", "fails later")
            #expect(await client.next() == #"{"id":"1","type":"next","payload":{}}"#)
            #expect(await client.next() == #"{"id":"1","type":"error","payload":[{"message":"Later."}]}"#)
        }
    }

    @Test("An operation can close the connection, for example because a token has expired")
    func operationCloses() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            client.subscribe("1", "expires")
            #expect(await client.next() == "close 4401 Unauthorized")
        }
    }

    @Test("Operations are concurrent, and a slow one does not delay another one")
    func concurrent() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            client.subscribe("slow", "subscription { waits }")
            client.subscribe("fast", "{ version }")
            #expect(await client.next() == #"{"id":"fast","type":"next","payload":{"data":{"version":"1"}}}"#)
            #expect(await client.next() == #"{"id":"fast","type":"complete"}"#)
        }
    }

    @Test("A second operation with the identifier of an active one is closed with 4409, whatever their types are")
    func duplicates() async throws {
        for document in ["subscription { waits }", "{ version }", "mutation { count }"] {
            try await TestSocket.run { client in
                await client.initialise()
                client.subscribe("not-unique", "subscription { waits }")
                client.subscribe("not-unique", document)
                #expect(await client.next() == "close 4409 Subscriber for not-unique already exists")
            }
        }
    }

    @Test("The identifier of a completed operation can be used again")
    func reuse() async throws {
        try await TestSocket.run { client in
            await client.initialise()
            for _ in 0..<3 {
                client.subscribe("1", "subscription { waits }")
                client.send(#"{"type":"complete","id":"1"}"#)
                client.subscribe("1", "{ version }")
                #expect(await client.next() == #"{"id":"1","type":"next","payload":{"data":{"version":"1"}}}"#)
                #expect(await client.next() == #"{"id":"1","type":"complete"}"#)
            }
        }
    }

    @Test("A complete message cancels the operation, and the client receives nothing more of it")
    func complete() async throws {
        let log = try await TestSocket.run { client in
            await client.initialise()
            client.subscribe("1", "subscription { waits }")
            await client.server.until("waits")
            client.send(#"{"type":"complete","id":"1"}"#)
            await client.server.until("canceled")
            client.send(#"{"type":"ping"}"#)
            #expect(await client.next() == #"{"type":"pong"}"#)
        }
        #expect(log == ["waits", "canceled"])
    }

    @Test("A complete message for an unknown operation is ignored, also before the acknowledgement")
    func unknownComplete() async throws {
        try await TestSocket.run { client in
            client.send(#"{"type":"complete","id":"1"}"#)
            await client.initialise()
            client.send(#"{"type":"complete","id":"1"}"#)
            client.send(#"{"type":"ping"}"#)
            #expect(await client.next() == #"{"type":"pong"}"#)
        }
    }

    @Test("Beyond the maximum number of operations, an operation is an error, until another one ends")
    func maximum() async throws {
        var limits = GraphQLSocketLimits()
        limits.maximumOperations = 2
        try await TestSocket.run(limits: limits) { client in
            await client.initialise()
            for id in ["1", "2", "3"] { client.subscribe(id, "subscription { waits }") }
            let error = await client.next()
            #expect(error.hasPrefix(#"{"id":"3","type":"error","payload":[{"message":"The connection has 2 active"#))
            client.send(#"{"type":"complete","id":"1"}"#)
            client.subscribe("3", "{ version }")
            #expect(await client.next() == #"{"id":"3","type":"next","payload":{"data":{"version":"1"}}}"#)
        }
    }

    @Test("The end of the connection cancels its operations and its initialisation")
    func end() async throws {
        let log = try await TestSocket.run { client in
            await client.initialise()
            for id in ["1", "2"] { client.subscribe(id, "subscription { waits }") }
            await client.server.until("waits", count: 2)
        }
        #expect(log.filter { $0 == "canceled" }.count == 2)
        _ = try await TestSocket.run { client in
            client.send(#"{"type":"connection_init","payload":{"token":"slow"}}"#)
        }
    }

    // MARK: The subprotocol

    @Test("The subprotocol is selected among those that the client offers")
    func subprotocols() throws {
        #expect(
            try GraphQLSocket.selectSubprotocol(from: ["graphql-ws", "graphql-transport-ws"]) == "graphql-transport-ws")
        for (offered, text) in [(["graphql-ws"], "The subprotocol graphql-ws is not supported."), ([], "Offer the")] {
            let error = #expect(throws: GraphQLRequestError.self) {
                try GraphQLSocket.selectSubprotocol(from: offered)
            }
            #expect(error?.status == .badRequest)
            #expect(error?.message.hasPrefix(text) == true)
        }
    }
}
