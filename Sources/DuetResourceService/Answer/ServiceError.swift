import DuetResultSetJSON
public import DuetSQLDatabase

/// The reason why a request fails. REST and GraphQL report it in different formats.
public struct ServiceError: Error, Sendable, Hashable {
    /// The kind of an error.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code in REST responses, such as `unknown-parameter`.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The query parameter or argument does not exist.
        public static let unknownParameter = Code(rawValue: "unknown-parameter")
        /// The query parameter occurs more than once.
        public static let repeatedParameter = Code(rawValue: "repeated-parameter")
        /// The value of a query parameter or argument is invalid.
        public static let invalidParameter = Code(rawValue: "invalid-parameter")
        /// A condition of a filter is an object or a list without members.
        public static let emptyFilter = Code(rawValue: "empty-filter")
        /// The cursor does not belong to the list.
        public static let invalidCursor = Code(rawValue: "invalid-cursor")
        /// The body is not a JSON object.
        public static let malformedBody = Code(rawValue: "malformed-body")
        /// Returns the code for a row that does not exist. The noun is the singular name of the resource, such as
        /// `employee`.
        public static func unknown(_ noun: String) -> Code { Code(rawValue: "unknown-\(noun)") }
        /// The noun of ``unknown(_:)``; nil for any other code.
        public var missingNoun: String? {
            guard rawValue.hasPrefix("unknown-"), self != .unknownParameter else { return nil }
            return String(rawValue.dropFirst("unknown-".count))
        }
        /// The write conflicts with the existing data.
        public static let conflict = Code(rawValue: "conflict")
        /// The current state does not match the precondition of the write.
        public static let preconditionFailed = Code(rawValue: "precondition-failed")
        /// The values of members of the body are invalid.
        public static let validationFailed = Code(rawValue: "validation-failed")
        /// The response would exceed the size limit of the server.
        public static let answerTooLarge = Code(rawValue: "answer-too-large")
        /// The database cannot be reached, is damaged, or lacks a table or column that the API describes. This is also
        /// the code for a canceled request.
        public static let databaseUnavailable = Code(rawValue: "database-unavailable")
        /// Too many requests wait for the database, or the database is locked.
        public static let overloaded = Code(rawValue: "overloaded")
        /// The database did not respond in time.
        public static let queryTimeout = Code(rawValue: "query-timeout")
        /// The database has no space left.
        public static let databaseFull = Code(rawValue: "database-full")
        /// The database accepts no writes.
        public static let databaseReadOnly = Code(rawValue: "database-read-only")
        /// The database cannot read or write its files.
        public static let databaseIOError = Code(rawValue: "database-io-error")
        /// A write was sent, but the database did not confirm it.
        public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// A value in the database does not have the declared type of its field.
        public static let valueMismatch = Code(rawValue: "value-mismatch")
        /// Any other error. The log contains the details.
        public static let internalError = Code(rawValue: "internal-error")
    }

    /// An invalid member of a request body.
    public struct FieldError: Sendable, Hashable {
        /// The member's name.
        public let field: String
        /// The reason, such as "is missing".
        public let message: String

        /// Creates a field error.
        public init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    /// The kind of the error.
    public var code: Code
    /// A sentence for the client's developer. It describes the error and how to correct it.
    public var detail: String
    /// The invalid parameter.
    public var parameter: String?
    /// The valid values or names.
    public var allowed: [String]?
    /// All invalid members of the body.
    public var fields: [FieldError] = []
    /// The key that already exists.
    public var key: String?

    /// Creates an error.
    public init(
        _ code: Code, _ detail: String, parameter: String? = nil, allowed: [String]? = nil, fields: [FieldError] = [],
        key: String? = nil
    ) {
        self.code = code
        self.detail = detail
        self.parameter = parameter
        self.allowed = allowed
        self.fields = fields
        self.key = key
    }

    /// Creates the error for the client from any error. The new error omits internal details of an error that is not a
    /// `ServiceError`, so the caller must log the original error.
    public init(describing error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as DatabaseError: self.init(error)
        case is CancellationError: self.init(DatabaseError(.cancelled, "the request was canceled"))
        case let error as UnreadableResource where error.underlying.code == .corrupt:
            self.init(
                .databaseUnavailable,
                "\(error.resource) or one of its relations cannot be read, because the data in the database is damaged; see the server's log"
            )
        case let error as UnreadableResource where !error.underlying.isChangeOfSchema:
            self.init(
                .internalError,
                "\(error.resource) or one of its relations cannot be read, because the database reports an error; see the server's log"
            )
        case let error as UnreadableResource:
            self.init(
                .databaseUnavailable,
                "\(error.resource) or one of its relations cannot be read, because \(error.change); see the server's log"
            )
        case let error as ValueMismatch:
            self.init(
                .valueMismatch,
                "\(error); correct the row, or "
                    + (error.remedy.map { "describe the field with \($0)" }
                        ?? "the type of the field in the description of the API"))
        default: self.init(.internalError, "an internal error occurred; see the server's log")
        }
    }

    private static let locked =
        "another program or request has locked the database or one of its tables; try again later"

    private init(_ error: DatabaseError) {
        let resource = error.source.map { "\($0) cannot be read, because " } ?? ""
        switch error.code {
        case .corrupt:
            self.init(
                .databaseUnavailable,
                "the database cannot be read, because it is damaged or is not a database; see the server's log")
        case .unavailable, .connectionLost, .closed, .missingTable:
            self.init(.databaseUnavailable, "the database cannot be reached at the moment; try again later")
        case .poolExhausted:
            self.init(.overloaded, "too many requests wait for the database; try again later")
        case .busy: self.init(.overloaded, resource + Self.locked)
        case .timeout where error.waitedForLock: self.init(.queryTimeout, resource + Self.locked)
        case .timeout:
            self.init(
                .queryTimeout,
                "\(resource)the database did not respond within the time limit; request less data, or try again later if another program has locked a table"
            )
        case .full:
            self.init(.databaseFull, "the database is full; nothing was written")
        case .readOnly:
            self.init(.databaseReadOnly, "the database does not accept writes at the moment; try again later")
        case .ioError:
            self.init(.databaseIOError, "the database cannot read or write its files at the moment; try again later")
        case .commitOutcomeUnknown:
            self.init(
                .outcomeUnknown,
                "the write was sent to the database, which did not confirm it; read the resource to check whether the write took effect"
            )
        case .cancelled:
            self.init(.databaseUnavailable, "the request was canceled")
        default:
            self.init(.internalError, "an internal error occurred; see the server's log")
        }
    }
}

extension ServiceError {
    /// Returns the error for a row that does not exist.
    public static func missing(_ resource: Resource, _ key: [SQLValue]) -> ServiceError {
        Subject(resource, key).missing
    }
}
