/// The reason why a mutation changed nothing, which a user can correct: an element of `errors` in a payload.
public struct UserError: DataDecodable, Hashable {
    /// The kind of an error: the name of its GraphQL type.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the GraphQL type.
        public let rawValue: String

        /// Creates a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An invalid value.
        public static let invalidInput = Kind(rawValue: "InvalidInputError")
        /// A row that does not exist.
        public static let notFound = Kind(rawValue: "NotFoundError")
        /// Existing data that conflicts with the change.
        public static let conflict = Kind(rawValue: "ConflictError")
        /// A change that the rules for the caller do not permit.
        public static let notPermitted = Kind(rawValue: "NotPermittedError")
        /// A row whose state does not satisfy `ifMatch` or `ifNoneMatch`.
        public static let preconditionFailed = Kind(rawValue: "PreconditionFailedError")
    }

    /// The kind.
    public let kind: Kind
    /// A sentence for the user.
    public let message: String
    /// The path of the invalid argument, such as `input`, `orders`, `0`, `total`; `nil` if the error does not concern a
    /// single argument.
    public let field: [String]?
    /// The name of the key that already exists, if the kind is ``Kind-swift.struct/conflict``.
    public let key: String?

    /// Reads the fields of an error.
    public init(from decoder: DynamicDecoder) throws(ModelError) {
        kind = Kind(rawValue: try decoder.value("__typename"))
        message = try decoder.value("message")
        field = try decoder.value("field")
        let conflict: Conflict? = try decoder.value(on: Kind.conflict.rawValue)
        key = conflict?.key
    }

    private struct Conflict: DataDecodable {
        let key: String?

        init(from decoder: DynamicDecoder) throws(ModelError) { key = try decoder.value("key") }
    }
}

/// The error of a write that the server has refused, with the reasons.
public struct WriteRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reasons. There is at least one.
    public let errors: [UserError]

    /// Creates an error.
    public init(errors: [UserError]) { self.errors = errors }

    /// The messages of the reasons.
    public var description: String { errors.map(\.message).joined(separator: "; ") }
}
