import Foundation

/// The last merged response. If the server sends an equal response, the client returns the result of the last response,
/// and neither decodes nor merges the new response.
struct RepeatedResponse {
    /// The operation and its variables.
    struct Request: Hashable {
        let hash: String
        let variables: FieldKey
    }

    /// The state of a store after a response was merged. Every later commit creates a different state.
    struct State: Equatable {
        let commits: Int
        /// The value of ``NormalizedCache/evictions``.
        let evictions: Int
    }

    let request: Request
    let bytes: [UInt8]
    let receipt: Receipt
    let state: State
    let result: any Sendable

    /// The maximum size of a retained response in bytes.
    static let maximumBytes = 4 << 20

    /// Returns true if a new response is equal to this response, and the store has not changed since this response was
    /// merged.
    func isRepeated(by bytes: [UInt8], of request: Request, maximumAge: Int64?, in state: State?) -> Bool {
        self.state == state && self.request == request && receipt.maximumAge == maximumAge && self.bytes == bytes
    }
}
