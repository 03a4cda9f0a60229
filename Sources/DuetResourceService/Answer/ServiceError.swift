public import DuetJSON
import DuetResultSetJSON
public import DuetSQLDatabase

/// The reason why a request fails. REST and GraphQL report it in different formats.
public struct ServiceError: Error, Sendable, Hashable {
    /// An invalid member of a request body.
    public struct FieldError: Sendable, Hashable {
        /// The member's name.
        public let field: String
        /// The reason, such as "is missing".
        public let message: String
        /// The location of the member in the body; nil if it is a member of the body itself.
        public var pointer: JSONPointer?

        /// Creates a field error.
        public init(field: String, message: String, pointer: JSONPointer? = nil) {
            self.field = field
            self.message = message
            self.pointer = pointer
        }

        /// The location of the member in the body.
        package var location: JSONPointer { pointer ?? JSONPointer([field]) }

        func with(path: [String]) -> FieldError {
            FieldError(field: field, message: message, pointer: JSONPointer(path))
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
    /// The relation to the rows that prevent the change.
    public var relation: String?
    /// The line of the body, from 1, if the body contains rows in lines.
    public var line: Int?
    /// The number of the value in the row, from 1, if the body contains rows as CSV.
    public var column: Int?
    /// The location in the body of the related row that the error concerns; nil for the row itself.
    public var pointer: JSONPointer?

    /// The reason why the database rejected a change, in its own words. Only the log contains it.
    public var rejection: String?

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
        case let error as UnconfirmedWrite:
            self.init(error.underlying)
            detail =
                "the write was sent to the database, which did not confirm it; repeat the request with the same idempotency key: the response says what happened, and the write has its effect once"
        case is CancellationError: self.init(DatabaseError(.cancelled, "the request was canceled"))
        case let error as UnreadableResource where error.underlying.code == .corrupt:
            self.init(
                .databaseUnavailable,
                "\(error.resource) or one of its relations cannot be read, because the data in the database is damaged; see the server's log"
            )
        case let error as UnreadableResource where error.underlying.code == .invalidNumber:
            self.init(
                .internalError,
                "\(error.resource) or one of its relations cannot be read, because the database reports a number that is out of range; see the server's log"
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
        case let error as ParameterError:
            switch error.reason {
            case .missing:
                self.init(
                    .claimMissing,
                    "the rules of your role use the claim \(error.parameter), which your token does not have")
            case .mismatch(let expected):
                self.init(
                    .claimMismatch,
                    "the rules of your role use the claim \(error.parameter), which must be \(expected)")
            }
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
        case .scanTooLarge:
            self.init(
                .scanTooLarge, "\(resource)it examines more rows than the server permits; \(ScanAdvice.general)")
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
