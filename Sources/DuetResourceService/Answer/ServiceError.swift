import DuetResultSetJSON
public import DuetSQLDatabase

/// The reason why a request cannot be answered; a value that each style reports in its own form.
public struct ServiceError: Error, Sendable, Hashable {
    /// A kind of failure; the raw value is the code that clients see.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code over REST: `unknown-parameter`.
        public let rawValue: String

        /// Creates a code of its own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A query parameter or argument that there is not.
        public static let unknownParameter = Code(rawValue: "unknown-parameter")
        /// A query parameter that is given more than once.
        public static let repeatedParameter = Code(rawValue: "repeated-parameter")
        /// A query parameter or argument with a value that it cannot have.
        public static let invalidParameter = Code(rawValue: "invalid-parameter")
        /// A cursor that is not of the list.
        public static let invalidCursor = Code(rawValue: "invalid-cursor")
        /// A body that is no JSON object.
        public static let malformedBody = Code(rawValue: "malformed-body")
        /// There is no such row of a resource.
        public static func unknown(_ noun: String) -> Code { Code(rawValue: "unknown-\(noun)") }
        /// The noun of ``unknown(_:)``; nil for any other code.
        public var missingNoun: String? {
            guard rawValue.hasPrefix("unknown-"), self != .unknownParameter else { return nil }
            return String(rawValue.dropFirst("unknown-".count))
        }
        /// There is something already that does not go together with a write.
        public static let conflict = Code(rawValue: "conflict")
        /// The current state is not the one that a write requires.
        public static let preconditionFailed = Code(rawValue: "precondition-failed")
        /// Members of a body have values that they cannot have.
        public static let validationFailed = Code(rawValue: "validation-failed")
        /// The answer would be larger than the server sends.
        public static let answerTooLarge = Code(rawValue: "answer-too-large")
        /// The database cannot be reached.
        public static let databaseUnavailable = Code(rawValue: "database-unavailable")
        /// Too many requests wait for the database.
        public static let overloaded = Code(rawValue: "overloaded")
        /// The database did not answer in time.
        public static let queryTimeout = Code(rawValue: "query-timeout")
        /// The database has no room left.
        public static let databaseFull = Code(rawValue: "database-full")
        /// The database accepts no writes.
        public static let databaseReadOnly = Code(rawValue: "database-read-only")
        /// The database cannot read or write its files.
        public static let databaseIOError = Code(rawValue: "database-io-error")
        /// A write was sent and not confirmed.
        public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
        /// A value in the database does not have the type that its field declares.
        public static let valueMismatch = Code(rawValue: "value-mismatch")
        /// Anything else; the log says more.
        public static let internalError = Code(rawValue: "internal-error")
    }

    /// A member of a request body at fault.
    public struct FieldError: Sendable, Hashable {
        /// The member's name.
        public let field: String
        /// The fault: "is missing".
        public let message: String

        /// Creates a fault.
        public init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence for a person that says what to do.
    public var detail: String
    /// The parameter at fault.
    public var parameter: String?
    /// The valid values or names instead.
    public var allowed: [String]?
    /// Every member of the body at fault.
    public var fields: [FieldError] = []
    /// The key that exists already.
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

    /// The error that clients see for any failure. The log has to say more of all that is not a `ServiceError` itself.
    public init(describing error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as DatabaseError: self.init(error)
        case is CancellationError: self.init(DatabaseError(.cancelled, "the request was cancelled"))
        case let error as UnreadableResource where !error.underlying.isChangeOfSchema:
            self.init(
                .internalError,
                "\(error.resource) or a relation of it cannot be read, because the database reports an error; the server's log says more"
            )
        case let error as UnreadableResource:
            self.init(
                .databaseUnavailable,
                "\(error.resource) or a relation of it cannot be read, because \(error.change); the server's log says more"
            )
        case let error as ValueMismatch:
            self.init(
                .valueMismatch,
                "\(error); correct the row, or "
                    + (error.remedy.map { "describe the field with \($0)" }
                        ?? "the type of the field in the description of the API"))
        default: self.init(.internalError, "something went wrong; the server's log says more")
        }
    }

    private static let locked =
        "another program or request has locked the database or a table of it; try again later"

    private init(_ error: DatabaseError) {
        let resource = error.source.map { "\($0) cannot be read, because " } ?? ""
        switch error.code {
        case .unavailable, .connectionLost, .closed, .corrupt, .missingTable:
            self.init(.databaseUnavailable, "the database cannot be reached at the moment; try again later")
        case .poolExhausted:
            self.init(.overloaded, "too many requests wait for the database; try again later")
        case .busy: self.init(.overloaded, resource + Self.locked)
        case .timeout where error.waitedForLock: self.init(.queryTimeout, resource + Self.locked)
        case .timeout:
            self.init(
                .queryTimeout,
                "\(resource)the database did not answer within the time limit; ask for less, or try again later if another program has locked a table"
            )
        case .full:
            self.init(.databaseFull, "the database has no room left; nothing was written")
        case .readOnly:
            self.init(.databaseReadOnly, "the database does not accept writes at the moment; try again later")
        case .ioError:
            self.init(.databaseIOError, "the database cannot read or write its files at the moment; try again later")
        case .commitOutcomeUnknown:
            self.init(
                .outcomeUnknown,
                "the write was sent to the database, which did not confirm it; read the resource to see whether it took effect"
            )
        case .cancelled:
            self.init(.databaseUnavailable, "the request was given up")
        default:
            self.init(.internalError, "something went wrong; the server's log says more")
        }
    }
}

extension ServiceError {
    /// The error that a row of a resource is not there.
    public static func missing(_ resource: Resource, _ key: [SQLValue]) -> ServiceError {
        Subject(resource, key).missing
    }
}
