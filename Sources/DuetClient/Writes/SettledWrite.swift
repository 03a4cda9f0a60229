/// A pending write that was sent again and has an answer, or that is too old to be sent.
public struct SettledWrite<Answer: Sendable, Refusal: Error>: Sendable {
    /// The outcome of a pending write.
    public enum Outcome: Sendable {
        /// The server has performed the write, now or earlier.
        case answered(Answer)
        /// The server has refused the write.
        case refused(Refusal)
        /// The server has answered, but its response is too long to be read. It has probably performed the write. Read
        /// the data to find out.
        case unreadable(Refusal)
        /// The write was not sent again, because its first request is older than ``PendingWrites/lifetime``. The server
        /// may have performed it. Read the data to find out.
        case expired
    }

    /// The write.
    public var write: PendingWrite
    /// The outcome.
    public var outcome: Outcome

    /// Creates the result of a write.
    public init(_ write: PendingWrite, _ outcome: Outcome) {
        self.write = write
        self.outcome = outcome
    }

    /// The answer, if the server has performed the write.
    public var answer: Answer? { if case .answered(let answer) = outcome { answer } else { nil } }

    /// The error, if the server has refused the write.
    public var refusal: Refusal? { if case .refused(let refusal) = outcome { refusal } else { nil } }
}
