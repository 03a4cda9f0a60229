import DuetHTTPServer
import NIOCore
import Testing

private let start = NIODeadline.uptimeNanoseconds(0)

private func after(_ time: TimeAmount) -> NIODeadline {
    start + time
}

@Suite struct RequestLimitsStateMachineTests {
    var state = RequestLimitsStateMachine(limits: RequestLimits())

    init() {
        self.state.opened(now: start)
    }

    /// Reads a complete request without a body.
    mutating func readRequest(_ traits: RequestTraits = []) {
        #expect(self.state.readHead(traits) == .forward(sendContinue: false))
        #expect(self.state.readEnd() == true)
        self.state.readComplete(now: start)
    }

    /// Writes a complete response and returns the action after the response.
    mutating func respond(at time: TimeAmount = .zero) -> RequestLimitsStateMachine.ResponseEndAction {
        #expect(self.state.writeHead(status: 200, hasLength: true, wantsClose: false) != .drop)
        return self.state.writeEnd(now: after(time))
    }

    // MARK: Deadlines

    @Test("A silent connection is closed without a response at the header deadline")
    mutating func silentConnection() {
        #expect(self.state.nextDeadline == after(.seconds(10)))
        let (action, abortsBody) = self.state.deadlineReached(now: after(.seconds(10)), bufferedBytes: 0)
        #expect(action == .close(.idle))
        #expect(!abortsBody)
    }

    @Test("A silent connection remains open before its deadline")
    mutating func beforeTheDeadline() {
        let (action, _) = self.state.deadlineReached(now: after(.milliseconds(9_999)), bufferedBytes: 0)
        #expect(action == .none)
    }

    @Test("A slow header section is a 408 at the deadline, which counts from the opening of the connection")
    mutating func drippingHead() {
        self.state.readComplete(now: after(.seconds(4)))
        self.state.readComplete(now: after(.seconds(8)))
        #expect(self.state.nextDeadline == after(.seconds(10)))
        let (action, _) = self.state.deadlineReached(now: after(.seconds(10)), bufferedBytes: 0)
        #expect(action == .answer(.requestTimeout, withBody: true))
    }

    @Test("The idle timeout applies after a response, and the header timeout from the first byte of a request")
    mutating func idleConnection() {
        self.readRequest()
        #expect(self.state.nextDeadline == nil)
        #expect(self.respond(at: .seconds(100)) == .write(hasBody: true, then: .goOn))
        #expect(self.state.nextDeadline == after(.seconds(175)))
        self.state.readComplete(now: after(.seconds(110)))
        #expect(self.state.nextDeadline == after(.seconds(120)))
    }

    @Test("A request that starts late in the idle time does not extend the idle deadline")
    mutating func lateHead() {
        self.readRequest()
        _ = self.respond()
        self.state.readComplete(now: after(.seconds(74)))
        #expect(self.state.nextDeadline == after(.seconds(75)))
    }

    @Test("A body that exceeds its deadline is a 408, and the application receives an error")
    mutating func slowBody() {
        #expect(self.state.readHead([]) == .forward(sendContinue: false))
        self.state.readComplete(now: after(.seconds(1)))
        #expect(self.state.nextDeadline == after(.seconds(31)))
        #expect(self.state.readBody() == true)
        self.state.readComplete(now: after(.seconds(20)))
        #expect(self.state.nextDeadline == after(.seconds(31)))
        let (action, abortsBody) = self.state.deadlineReached(now: after(.seconds(31)), bufferedBytes: 0)
        #expect(action == .answer(.requestTimeout, withBody: true))
        #expect(abortsBody)
        #expect(self.state.writeHead(status: 500, hasLength: true, wantsClose: false) == .drop)
    }

