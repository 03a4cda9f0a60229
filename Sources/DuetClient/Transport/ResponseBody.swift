public import Foundation
import Synchronization

/// The body of a response, a part at a time.
public struct ResponseBody: AsyncSequence, Sendable {
    /// Some bytes, never none.
    public typealias Element = Data
    /// The error of a body that is not whole.
    public typealias Failure = TransportError

    /// Reads the body; one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let part: @Sendable () async throws(TransportError) -> Data?

        /// The next bytes; `nil` after the last.
        public mutating func next() async throws(TransportError) -> Data? { try await part() }

        /// The next bytes; `nil` after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Data? { try await part() }
    }

    private let part: @Sendable () async throws(TransportError) -> Data?

    /// A body of parts.
    /// - Parameter part: The next bytes; `nil` after the last.
    public init(_ part: @escaping @Sendable () async throws(TransportError) -> Data?) {
        self.part = part
    }

    /// A body that is there as a whole.
    public init(_ data: Data) {
        let rest = Mutex(data.isEmpty ? nil : data)
        part = { () throws(TransportError) in rest.withLock { $0.take() } }
    }

    /// An iterator of this body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: part) }

    /// Reads the whole body.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` if there are more, and the transport's own.
    public func collect(upTo limit: Int) async throws(TransportError) -> Data {
        var whole = Data()
        var iterator = makeAsyncIterator()
        while let bytes = try await iterator.next() {
            guard whole.count + bytes.count <= limit else { throw .tooLarge(limit) }
            if whole.isEmpty { whole = bytes } else { whole.append(bytes) }
        }
        return whole
    }

    /// Reads the whole body.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` if there are more, and the transport's own.
    public func collectBytes(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        var whole: [UInt8] = []
        var iterator = makeAsyncIterator()
        while let bytes = try await iterator.next() {
            guard whole.count + bytes.count <= limit else { throw .tooLarge(limit) }
            whole.append(contentsOf: bytes)
        }
        return whole
    }
}

extension TransportError {
    fileprivate static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(
            .tooLarge,
            "The response is longer than \(limit) bytes. Ask for less at once, or raise the limit of the client.")
    }
}
