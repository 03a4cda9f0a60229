import Foundation

/// The last responses, so that one that is received again need not be read again.
struct RepeatedResponses {
    /// The operation and its variables.
    struct Request: Hashable {
        let hash: String
        let variables: FieldKey
    }

    private struct Response {
        let bytes: [UInt8]
        let receipt: Receipt
        let generation: Int
        let result: any Sendable
    }

    private var responses: [Request: Response] = [:]
    private var order: [Request] = []
    private var byteCount = 0
    private static let maximumCount = 16
    private static let maximumBytes = 4 << 20

    /// The result of the same bytes, if no value of the store has changed since.
    mutating func result(of request: Request, bytes: [UInt8], generation: Int, now: Int64) -> (any Sendable)? {
        guard let response = responses[request], response.generation == generation, response.bytes == bytes else {
            return nil
        }
        response.receipt.renew(at: now)
        return response.result
    }

    mutating func add(
        _ request: Request, bytes: [UInt8], receipt: Receipt, generation: Int, result: any Sendable
    ) {
        remove(request)
        guard bytes.count <= Self.maximumBytes else { return }
        responses[request] = Response(bytes: bytes, receipt: receipt, generation: generation, result: result)
        order.append(request)
        byteCount += bytes.count
        while order.count > Self.maximumCount || byteCount > Self.maximumBytes, let oldest = order.first {
            remove(oldest)
        }
    }

    private mutating func remove(_ request: Request) {
        guard let response = responses.removeValue(forKey: request) else { return }
        byteCount -= response.bytes.count
        order.removeAll { $0 == request }
    }
}
