import Foundation

/// In what the requests for a task differ each time it is asked for.
struct RequestChange: Sendable {
    /// See ``Request/run``.
    private let run: String?
    /// What stands in the scenario for what is written, and what is written this time: as long, so that it costs the same.
    private let value: (declared: String, own: String)?

    /// - Parameters:
    ///   - run: A part of the keys of a cache in between, which thus has only the answers of the same run; nil for the answers of all.
    ///   - written: what the task writes, if it does.
    init(run: String? = nil, written: Scenario.Written?) {
        self.run = run
        value = written.map { ($0.value, Self.name(like: $0.value)) }
    }

    /// The request as it is sent this time.
    func applied(to request: Request) -> Request {
        var request = request
        request.run = run
        if let value {
            request.body = request.body?.replacing(value.declared, with: value.own)
            request.isOfWritingTask = true
        }
        return request
    }

    /// An answer as it would be if what the scenario declares had been written. One that has another value keeps it.
    func undone(in text: String) -> String {
        value.map { text.replacing($0.own, with: $0.declared) } ?? text
    }

    /// A name that nobody has. It begins as the other does, so that searches for what names begin with find as many.
    private static func name(like other: String) -> String {
        let letters = (0..<max(0, other.count - 2)).map { _ in
            Character(UnicodeScalar(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"))))
        }
        return other.prefix(2) + String(letters)
    }
}
