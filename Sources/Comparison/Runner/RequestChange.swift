import Foundation

/// In what the requests for a task differ each time it is asked for.
struct RequestChange: Sendable {
    /// See ``Request/run``.
    private let run: String?
    /// What stands in the scenario for what is written, and what is written this time: as long, so that it costs the same.
    private let value: (declared: String, own: String)?

    /// - Parameters:
    ///   - isCold: whether a cache in between is to have none of the answers.
    ///   - written: what the task writes, if it does.
    init(isCold: Bool, written: Scenario.Written?) {
        run = isCold ? UUID().uuidString : nil
        value = written.map { ($0.value, Self.name(length: $0.value.count)) }
    }

    /// The request as it is sent this time.
    func applied(to request: Request) -> Request {
        var request = request
        request.run = run
        if let value { request.body = request.body?.replacing(value.declared, with: value.own) }
        return request
    }

    /// An answer as it would be if what the scenario declares had been written. One that has another value keeps it.
    func undone(in text: String) -> String {
        value.map { text.replacing($0.own, with: $0.declared) } ?? text
    }

    /// A name that nobody has.
    private static func name(length: Int) -> String {
        String(
            (0..<length).map { _ in Character(UnicodeScalar(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z")))) }
        )
        .capitalized
    }
}
