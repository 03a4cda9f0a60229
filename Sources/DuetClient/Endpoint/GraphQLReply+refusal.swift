import DuetJSON
import HTTPTypes

extension GraphQLReply {
    /// The reason why the server has not looked at the operation, if there is one that another way to send it may avoid.
    func refusal(of attempt: PersistedQueryProtocol.Attempt) -> PersistedQueryProtocol.Refusal? {
        switch head.status {
        case .methodNotAllowed where attempt.method == .get: return .methodNotAllowed
        case .uriTooLong where attempt.method == .get: return .addressTooLong
        default: return persistedQueryError
        }
    }

    /// The error of the protocol of persisted queries. Servers report it with status 200 or another, by a message or by a code.
    private var persistedQueryError: PersistedQueryProtocol.Refusal? {
        guard mayHavePersistedQueryError, let value = try? JSONValue(parsing: body, maximumDepth: 64),
            // An operation that was executed was not refused, whatever its errors say.
            value["data"] ?? .null == .null, case .array(let errors)? = value["errors"]
        else { return nil }
        for error in errors {
            for name in [error["message"], error["extensions"]?["code"]] {
                switch name {
                case .string("PersistedQueryNotFound"), .string("PERSISTED_QUERY_NOT_FOUND"): return .notFound
                case .string("PersistedQueryNotSupported"), .string("PERSISTED_QUERY_NOT_SUPPORTED"):
                    return .notSupported
                case .string("PersistedQueryNotInList"), .string("PERSISTED_QUERY_NOT_IN_LIST"): return .notListed
                default: continue
                }
            }
        }
        return nil
    }

    /// Decides without reading a large response: one with data is not searched.
    private var mayHavePersistedQueryError: Bool {
        let short = 4096
        guard body.count <= short || !head.status.isSuccess || body.starts(with: #"{"errors""#.utf8) else {
            return false
        }
        let beginning = body.prefix(short)
        return beginning.contains("PersistedQuery".utf8) || beginning.contains("PERSISTED_QUERY".utf8)
    }
}

extension HTTPResponse.Status {
    /// True for 2xx.
    var isSuccess: Bool { kind == .successful }
}

extension ArraySlice<UInt8> {
    /// True if a text occurs in these bytes.
    fileprivate func contains(_ text: String.UTF8View) -> Bool {
        guard let first = text.first else { return true }
        var rest = self
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: text) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
