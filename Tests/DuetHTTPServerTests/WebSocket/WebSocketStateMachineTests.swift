import DuetHTTPServer
import NIOCore
import ProcessTesting
import Testing

/// Tests of the decisions of a WebSocket connection, without a socket and without a clock.
@Suite struct WebSocketStateMachineTests {
    private let limits: RequestLimits = {
        var limits = RequestLimits()
        limits.webSocket.maximumMessageSize = 100
        limits.webSocket.messageTimeout = .seconds(3)
        limits.webSocket.pingInterval = .seconds(10)
        limits.webSocket.pongTimeout = .seconds(4)
        limits.webSocket.closeTimeout = .seconds(2)
        limits.writeTimeout = .seconds(20)
        limits.minimumWriteProgress = 1_000
        limits.lingerTimeout = .seconds(1)
        return limits
    }()

    /// Returns the state of a connection whose application waits for a message.
    private func open() -> WebSocketStateMachine {
        var state = WebSocketStateMachine(limits: self.limits, now: self.at(0))
        state.resume()
        return state
    }

    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(1_000_000_000) + .seconds(seconds) }

    /// Handles bytes, and returns all actions. The application waits for the next message after each one.
    private func receive(
        _ bytes: ByteBuffer, at seconds: Int64 = 0, _ state: inout WebSocketStateMachine
    ) -> [WebSocketStateMachine.InputAction] {
        state.receive(bytes, now: self.at(seconds))
        var actions: [WebSocketStateMachine.InputAction] = []
        while let action = state.next(now: self.at(seconds)) {
            actions.append(action)
            if case .deliver = action { state.resume() }
        }
        return actions
    }

    private func closeFrame(_ code: UInt16, _ reason: String = "") -> ByteBuffer {
        var payload = ByteBuffer(integer: code)
        payload.writeString(reason)
        return payload
    }

    // MARK: Messages

    @Test("Messages are delivered, and pings are answered with their payload")
    func messages() {
        var state = self.open()
        let frames =
            ClientFrame.make(ClientFrame.text, "a", isFinal: false) + ClientFrame.make(ClientFrame.ping, "p")
            + ClientFrame.make(ClientFrame.pong, "q") + ClientFrame.make(ClientFrame.continuation, "b")
        #expect(
            self.receive(frames, &state) == [
                .pong(ByteBuffer(string: "p")), .deliver(.text(ByteBuffer(string: "ab"))),
            ])
    }

    @Test("While the application does not wait for a message, neither pings nor close frames are handled")
    func pause() {
        var state = WebSocketStateMachine(limits: self.limits, now: self.at(0))
        let frames =
            ClientFrame.make(ClientFrame.text, "a") + ClientFrame.make(ClientFrame.ping) + ClientFrame.close(1000)
        #expect(self.receive(frames, &state) == [])
        state.resume()
        #expect(state.next(now: self.at(0)) == .deliver(.text(ByteBuffer(string: "a"))))
        #expect(state.isPaused)
        #expect(state.next(now: self.at(0)) == nil)
        state.resume()
        #expect(
            self.receive(ByteBuffer(), &state) == [.pong(ByteBuffer()), .end(closeFrame: self.closeFrame(1000))])
    }

    @Test("After an error, the close frame has its code, and further input is discarded")
    func error() {
        var state = self.open()
        let actions = self.receive(ByteBuffer(bytes: [0x83]), &state)
        guard case .end(let payload?) = actions.first, actions.count == 1 else {
            Issue.record("\(actions)")
            return
        }
        #expect(payload.getInteger(at: 0, as: UInt16.self) == 1002)
        #expect(self.receive(ClientFrame.make(ClientFrame.text, "a"), &state) == [])
        #expect(!state.isOpen)
    }

    @Test("A message must arrive in time, also if it has many small fragments")
    func slowMessage() {
        var state = self.open()
        #expect(self.receive(ClientFrame.make(ClientFrame.text, "a", isFinal: false), at: 1, &state) == [])
        #expect(self.receive(ClientFrame.make(ClientFrame.continuation, "b", isFinal: false), at: 3, &state) == [])
        #expect(state.nextDeadline == self.at(4))
        guard case .end(let payload?) = state.deadlineReached(now: self.at(4), bufferedBytes: 0) else {
            Issue.record("the message has no deadline")
            return
        }
        #expect(payload.getInteger(at: 0, as: UInt16.self) == 1008)
    }

    @Test("A complete message has no deadline, nor has one for which the application does not wait")
    func noDeadline() {
        var state = self.open()
        _ = self.receive(ClientFrame.make(ClientFrame.text, "a"), at: 1, &state)
        #expect(state.nextDeadline == self.at(11))
        let part = ClientFrame.make(ClientFrame.text, "b", isFinal: false)
        state.receive(ClientFrame.make(ClientFrame.text, "a") + part, now: self.at(2))
        #expect(state.next(now: self.at(2)) == .deliver(.text(ByteBuffer(string: "a"))))
        #expect(state.next(now: self.at(2)) == nil)
        #expect(state.nextDeadline == self.at(12))
        state.resume()
        #expect(state.next(now: self.at(8)) == nil)
        #expect(state.nextDeadline == self.at(11))
    }

    // MARK: Heartbeats

    @Test("A silent client receives a ping, and must send a byte in time")
    func silent() {
        var state = self.open()
        #expect(state.nextDeadline == self.at(10))
        #expect(state.deadlineReached(now: self.at(10), bufferedBytes: 0) == .ping)
        #expect(state.nextDeadline == self.at(14))
        #expect(state.deadlineReached(now: self.at(14), bufferedBytes: 2) == .close(.idle))
        #expect(state.nextDeadline == nil)
    }

    @Test("Each byte from the client postpones the next ping")
    func alive() {
        var state = self.open()
        #expect(state.deadlineReached(now: self.at(10), bufferedBytes: 0) == .ping)
        #expect(self.receive(ClientFrame.make(ClientFrame.pong), at: 11, &state) == [])
        #expect(state.deadlineReached(now: self.at(14), bufferedBytes: 0) == .none)
        #expect(state.nextDeadline == self.at(21))
        #expect(state.deadlineReached(now: self.at(21), bufferedBytes: 0) == .ping)
    }

    @Test("A client that reads the bytes before the ping has more time for its answer")
    func busyReader() {
        var state = self.open()
        #expect(state.deadlineReached(now: self.at(10), bufferedBytes: 5_000) == .ping)
        #expect(state.deadlineReached(now: self.at(14), bufferedBytes: 4_000) == .none)
        #expect(state.deadlineReached(now: self.at(18), bufferedBytes: 3_500) == .close(.idle))
    }

    @Test("While the application does not wait for a message, the client need not answer pings")
    func pausedHeartbeat() {
        var state = WebSocketStateMachine(limits: self.limits, now: self.at(0))
        #expect(state.deadlineReached(now: self.at(10), bufferedBytes: 0) == .none)
        #expect(state.deadlineReached(now: self.at(20), bufferedBytes: 0) == .none)
        state.resume()
        #expect(state.deadlineReached(now: self.at(30), bufferedBytes: 0) == .ping)
    }

    // MARK: The end

    @Test("The client's close frame is answered with its code, or with an empty frame if it has none")
    func clientCloses() {
        var state = self.open()
        let actions = self.receive(ClientFrame.close(4000, "why".utf8) + ClientFrame.make(ClientFrame.text), &state)
        #expect(actions == [.end(closeFrame: self.closeFrame(4000))])
        #expect(state.flushed(now: self.at(1)) == .closeOutput)
        #expect(state.nextDeadline == self.at(2))
        #expect(state.deadlineReached(now: self.at(2), bufferedBytes: 0) == .close(nil))
        var other = self.open()
        #expect(self.receive(ClientFrame.make(ClientFrame.close), &other) == [.end(closeFrame: ByteBuffer())])
    }

    @Test("After the server's close frame, messages are discarded, and the client's close frame ends the connection")
    func serverCloses() {
        var state = self.open()
        #expect(state.close(WebSocketClose(.goingAway, "x"), now: self.at(0)) == self.closeFrame(1001, "x"))
        #expect(state.close(WebSocketClose(.normal), now: self.at(0)) == nil)
        let frames =
            ClientFrame.make(ClientFrame.text, "a") + ClientFrame.make(ClientFrame.ping) + ClientFrame.close(1001)
        #expect(self.receive(frames, &state) == [.end(closeFrame: nil)])
        #expect(state.flushed(now: self.at(0)) == .closeOutput)
        #expect(state.inputClosed() == .close)
    }

    @Test("A client that does not answer the close frame is closed in time, unless it is still reading")
    func unansweredClose() {
        var state = self.open()
        _ = state.close(WebSocketClose(.normal), now: self.at(0))
        #expect(state.nextDeadline == self.at(2))
        #expect(state.deadlineReached(now: self.at(2), bufferedBytes: 9_000) == .none)
        #expect(state.deadlineReached(now: self.at(4), bufferedBytes: 0) == .close(nil))
        var stalled = self.open()
        _ = stalled.close(WebSocketClose(.normal), now: self.at(0))
        for second in stride(from: 2, to: 22, by: 2) as StrideTo<Int64> {
            #expect(stalled.deadlineReached(now: self.at(second), bufferedBytes: 9_000) == .none)
        }
        #expect(stalled.deadlineReached(now: self.at(22), bufferedBytes: 9_000) == .close(.stalledReader))
    }

    @Test("The end of the client's output without a close frame ends the connection")
    func inputClosed() {
        var state = self.open()
        #expect(state.inputClosed() == .flush)
        #expect(state.flushed(now: self.at(0)) == .close)
        #expect(state.inputClosed() == .none)
    }

    @Test("A client that accepts too few bytes while the buffer is full is closed")
    func stalledReader() {
        var state = self.open()
        state.writabilityChanged(false, bufferedBytes: 9_000, now: self.at(1))
        _ = self.receive(ClientFrame.make(ClientFrame.pong), at: 15, &state)
        #expect(state.deadlineReached(now: self.at(21), bufferedBytes: 8_000) == .none)
        _ = self.receive(ClientFrame.make(ClientFrame.pong), at: 40, &state)
        #expect(state.deadlineReached(now: self.at(41), bufferedBytes: 7_001) == .close(.stalledReader))
        var reading = self.open()
        reading.writabilityChanged(false, bufferedBytes: 9_000, now: self.at(1))
        reading.writabilityChanged(true, bufferedBytes: 100, now: self.at(2))
        #expect(reading.nextDeadline == self.at(10))
    }

    @Test("A reason that is too long for a close frame ends between two characters")
    func longReason() {
        var state = self.open()
        let reason = String(repeating: "a", count: 122) + "ü"
        let payload = state.close(WebSocketClose(.normal, reason), now: self.at(0))
        #expect(payload == self.closeFrame(1000, String(repeating: "a", count: 122)))
    }
}
