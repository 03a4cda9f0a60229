public import Foundation
import Synchronization

/// The body of a response as a sequence of parts.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A part of the body. It is never empty.
    public typealias Element = Data
    /// The error that ends an incomplete body.
    public typealias Failure = TransportError

    /// Reads the body. Only one task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let part: @Sendable () async throws(TransportError) -> Data?

        /// Returns the next bytes, or `nil` after the last part.
        public mutating func next() async throws(TransportError) -> Data? { try await part() }

        /// Returns the next bytes, or `nil` after the last part.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> Data? { try await part() }
    }

    private let part: @Sendable () async throws(TransportError) -> Data?

    /// Creates a body from a function that returns its parts.
    /// - Parameter part: Returns the next bytes, or `nil` after the last part.
    public init(_ part: @escaping @Sendable () async throws(TransportError) -> Data?) {
        self.part = part
    }

    /// Creates a body from complete data.
    public init(_ data: Data) {
        let rest = Mutex(data.isEmpty ? nil : data)
        part = { () throws(TransportError) in rest.withLock { $0.take() } }
    }

    /// Returns an iterator of this body.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: part) }

    /// Reads the complete body.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` if the body is longer, or the
    ///   error of the transport.
    public func collect(upTo limit: Int) async throws(TransportError) -> Data {
        var whole = Data()
        var iterator = makeAsyncIterator()
        while let bytes = try await iterator.next() {
            guard whole.count + bytes.count <= limit else { throw .tooLarge(limit) }
            if whole.isEmpty { whole = bytes } else { whole.append(bytes) }
        }
        return whole
    }

    /// Reads the complete body.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``TransportError`` with ``TransportError/Code-swift.enum/tooLarge`` if the body is longer, or the
    ///   error of the transport.
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
            "The response is longer than \(limit) bytes. Request less data, or raise the limit of the client.")
    }
}
