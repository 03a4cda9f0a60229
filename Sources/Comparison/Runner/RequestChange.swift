import Foundation

/// The parts of a task's requests that differ each time the task is performed.
struct RequestChange: Sendable {
    /// See ``Request/run``.
    private let run: String?
    /// The value that the scenario writes, and the value that is written this time. Both have the same length, so that
    /// they cost the same.
    private let value: (declared: String, own: String)?

    /// - Parameters:
    ///   - run: A part of an intermediate cache's keys, which limits the cache to responses of the same run; nil for
    ///     the responses of all runs.
    ///   - written: The write of the task, if there is one.
    init(run: String? = nil, written: Scenario.Written?) {
        self.run = run
        value = written.map { ($0.value, Self.name(like: $0.value)) }
    }

    /// Returns the request as it is sent this time.
    func applied(to request: Request) -> Request {
        var request = request
        request.run = run
        if let value {
            request.body = request.body?.replacing(value.declared, with: value.own)
            request.isOfWritingTask = true
        }
        return request
    }

    /// Returns the response with the written value replaced by the value that the scenario declares. A response with a
    /// different value remains unchanged.
    func undone(in text: String) -> String {
        value.map { text.replacing($0.own, with: $0.declared) } ?? text
    }

    /// Returns an unused name. It starts with the same letters as the other name, so that searches for a prefix find
    /// the same number of rows.
    private static func name(like other: String) -> String {
        let letters = (0..<max(0, other.count - 2)).map { _ in
            Character(UnicodeScalar(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"))))
        }
        return other.prefix(2) + String(letters)
    }
}
