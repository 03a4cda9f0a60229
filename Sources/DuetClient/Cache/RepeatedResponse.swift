import Foundation

/// The response that was merged last. If the server answers with it again, it need not be read again.
struct RepeatedResponse {
    /// The operation and its variables.
    struct Request: Hashable {
        let hash: String
        let variables: FieldKey
    }

    /// A store after a response was merged. Any later commit makes another state.
    struct State: Equatable {
        let commits: Int
        /// ``NormalizedCache/evictions``.
        let evictions: Int
    }

    let request: Request
    let bytes: [UInt8]
    let receipt: Receipt
    let state: State
    let result: any Sendable

    /// A longer response is not retained.
    static let maximumBytes = 4 << 20

    /// Returns true if a response means the same, and all of its fields still have the receipt of this one.
    func isRepeated(by bytes: [UInt8], of request: Request, maximumAge: Int64?, in state: State?) -> Bool {
        self.state == state && self.request == request && receipt.maximumAge == maximumAge && self.bytes == bytes
    }
}
