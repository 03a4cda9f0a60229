import SQLDatabase

/// Why a request cannot be answered; a value that both faces tell in their own way.
public struct ServiceError: Error, Sendable, Hashable {
    /// What kind of failure it is; the raw value is what clients see.
    public enum Code: String, Sendable, CaseIterable {
        case unknownParameter = "unknown-parameter"
        case repeatedParameter = "repeated-parameter"
        case invalidParameter = "invalid-parameter"
        case invalidCursor = "invalid-cursor"
        case malformedBody = "malformed-body"
        case unknownEmployee = "unknown-employee"
        case unknownDepartment = "unknown-department"
        case unknownAssignment = "unknown-assignment"
        case conflict
        case validationFailed = "validation-failed"
        case preconditionFailed = "precondition-failed"
        case answerTooLarge = "answer-too-large"
        case databaseUnavailable = "database-unavailable"
        case overloaded
        case queryTimeout = "query-timeout"
        case databaseFull = "database-full"
        case databaseReadOnly = "database-read-only"
        case databaseIOError = "database-io-error"
        case outcomeUnknown = "outcome-unknown"
        case internalError = "internal-error"
    }

    /// A member of a request body that is not as it should be.
    public struct FieldError: Sendable, Hashable {
        /// The member's name.
        public let field: String
        /// What is wrong with it: "is missing".
        public let message: String
    }

    /// What kind of failure it is.
    public var code: Code
    /// A sentence for a person that says what to do.
    public var detail: String
    /// The parameter at fault.
    public var parameter: String?
    /// What the parameter may be instead.
    public var allowed: [String]?
    /// Every member of the body at fault.
    public var fields: [FieldError] = []
    /// The key that exists already.
    public var key: String?

    init(
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

    /// What clients are told of whatever a request failed with. The log has to say more of all that is not a `ServiceError`
    /// itself.
    public init(telling error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as DatabaseError: self.init(telling: error.code)
        case is CancellationError: self.init(telling: .cancelled)
        default: self.init(.internalError, "something went wrong; the server's log says more")
        }
    }

    private init(telling code: DatabaseError.Code) {
        switch code {
        case .unavailable, .connectionLost, .closed, .corrupt, .missingTable:
            self.init(.databaseUnavailable, "the database cannot be reached at the moment; try again later")
        case .poolExhausted, .busy:
            self.init(.overloaded, "too many requests wait for the database; try again later")
        case .timeout:
            self.init(.queryTimeout, "the database did not answer within the time limit; ask for less")
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

/// A thing that a request is about, and that may not be there.
enum Subject: Sendable, Hashable {
    case employee(Int)
    case department(String)
    /// An employee's time in a department.
    case assignment(employee: Int, department: String)

    /// That it is not there.
    var missing: ServiceError {
        switch self {
        case .employee(let number): ServiceError(.unknownEmployee, "there is no employee \(number)")
        case .department(let number): ServiceError(.unknownDepartment, "there is no department \(number)")
        case .assignment(let employee, let department):
            ServiceError(.unknownAssignment, "employee \(employee) has not been in department \(department)")
        }
    }
}
