import DuetJSON

/// A request and what it took.
struct Exchange: Sendable {
    let request: Request
    let answer: ServerResponse
    let up: WireBytes
    let down: WireBytes
    /// Bytes of the head that differ from one time to the next: `Server-Timing` has measured times.
    let variableBytes: Int
    /// SQL statements that the server has run for it; `nil` if it does not tell. With an answer from a cache it is what it once took.
    let statements: Int?
    /// Whether a cache in between had the answer.
    let isCacheHit: Bool

    /// What has come, without what differs from one time to the next.
    var stableDown: WireBytes {
        var down = down
        down.head -= variableBytes
        return down
    }
}

/// A task as it was asked for once, in rounds.
struct Recording: Sendable {
    let rounds: [[Exchange]]
    /// What came out: the same whatever the style.
    let result: JSONValue
    /// What was different this time.
    let change: RequestChange

    var exchanges: [Exchange] { rounds.flatMap(\.self) }
}
