/// An error after which a write can remain pending.
protocol PendingWriteError: Error {
    /// The key of the write, if it remains pending.
    var pendingKey: IdempotencyKey? { get set }
    /// The effect of the error on the write.
    var effect: PendingWrites.Effect { get }
    /// False if the server has certainly not received the request.
    var mayHaveReachedServer: Bool { get }

    /// Creates the error for a write that was not sent.
    init(_ failure: PendingWrites.Failure)
}

extension PendingWrites {
    /// The effect of a failed request on a pending write.
    enum Effect: Hashable {
        /// The server has refused the write, or the request was not sent and never will be.
        case refused
        /// The server has answered, but the response cannot be read.
        case unreadable
        /// The write remains pending.
        case pending
        /// The write remains pending, and can be sent again at once. The server may have asked for a pause.
        case repeatable(RetryAfter?)
    }

    /// The reason why a write was not sent.
    enum Failure: Error, CustomStringConvertible {
        /// The store cannot be read or written.
        case store(CacheError)
        /// The store cannot record that the write is sent. The write is recorded, and remains pending.
        case unmarked(CacheError)
        case cancelled
        case callerChanged
        /// The app must first receive the outcome of an earlier write.
        case waiting(for: IdempotencyKey)
        /// The running resumption sends the write.
        case resuming
        /// The server could have removed the key.
        case expired(IdempotencyKey)
        /// The key is that of a different pending write.
        case reused(IdempotencyKey)
        /// The write was discarded before it was sent.
        case discarded(IdempotencyKey)

        var description: String {
            switch self {
            case .store(let error), .unmarked(let error): "The pending writes cannot be read or written: \(error)"
            case .cancelled: "The task was canceled before the write was sent."
            case .callerChanged: "The caller has changed before the write was sent."
            case .waiting(let key):
                "The write is pending, because the app must first receive the outcome of the earlier write \(key). Call resumePendingWrites()."
            case .resuming: "The write is pending. The running call of resumePendingWrites() sends it after the others."
            case .expired(let key):
                "The write \(key) is too old to be sent again. Call resumePendingWrites(), and read the data to find out if the server has performed it."
            case .reused(let key): "A different pending write has the key \(key). Use another key."
            case .discarded(let key): "The write \(key) was discarded before it was sent."
            }
        }
    }
}

extension TransportError.Code {
    /// The effect of the error on a pending write.
    var effect: PendingWrites.Effect {
        switch self {
        // The request cannot be sent.
        case .invalidAddress, .noCaller: .refused
        case .tooLarge: .unreadable
        case .cannotConnect, .connectionLost: .repeatable(nil)
        case .cancelled, .insecure, .timedOut, .invalidResponse, .callerChanged, .noToken: .pending
        }
    }

    /// False if the server has certainly not received the request, or has refused it with the status 401.
    var mayHaveReachedServer: Bool {
        switch self {
        case .invalidAddress, .noCaller, .cannotConnect, .insecure, .noToken: false
        case .tooLarge, .connectionLost, .cancelled, .timedOut, .invalidResponse, .callerChanged: true
        }
    }
}