    @Test("A body that exceeds its deadline closes the connection if the response has started")
    mutating func slowBodyDuringResponse() {
        _ = self.state.readHead([])
        self.state.readComplete(now: start)
        _ = self.state.writeHead(status: 200, hasLength: false, wantsClose: false)
        let (action, abortsBody) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 0)
        #expect(action == .close(.refused(.requestTimeout)))
        #expect(abortsBody)
    }

    @Test("The deadline of a pipelined body counts from the end of the preceding response")
    mutating func slowPipelinedBody() {
        self.readRequest()
        _ = self.state.readHead([])
        self.state.readComplete(now: start)
        #expect(self.state.nextDeadline == nil)
        _ = self.respond(at: .seconds(5))
        #expect(self.state.nextDeadline == after(.seconds(35)))
    }

    @Test("A client that does not read its response is disconnected")
    mutating func stalledReader() {
        self.readRequest()
        self.state.writabilityChanged(false, bufferedBytes: 100_000, now: start)
        #expect(self.state.nextDeadline == after(.seconds(30)))
        let (action, _) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 99_999)
        #expect(action == .close(.stalledReader))
    }

    @Test("A client that reads slowly but steadily is not disconnected")
    mutating func slowReader() {
        self.readRequest()
        self.state.writabilityChanged(false, bufferedBytes: 100_000, now: start)
        let (action, _) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 90_000)
        #expect(action == .none)
        #expect(self.state.nextDeadline == after(.seconds(60)))
        self.state.writabilityChanged(true, bufferedBytes: 0, now: after(.seconds(40)))
        #expect(self.state.nextDeadline == nil)
    }

    @Test("The idle deadline does not apply while a client still reads a completed response")
    mutating func slowReaderOfEndedResponse() {
        self.readRequest()
        _ = self.respond()
        let (action, _) = self.state.deadlineReached(now: after(.seconds(75)), bufferedBytes: 50_000)
        #expect(action == .none)
        #expect(self.state.nextDeadline == after(.seconds(105)))
        let (second, _) = self.state.deadlineReached(now: after(.seconds(105)), bufferedBytes: 50_000)
        #expect(second == .close(.stalledReader))
    }

    // MARK: Rejected requests

    @Test("A rejected header section is answered at once if no response is pending")
    mutating func refusedHead() {
        let (action, abortsBody) = self.state.refuse(.malformedRequest)
        #expect(action == .answer(.malformedRequest, withBody: true))
        #expect(!abortsBody)
        #expect(self.state.refuse(.malformedRequest).0 == .none)
    }

    @Test("A rejected HEAD request is answered without a body")
    mutating func refusedHeadRequest() {
        #expect(self.state.refuse(.invalidHost, isHead: true).0 == .answer(.invalidHost, withBody: false))
    }

    @Test("A rejected pipelined request is answered after the preceding responses")
    mutating func refusedPipelinedHead() {
        self.readRequest()
        self.readRequest()
        #expect(self.state.refuse(.fieldsTooLarge).0 == .none)
        #expect(self.respond() == .write(hasBody: true, then: .goOn))
        #expect(self.respond() == .write(hasBody: true, then: .answer(.fieldsTooLarge, withBody: true)))
        #expect(self.state.readHead([]) == .discard)
    }

    @Test("If a pipelined body is rejected, the response of the application to that request is dropped")
    mutating func refusedPipelinedBody() {
        self.readRequest()
        _ = self.state.readHead([.head])
        let (action, abortsBody) = self.state.refuse(.malformedRequest)
        #expect(action == .none)
        #expect(abortsBody)
        #expect(self.respond() == .write(hasBody: true, then: .answer(.malformedRequest, withBody: false)))
        #expect(self.state.writeHead(status: 200, hasLength: true, wantsClose: false) == .drop)
        #expect(self.state.writeEnd(now: start) == .drop)
    }

    // MARK: Persistence

    @Test("An HTTP/1.1 connection persists without a Connection field")
    mutating func persistent() {
        self.readRequest()
        let action = self.state.writeHead(status: 200, hasLength: false, wantsClose: false)
        #expect(action == .write(.unstated, asHTTP10: false))
    }

    @Test("The last response has Connection: close, and then the connection closes")
    mutating func lastRequest() {
        self.readRequest(.last)
        #expect(self.state.readHead([]) == .discard)
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
        #expect(self.state.flushed(now: start) == .closeOutput)
        #expect(self.state.isLingering)
        #expect(self.state.nextDeadline == after(.seconds(2)))
        #expect(self.state.deadlineReached(now: after(.seconds(2)), bufferedBytes: 0).0 == .close(nil))
    }

    @Test("Errors of the decoder after the last request are ignored")
    mutating func bytesAfterLastRequest() {
        self.readRequest(.last)
        #expect(self.state.refuse(.malformedRequest).0 == .none)
        #expect(self.respond() == .write(hasBody: true, then: .close))
    }

    @Test("A response with Connection: close closes the connection")
    mutating func applicationCloses() {
        self.readRequest()
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: true)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
    }

    @Test("An HTTP/1.0 connection is kept alive if the client requests it and the response has a length")
    mutating func http10() {
        self.readRequest(.http10)
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(action == .write(.keepAlive, asHTTP10: true))
    }

    @Test("The end of the connection ends an HTTP/1.0 response of unknown length")
    mutating func http10WithoutLength() {
        self.readRequest(.http10)
        let action = self.state.writeHead(status: 200, hasLength: false, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: true))
    }

    @Test("An informational response to an HTTP/1.0 request is dropped")
    mutating func http10Informational() {
        self.readRequest(.http10)
        #expect(self.state.writeHead(status: 103, hasLength: false, wantsClose: false) == .drop)
    }

    @Test("A response that starts before the end of the request body closes the connection")
    mutating func earlyAnswer() {
        _ = self.state.readHead([])
        let action = self.state.writeHead(status: 413, hasLength: true, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
        #expect(self.state.readBody() == false)
        #expect(self.state.readEnd() == false)
    }

    @Test("A client that expects 100 (Continue) receives it unless an earlier response is pending")
    mutating func expectContinue() {
        #expect(self.state.readHead(.expectsContinue) == .forward(sendContinue: true))
        #expect(self.state.readEnd() == true)
        #expect(self.state.readHead(.expectsContinue) == .forward(sendContinue: false))
    }

    @Test(
        "A response without content has no body, even if the application writes a body",
        arguments: [(.head, 200), ([], 204), ([], 304)] as [(RequestTraits, Int)])
    mutating func responseWithoutBody(traits: RequestTraits, status: Int) {
        self.readRequest(traits)
        _ = self.state.writeHead(status: status, hasLength: false, wantsClose: false)
        #expect(self.state.writeBody() == .skip)
        #expect(self.state.writeEnd(now: start) == .write(hasBody: false, then: .goOn))
    }

    @Test("An informational response precedes the final response")
    mutating func informational() {
        self.readRequest()
        #expect(self.state.writeHead(status: 103, hasLength: false, wantsClose: false) == .writeInformational)
        #expect(self.respond() == .write(hasBody: true, then: .goOn))
    }

    // MARK: The end of the connection

    @Test("A shutdown closes an idle connection at once")
    mutating func shutDownIdle() {
        #expect(self.state.shutDown() == .flush)
        #expect(self.state.readHead([]) == .discard)
    }

    @Test("A shutdown waits for pending responses, and the last response has Connection: close")
    mutating func shutDownBusy() {
        self.readRequest()
        self.readRequest()
        #expect(self.state.shutDown() == .none)
        #expect(self.respond() == .write(hasBody: true, then: .goOn))
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
    }

    @Test("A shutdown during a response closes the connection after the response")
    mutating func shutDownDuringResponse() {
        self.readRequest()
        _ = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(self.state.shutDown() == .none)
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
    }

    @Test("A client that closes its output receives the responses to its requests")
    mutating func inputClosed() {
        self.readRequest()
        #expect(self.state.inputClosed(now: start) == .none)
        #expect(self.respond() == .write(hasBody: true, then: .close))
        #expect(self.state.flushed(now: start) == .close)
    }

    @Test("If no response is pending, the connection closes when the client closes its output")
    mutating func inputClosedIdle() {
        #expect(self.state.inputClosed(now: start) == .flush)
        #expect(self.state.flushed(now: start) == .close)
    }

    @Test("If the application ends its output twice, the connection is flushed only once")
    mutating func outputFinished() {
        self.readRequest()
        #expect(self.state.outputFinished() == .flush)
        #expect(self.state.outputFinished() == .none)
    }

    @Test("The loss of the connection is an error for the application only during a request body")
    mutating func connectionLost() {
        var other = self.state
        #expect(other.closed() == false)
        _ = self.state.readHead([])
        #expect(self.state.closed() == true)
        #expect(self.state.closed() == false)
    }

    @Test("The flush of the last response has a time limit")
    mutating func stalledFlush() {
        self.readRequest(.last)
        _ = self.respond()
        self.state.flushing(bufferedBytes: 1000, now: start)
        #expect(self.state.nextDeadline == after(.seconds(30)))
        let (action, _) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 1000)
        #expect(action == .close(.stalledReader))
    }
}
