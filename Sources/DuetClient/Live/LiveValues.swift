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
///
/// A task receives the events, and stores only the last representation, so a slow reader skips to the last state. The
/// task ends when the iteration ends, or when this object is released.
private final class LiveResource<Value: Decodable & Sendable>: Sendable {
    private let call: ResourceCall
    /// The caller for whom the iteration began.
    private let caller: Caller?
    /// Ends the iteration when the caller changes.
    private let observer: CurrentCaller.Observer?
    private let values: NewestValue<WebServiceResponse<Data>, WebServiceError>
    private let task: LiveTask

    init(_ call: ResourceCall) {
        self.call = call
        let values = NewestValue<WebServiceResponse<Data>, WebServiceError>()
        self.values = values
        let task = LiveTask()
        self.task = task
        // The observer is created first, so that it reports each change after the caller was read.
        observer = call.proxy.caller?.observe {
            values.finish()
            task.end()
        }
        caller = call.proxy.caller?.current
    }

    deinit { task.end() }

    private var isCurrent: Bool { call.proxy.caller?.current == caller }

    /// Returns the next value; `nil` at the end, if the task is canceled, or if the caller has changed.
    func next() async throws(WebServiceError) -> WebServiceResponse<Value>? {
        task.start { [call, caller, values] in
            do throws(WebServiceError) {
                try await ResourceEvents.receive(call, caller, values)
                values.finish()
            } catch {
                values.finish(error)
            }
        }
        do throws(WebServiceError) {
            if let response = try await values.next(), isCurrent { return try decode(response) }
        } catch {
            task.end()
            guard isCurrent else { return nil }
            throw error
        }
        task.end()
        return nil
    }

    private func decode(_ response: WebServiceResponse<Data>) throws(WebServiceError) -> WebServiceResponse<Value> {
        do {
            return try response.map { try call.proxy.decoder.decode(Value.self, from: $0) }
        } catch {
            throw WebServiceError(error, decoding: response.content, as: Value.self, head: response.head)
        }
    }
}
