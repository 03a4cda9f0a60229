import DuetJSON

/// A round: REST requests that do not depend on each other.
///
/// The responses of a round are combined in one of two ways. If the targets contain names of members in braces, the
/// requests are sent for each row of the previous round, and each response becomes a member of its row. Otherwise, the
/// path of the first target must be a prefix of all other paths, and the other responses become members of the first
/// response. The name of the member is the last component of the path: `/employees/{employeeNumber}/titles` becomes
/// `titles`.
///
/// The responses of a round with aggregates are not combined.
struct RequestRound: Sendable {
    private let requests: [Request]
    /// True if each response is a value of its own.
    private let areSeparate: Bool

    init(_ requests: [Request], areSeparate: Bool = false) {
        self.requests = requests
        self.areSeparate = areSeparate
    }

    /// The number of requests. If the requests are sent for each row, it is the number of requests per row.
    var count: Int { requests.count }

    /// True if the requests are sent for each row of the previous round.
    var isForEachRow: Bool { requests.contains(where: \.hasBraces) }

    /// The reason why the responses cannot be combined, with the first two affected requests; nil if they can be
    /// combined.
    var inconsistency: String? {
        let first = requests[0]
        func fault(_ other: Request, _ reason: String) -> String {
            "has \(first.line) and \(other.line) in one round, but \(reason)"
        }
        if let other = requests.first(where: { $0.hasBraces != first.hasBraces }) {
            return fault(other, "only one of them contains braces; separate them with an empty line")
        }
        guard !first.hasBraces, !areSeparate,
            let other = requests.dropFirst().first(where: { !$0.path.hasPrefix("\(first.path)/") })
        else { return nil }
        return fault(
            other,
            "the path of the second does not start with the path of the first; separate them with an empty line if one depends on the other, or declare two tasks"
        )
    }

    /// Returns the requests with the names in braces replaced by the values of a row.
    /// - Parameter answers: The responses of the previous round. If the requests are sent for each row, they are lists
    ///   of rows.
    /// - Throws: ``UnexpectedAnswer`` if such a response is not a list, or if a row does not have a member.
    func filled(from answers: [JSONValue]) throws -> [Request] {
        guard isForEachRow else { return requests }
        return try answers.flatMap { try $0.elements() }.flatMap { row in
            try requests.map { request in
                var request = request
                request.target = try request.target.replacing(/\{(\w+)\}/) { try row.member(String($0.1)).string() }
                return request
            }
        }
    }

    /// Inserts responses into other responses as members.
    /// - Parameter answers: The responses of each round.
    /// - Returns: One value for each round whose requests are not sent for each row; for a round with aggregates, one
    ///   value for each response.
    /// - Throws: ``UnexpectedAnswer`` if a response or a row that must receive members is not an object.
    static func joined(_ answers: [[JSONValue]], of rounds: [RequestRound]) throws -> [JSONValue] {
        var answers = answers
        var values: [JSONValue] = []
        for (index, round) in rounds.enumerated().reversed() {
            var left = answers[index][...]
            func filled(_ value: JSONValue, _ requests: some Collection<Request>) throws -> JSONValue {
                guard !requests.isEmpty else { return value }
                guard case .object(var object) = value else {
                    throw UnexpectedAnswer("\(value.typeName) is not an object")
                }
                for request in requests { object[request.name] = left.popFirst() }
                return .object(object)
            }
            if round.isForEachRow {
                answers[index - 1] = try answers[index - 1].map { rows in
                    try rows.mapElements { try filled($0, round.requests) }
                }
            } else if round.areSeparate {
                values.insert(contentsOf: left, at: 0)
            } else if let first = left.popFirst() {
                values.insert(try filled(first, round.requests.dropFirst()), at: 0)
            }
        }
        return values
    }
}

extension Request {
    fileprivate var line: String { "\(method.rawValue) \(target)" }
    fileprivate var path: String { String(target.prefix { $0 != "?" }) }
    fileprivate var name: String { String(path.split(separator: "/").last ?? "") }
    fileprivate var hasBraces: Bool { target.contains("{") }
}
