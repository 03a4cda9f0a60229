import HTTPSemantics
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

    @Test("a silent connection is closed without a word when the head deadline passes")
    mutating func silentConnection() {
        #expect(self.state.nextDeadline == after(.seconds(10)))
        let (action, abortsBody) = self.state.deadlineReached(now: after(.seconds(10)), bufferedBytes: 0)
        #expect(action == .close(.idle))
        #expect(!abortsBody)
    }

    @Test("nothing happens before the deadline")
    mutating func beforeTheDeadline() {
        let (action, _) = self.state.deadlineReached(now: after(.milliseconds(9_999)), bufferedBytes: 0)
        #expect(action == .none)
    }

    @Test("a head that drips in is answered 408 at the deadline counted from the opening")
    mutating func drippingHead() {
        self.state.readComplete(now: after(.seconds(4)))
        self.state.readComplete(now: after(.seconds(8)))
        #expect(self.state.nextDeadline == after(.seconds(10)))
        let (action, _) = self.state.deadlineReached(now: after(.seconds(10)), bufferedBytes: 0)
        #expect(action == .answer(.requestTimeout, withBody: true))
    }

    @Test("after a response the next head has the idle timeout, and from its first byte the head timeout")
    mutating func idleConnection() {
        self.readRequest()
        #expect(self.state.nextDeadline == nil)
        #expect(self.respond(at: .seconds(100)) == .write(hasBody: true, then: .goOn))
        #expect(self.state.nextDeadline == after(.seconds(175)))
        self.state.readComplete(now: after(.seconds(110)))
        #expect(self.state.nextDeadline == after(.seconds(120)))
    }

    @Test("the first byte of a head late in the idle time does not extend it")
    mutating func lateHead() {
        self.readRequest()
        _ = self.respond()
        self.state.readComplete(now: after(.seconds(74)))
        #expect(self.state.nextDeadline == after(.seconds(75)))
    }

    @Test("a body that does not end in time is answered 408, and the application is told")
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

    @Test("a body that does not end in time closes the connection if its response has begun")
    mutating func slowBodyDuringResponse() {
        _ = self.state.readHead([])
        self.state.readComplete(now: start)
        _ = self.state.writeHead(status: 200, hasLength: false, wantsClose: false)
        let (action, abortsBody) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 0)
        #expect(action == .close(.refused(.requestTimeout)))
        #expect(abortsBody)
    }

    @Test("the body of a pipelined request has its time from the end of the response before it")
    mutating func slowPipelinedBody() {
        self.readRequest()
        _ = self.state.readHead([])
        self.state.readComplete(now: start)
        #expect(self.state.nextDeadline == nil)
        _ = self.respond(at: .seconds(5))
        #expect(self.state.nextDeadline == after(.seconds(35)))
    }

    @Test("a client that does not read its response is cut off")
    mutating func stalledReader() {
        self.readRequest()
        self.state.writabilityChanged(false, bufferedBytes: 100_000, now: start)
        #expect(self.state.nextDeadline == after(.seconds(30)))
        let (action, _) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 99_999)
        #expect(action == .close(.stalledReader))
    }

    @Test("a client that reads slowly but steadily is waited for")
    mutating func slowReader() {
        self.readRequest()
        self.state.writabilityChanged(false, bufferedBytes: 100_000, now: start)
        let (action, _) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 90_000)
        #expect(action == .none)
        #expect(self.state.nextDeadline == after(.seconds(60)))
        self.state.writabilityChanged(true, bufferedBytes: 0, now: after(.seconds(40)))
        #expect(self.state.nextDeadline == nil)
    }

    @Test("the idle deadline waits for a client that still reads a response that has ended")
    mutating func slowReaderOfEndedResponse() {
        self.readRequest()
        _ = self.respond()
        let (action, _) = self.state.deadlineReached(now: after(.seconds(75)), bufferedBytes: 50_000)
        #expect(action == .none)
        #expect(self.state.nextDeadline == after(.seconds(105)))
        let (second, _) = self.state.deadlineReached(now: after(.seconds(105)), bufferedBytes: 50_000)
        #expect(second == .close(.stalledReader))
    }

    // MARK: Refused requests

    @Test("a refused head is answered at once when nothing is pending")
    mutating func refusedHead() {
        let (action, abortsBody) = self.state.refuse(.malformedRequest)
        #expect(action == .answer(.malformedRequest, withBody: true))
        #expect(!abortsBody)
        #expect(self.state.refuse(.malformedRequest).0 == .none)
    }

    @Test("a refused HEAD request is answered without a body")
    mutating func refusedHeadRequest() {
        #expect(self.state.refuse(.invalidHost, isHead: true).0 == .answer(.invalidHost, withBody: false))
    }

    @Test("a refused pipelined request is answered after the responses before it")
    mutating func refusedPipelinedHead() {
        self.readRequest()
        self.readRequest()
        #expect(self.state.refuse(.fieldsTooLarge).0 == .none)
        #expect(self.respond() == .write(hasBody: true, then: .goOn))
        #expect(self.respond() == .write(hasBody: true, then: .answer(.fieldsTooLarge, withBody: true)))
        #expect(self.state.readHead([]) == .discard)
    }

    @Test("a refused pipelined body drops the answer of the application to that request")
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

    @Test("an HTTP/1.1 connection goes on without saying so")
    mutating func persistent() {
        self.readRequest()
        let action = self.state.writeHead(status: 200, hasLength: false, wantsClose: false)
        #expect(action == .write(.unstated, asHTTP10: false))
    }

    @Test("the last request's response says that the connection closes, and it closes")
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

    @Test("what the decoder says about bytes after the last request is ignored")
    mutating func bytesAfterLastRequest() {
        self.readRequest(.last)
        #expect(self.state.refuse(.malformedRequest).0 == .none)
        #expect(self.respond() == .write(hasBody: true, then: .close))
    }

    @Test("an application that says close closes")
    mutating func applicationCloses() {
        self.readRequest()
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: true)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
    }

    @Test("HTTP/1.0 is kept alive when the client asks for it and the response has a length")
    mutating func http10() {
        self.readRequest(.http10)
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(action == .write(.keepAlive, asHTTP10: true))
    }

    @Test("a response of unknown length to HTTP/1.0 ends with the connection")
    mutating func http10WithoutLength() {
        self.readRequest(.http10)
        let action = self.state.writeHead(status: 200, hasLength: false, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: true))
    }

    @Test("HTTP/1.0 gets no informational response")
    mutating func http10Informational() {
        self.readRequest(.http10)
        #expect(self.state.writeHead(status: 103, hasLength: false, wantsClose: false) == .drop)
    }

    @Test("an answer before the end of the body closes the connection")
    mutating func earlyAnswer() {
        _ = self.state.readHead([])
        let action = self.state.writeHead(status: 413, hasLength: true, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
        #expect(self.state.readBody() == false)
        #expect(self.state.readEnd() == false)
    }

    @Test("a client that waits to be told to go on is told, unless another response comes first")
    mutating func expectContinue() {
        #expect(self.state.readHead(.expectsContinue) == .forward(sendContinue: true))
        #expect(self.state.readEnd() == true)
        #expect(self.state.readHead(.expectsContinue) == .forward(sendContinue: false))
    }

    @Test(
        "a response that has no body gets none, whatever the application writes",
        arguments: [(.head, 200), ([], 204), ([], 304)] as [(RequestTraits, Int)])
    mutating func responseWithoutBody(traits: RequestTraits, status: Int) {
        self.readRequest(traits)
        _ = self.state.writeHead(status: status, hasLength: false, wantsClose: false)
        #expect(self.state.writeBody() == .skip)
        #expect(self.state.writeEnd(now: start) == .write(hasBody: false, then: .goOn))
    }

    @Test("an informational response is not the response")
    mutating func informational() {
        self.readRequest()
        #expect(self.state.writeHead(status: 103, hasLength: false, wantsClose: false) == .writeInformational)
        #expect(self.respond() == .write(hasBody: true, then: .goOn))
    }

    // MARK: The end of the connection

    @Test("a shutdown ends an idle connection at once")
    mutating func shutDownIdle() {
        #expect(self.state.shutDown() == .flush)
        #expect(self.state.readHead([]) == .discard)
    }

    @Test("a shutdown lets pending responses end, and the last one says that the connection closes")
    mutating func shutDownBusy() {
        self.readRequest()
        self.readRequest()
        #expect(self.state.shutDown() == .none)
        #expect(self.respond() == .write(hasBody: true, then: .goOn))
        let action = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(action == .write(.close, asHTTP10: false))
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
    }

    @Test("a shutdown in the middle of a response closes after it")
    mutating func shutDownDuringResponse() {
        self.readRequest()
        _ = self.state.writeHead(status: 200, hasLength: true, wantsClose: false)
        #expect(self.state.shutDown() == .none)
        #expect(self.state.writeEnd(now: start) == .write(hasBody: true, then: .close))
    }

    @Test("a client that closes its side gets the responses to what it has asked")
    mutating func inputClosed() {
        self.readRequest()
        #expect(self.state.inputClosed(now: start) == .none)
        #expect(self.respond() == .write(hasBody: true, then: .close))
        #expect(self.state.flushed(now: start) == .close)
    }

    @Test("a client that closes its side with nothing pending ends the connection")
    mutating func inputClosedIdle() {
        #expect(self.state.inputClosed(now: start) == .flush)
        #expect(self.state.flushed(now: start) == .close)
    }

    @Test("an application that stops writing ends the connection once what it wrote is flushed")
    mutating func outputFinished() {
        self.readRequest()
        #expect(self.state.outputFinished() == .flush)
        #expect(self.state.outputFinished() == .none)
    }

    @Test("a connection lost in the middle of a body is an error for the application, one lost elsewhere is not")
    mutating func connectionLost() {
        var other = self.state
        #expect(other.closed() == false)
        _ = self.state.readHead([])
        #expect(self.state.closed() == true)
        #expect(self.state.closed() == false)
    }

    @Test("the flushing of the last response is bounded too")
    mutating func stalledFlush() {
        self.readRequest(.last)
        _ = self.respond()
        self.state.flushing(bufferedBytes: 1000, now: start)
        #expect(self.state.nextDeadline == after(.seconds(30)))
        let (action, _) = self.state.deadlineReached(now: after(.seconds(30)), bufferedBytes: 1000)
        #expect(action == .close(.stalledReader))
    }
}
