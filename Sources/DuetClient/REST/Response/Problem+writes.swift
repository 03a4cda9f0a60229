import DuetJSON

/// The members with which Duet's server describes the errors of writes. Other services may have the same members.
extension Problem {
    /// An invalid member of a request.
    public struct FieldError: Sendable, Hashable {
        /// The name of the member.
        public var field: String
        /// The reason, such as `is missing`.
        public var message: String
        /// The location of the member in the body: a JSON pointer (RFC 6901), such as `/orders/0/total`.
        public var pointer: String?

        /// Creates an error.
        public init(field: String, message: String, pointer: String? = nil) {
            self.field = field
            self.message = message
            self.pointer = pointer
        }
    }

    /// The code, such as `validation-failed` or `conflict`. If there is no member `code`, it is the last segment of
    /// ``type``; `nil` for `about:blank`.
    public var code: String? {
        if let code = text("code") { return code }
        return type == "about:blank" ? nil : type.split(separator: "/").last.map(String.init)
    }

    /// The invalid members of the request.
    public var errors: [FieldError] {
        guard case .array(let elements)? = extensions["errors"] else { return [] }
        return elements.compactMap { element in
            guard case .object(let error) = element else { return nil }
            let pointer = error.text("pointer")
            guard let field = error.text("field") ?? pointer else { return nil }
            return FieldError(field: field, message: error.text("message") ?? "", pointer: pointer)
        }
    }

    /// The names of the members in ``errors``, each once. For a conflict, these are the members whose values exist.
    public var fields: [String] {
        errors.map(\.field).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The relation whose rows prevent the write.
    public var relation: String? { text("relation") }

    /// The name of the key whose value exists already.
    public var key: String? { text("key") }

    /// The name of the constraint that the write violates.
    public var constraint: String? { text("constraint") }

    /// The identifier of the request in a batch that the problem concerns.
    public var request: String? {
        switch extensions["request"] {
        case .string(let text): text
        case .integer(let index): String(index)
        default: nil
        }
    }

    /// The location in the body that the problem concerns, for example of a related row: a JSON pointer (RFC 6901).
    public var pointer: String? { text("pointer") }

    /// The line of the body that the problem concerns, starting at 1.
    public var line: Int? { extensions["line"]?.integerValue.flatMap(Int.init(exactly:)) }

    /// The column of the body that the problem concerns, starting at 1.
    public var column: Int? { extensions["column"]?.integerValue.flatMap(Int.init(exactly:)) }

    /// The code of the problem that an earlier request with the same key is still running.
    static var keyInUse: String { "idempotency-key-in-use" }

    private func text(_ name: String) -> String? { extensions.text(name) }
}

extension JSONObject {
    /// The string member with a name.
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
