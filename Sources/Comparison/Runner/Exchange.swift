import JSON

/// A request and what it took.
struct Exchange: Sendable {
    let request: Request
    let answer: Answer
    let up: WireBytes
    let down: WireBytes
    /// Bytes of the head that differ from one time to the next: `Server-Timing` has measured times.
    let variableBytes: Int
    /// Whether a cache in between had the answer.
    let isCacheHit: Bool
}

/// A task as it was asked for once, in rounds.
struct Recording: Sendable {
    let rounds: [[Exchange]]
    /// What came out: the same whatever the style.
    let result: JSONValue

    var exchanges: [Exchange] { rounds.flatMap(\.self) }
}
