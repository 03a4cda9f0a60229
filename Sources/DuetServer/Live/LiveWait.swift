import DuetHTTPSemantics
import DuetResourceService
import Foundation

/// The parameters of a read that waits for a change: `wait`, the maximum time in seconds, and `since`, the entity tag
/// of the representation that the client has.
struct LiveWait: Sendable {
    /// The maximum of `wait` in seconds.
    static let maximum = 60

    let time: Duration
    /// The entity tag; nil to wait for the next change.
    let since: KnownTag?
    /// The encoded query without the parameters; nil if nothing remains.
    let query: String?

    /// - Returns: nil for a request without the parameters.
    /// - Throws: ``RequestProblem`` for an invalid value.
    init?(_ routed: RoutedRequest) throws {
        // Nearly all requests have no such parameter, so the query is not decoded for them.
        guard let query = routed.rawQuery, Self.hasParameter(query) else { return nil }
        var values: [String: String] = [:]
        var rest: [Substring] = []
        for part in query.split(separator: "&", omittingEmptySubsequences: false) {
            let parameter = try QueryString(String(part)).parameters.first
            guard let parameter, Catalogue.waitParameters.contains(parameter.name) else {
                rest.append(part)
                continue
            }
            guard values.updateValue(parameter.value, forKey: parameter.name) == nil else {
                throw Self.problem(.repeatedParameter, parameter.name, "occurs more than once")
            }
        }
        guard !values.isEmpty else { return nil }
        guard let text = values["wait"] else {
            throw Self.problem(.invalidParameter, "since", "is the tag of a read that waits; add wait=\(Self.maximum)")
        }
        guard let seconds = Int(text), (0...Self.maximum).contains(seconds) else {
            throw Self.problem(
                .invalidParameter, "wait", "must be a whole number of seconds from 0 to \(Self.maximum)")
        }
        time = .seconds(seconds)
        since = values["since"].map(KnownTag.init)
        self.query = rest.isEmpty ? nil : rest.joined(separator: "&")
    }

    /// Returns the decoded parameters of ``query``.
    func parameters() throws -> RESTStyle.Query {
        try query.map { try QueryString($0).parameters.map { ($0.name, $0.value) } } ?? []
    }

    /// Returns true if an encoded query has one of the parameters, by a comparison of bytes.
    private static func hasParameter(_ query: String) -> Bool {
        var query = query
        return query.withUTF8 { bytes in
            var isStart = true
            for index in bytes.indices {
                if isStart, bytes[index] == UInt8(ascii: "w") || bytes[index] == UInt8(ascii: "s"),
                    bytes[index...].starts(with: "wait=".utf8) || bytes[index...].starts(with: "since=".utf8)
                {
                    return true
                }
                isStart = bytes[index] == UInt8(ascii: "&")
            }
            return false
        }
    }

    /// The problem of a request that waits and accepts events.
    static var eventsProblem: RequestProblem {
        problem(.invalidParameter, "wait", "cannot be combined with text/event-stream in Accept; omit one of them")
    }

    private static func problem(
        _ code: ServiceError.Code, _ parameter: String, _ text: String
    ) -> RequestProblem {
        RequestProblem(code, "\(parameter) \(text)", members: [("parameter", .string(parameter))])
    }
}
