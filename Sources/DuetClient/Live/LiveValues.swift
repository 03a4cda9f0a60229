import Foundation
import HTTPTypes

/// The representations of a resource of a REST service: the current one, and a new one after each change
/// (``WebServiceProxy/live(_:arguments:headerFields:as:)``). Each iteration has its own connection.
public struct LiveValues<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// A representation. The head contains the entity tag.
    public typealias Element = WebServiceResponse<Value>
    /// The error that ends the sequence.
    public typealias Failure = WebServiceError

    /// The iterator. Only one task may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let iteration: LiveResource<Value>

        /// Returns the newest representation, or `nil` at the end of the sequence.
        public mutating func next() async throws(WebServiceError) -> WebServiceResponse<Value>? {
            try await iteration.next()
        }

        /// Returns the newest representation, or `nil` at the end of the sequence.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(WebServiceError) -> WebServiceResponse<Value>? {
            try await iteration.next()
        }
    }

    let call: ResourceCall

    /// Starts an iteration. The request is sent when the first value is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iteration: LiveResource(call)) }
}

/// The address of a live resource and the proxy that requests it.
struct ResourceCall: Sendable {
    let proxy: WebServiceProxy
    let path: ResourcePath
    let arguments: WebServiceArguments
    let headerFields: HTTPFields
}

/// One iteration over the representations of a resource.
private final class LiveResource<Value: Decodable & Sendable>: Sendable {
    private let call: ResourceCall
    private let iteration: LiveIteration<WebServiceResponse<Data>, WebServiceError>

    init(_ call: ResourceCall) {
        self.call = call
        iteration = LiveIteration(call.proxy.caller) { caller, values throws(WebServiceError) in
            try await ResourceEvents.receive(call, caller, values)
        }
    }

    /// Returns the next value; `nil` at the end, if the task is canceled, or if the caller has changed.
    func next() async throws(WebServiceError) -> WebServiceResponse<Value>? {
        try await iteration.next(decode)
    }

    private func decode(_ response: WebServiceResponse<Data>) throws(WebServiceError) -> WebServiceResponse<Value> {
        do {
            return try response.map { try call.proxy.decoder.decode(Value.self, from: $0) }
        } catch {
            throw WebServiceError(error, decoding: response.content, as: Value.self, head: response.head)
        }
    }
}
