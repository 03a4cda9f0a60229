import DuetClient
import Foundation
import HTTPTypes
import Synchronization

/// A transport that records the requests and returns the responses of a closure.
final class ScriptedTransport: HTTPTransport {
    typealias Script = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

    private let script: Script
    private let recorded = Mutex<[TransportRequest]>([])

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// Creates a transport that returns the same response to each request.
    convenience init(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ body: String = "") {
        self.init { _ throws(TransportError) in TransportResponse(status, fields, body) }
    }

    /// The requests that were sent so far.
    var requests: [TransportRequest] { recorded.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        recorded.withLock { $0.append(request) }
        return try await script(request)
    }
}

extension TransportResponse {
    /// Creates a response whose body is a single part.
    init(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:], _ body: String = "") {
        self.init(HTTPResponse(status: status, headerFields: fields), body: ResponseBody(parts: [body]))
    }
}

extension ResponseBody {
    /// Creates a body with a single part.
    init(bytes: [UInt8]) {
        let rest = Mutex<Data?>(Data(bytes))
        self.init { () throws(TransportError) in rest.withLock { $0.take() } }
    }

    /// Creates a body with several parts.
    /// - Parameter failure: An error that follows the last part.
    init(parts: [String], failure: TransportError? = nil) {
        let rest = Mutex(parts.filter { !$0.isEmpty }[...])
        self.init { () throws(TransportError) in
            if let part = rest.withLock({ $0.popFirst() }) { return Data(part.utf8) }
            if let failure { throw failure }
            return nil
        }
    }
}
