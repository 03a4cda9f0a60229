import DuetJSON
import HTTPTypes

extension GraphQLReply {
    /// Returns the reason if the server refused the request because of the method GET, the length of the URL, or the
    /// representation of the document; otherwise `nil`.
    func refusal(of attempt: PersistedQueryProtocol.Attempt) -> PersistedQueryProtocol.Refusal? {
        switch head.status {
        case .methodNotAllowed where attempt.method == .get: return .methodNotAllowed
        case .uriTooLong where attempt.method == .get: return .addressTooLong
        default: return persistedQueryError
        }
    }

    /// The error of the automatic persisted queries protocol. Servers report this error with status 200 or with an
    /// error status, in a message or in a code.
    private var persistedQueryError: PersistedQueryProtocol.Refusal? {
        guard mayHavePersistedQueryError, let value = try? JSONValue(parsing: body, maximumDepth: 64),
            // A response with data means that the server executed the operation, regardless of its errors.
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

    /// True if the body may contain an error of the protocol. Only the beginning of the body is searched, so that a
    /// large response is not parsed.
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
    /// True for a 2xx status.
    var isSuccess: Bool { kind == .successful }
}

extension ArraySlice<UInt8> {
    /// Returns true if the bytes contain the text.
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
