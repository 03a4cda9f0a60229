import Foundation

/// The parts of a task's requests that are different in each execution of the task.
struct RequestChange: Sendable {
    /// See ``Request/run``.
    private let run: String?
    /// The value that the scenario declares, and the value that this execution writes. Both values have the same
    /// length, so that all executions send the same number of bytes.
    private let value: (declared: String, own: String)?

    /// - Parameters:
    ///   - run: The identifier of the run. A cache then returns only responses of this run. If the identifier is nil, a
    ///     cache may return the responses of all runs.
    ///   - written: The write of the task, if there is one.
    init(run: String? = nil, written: Scenario.Written?) {
        self.run = run
        value = written.map { ($0.value, Self.name(like: $0.value)) }
    }

    /// Returns the request with the changes of this execution.
    func applied(to request: Request) -> Request {
        var request = request
        request.run = run
        if let value {
            request.body = request.body?.replacing(value.declared, with: value.own)
            request.isOfWritingTask = true
        }
        return request
    }

    /// Returns the response with the written value replaced by the declared value. A response that does not contain the
    /// written value is returned unchanged.
    func undone(in text: String) -> String {
        value.map { text.replacing($0.own, with: $0.declared) } ?? text
    }

    /// Returns a new name with the first two letters and the length of the given name. A search for names with these
    /// two letters as prefix therefore finds the same number of rows before and after the replacement.
    private static func name(like other: String) -> String {
        let letters = (0..<max(0, other.count - 2)).map { _ in
            Character(UnicodeScalar(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"))))
        }
        return other.prefix(2) + String(letters)
    }
}
