extension ServiceError {
    /// The kind of an error: the code, and the properties that all errors of this kind have in common. A server creates
    /// its error responses and their documentation from these properties.
    public struct Code: RawRepresentable, Sendable {
        /// The code in REST responses, such as `unknown-parameter`.
        public let rawValue: String
        /// The status of an HTTP response with the error, such as 400.
        public let status: Int
        /// A short title, such as "Unknown parameter".
        public let title: String
        /// A text for the documentation that says when the error occurs, and what the client can do.
        public let explanation: String
        /// The number of seconds after which a retry may succeed; nil if a retry of the same request is not expected to
        /// succeed.
        public let retryAfter: Int?
        /// The noun of ``unknown(_:)``; nil for any other code.
        public let missingNoun: String?

        /// Creates a code. A custom code has the other properties of ``internalError``.
        public init(rawValue: String) {
            if let known = (Self.known + Self.derivedWrites).first(where: { $0.rawValue == rawValue }) {
                self = known
            } else if rawValue.hasPrefix(Self.unknownPrefix) {
                self = .unknown(String(rawValue.dropFirst(Self.unknownPrefix.count)))
            } else {
                let error = Self.internalError
                self.init(rawValue, error.status, error.title, error.explanation)
            }
        }

        /// Creates the code of a kind of error. A server declares the errors that occur before it calls the service.
        package init(
            _ code: String, _ status: Int, _ title: String, _ explanation: String, retryAfter: Int? = nil,
            missingNoun: String? = nil
        ) {
            rawValue = code
            self.status = status
            self.title = title
            self.explanation = explanation
            self.retryAfter = retryAfter
            self.missingNoun = missingNoun
        }

        private static let unknownPrefix = "unknown-"

        /// The permission of the caller's role needs a claim that the token does not have.
        public static let claimMissing = Code(
            "claim-missing", 403, "Claim missing",
            "The rules of the caller's role for this request use a claim that the token does not have, or that is null. `detail` names it. Request a token with this claim."
        )
        /// The permission of the caller's role compares a claim with a field of another type.
        public static let claimMismatch = Code(
            "claim-mismatch", 403, "Claim mismatch",
            "The rules of the caller's role for this request use a claim whose value has the wrong type in the token. `detail` names it. Request a token with a value of the expected type."
        )
        /// The query parameter or argument does not exist.
        public static let unknownParameter = Code(
            "unknown-parameter", 400, "Unknown parameter",
            "The path does not support this query parameter. `allowed` lists the valid parameters.")
        /// The query parameter occurs more than once.
        public static let repeatedParameter = Code(
            "repeated-parameter", 400, "Repeated parameter",
            "A parameter with a single value was given more than once.")
        /// The value of a query parameter or argument is invalid.
        public static let invalidParameter = Code(
            "invalid-parameter", 400, "Invalid parameter",
            "The value of a parameter is invalid. `allowed` lists the valid values if there are only a few.")
        /// A condition of a filter is an object or a list without members.
        public static let emptyFilter = Code(
            "empty-filter", 400, "Empty filter",
            "A condition of a filter is an object or a list without members. `parameter` names the condition. Complete it, or omit it; only the whole filter can be empty."
        )
        /// The cursor does not belong to the list.
        public static let invalidCursor = Code(
            "invalid-cursor", 400, "Invalid cursor",
            "`after` is not a cursor of this list. Use the cursor in the Link header of the previous page.")
        /// The body is not a JSON object.
        public static let malformedBody = Code(
            "malformed-body", 400, "Malformed body", "The body is not JSON, or not a JSON object.")
        /// Returns the code for a row that does not exist. The noun is the singular name of the resource, such as
        /// `employee`.
        public static func unknown(_ noun: String) -> Code {
            Code(
                unknownPrefix + noun, 404, "Unknown \(noun)", "There is no \(noun) with this key.", missingNoun: noun)
        }
        /// The write conflicts with the existing data.
        public static let conflict = Code(
            "conflict", 409, "Conflict",
            "The request conflicts with existing data. `key` names the key that already exists.")
        /// The current state does not match the precondition of the write.
        public static let preconditionFailed = Code(
            "precondition-failed", 412, "Precondition failed",
            "The current state of the resource does not satisfy If-Match or If-None-Match. Read it again.")
        /// The values of members of the body are invalid.
        public static let validationFailed = Code(
            "validation-failed", 422, "Validation failed",
            "The body is JSON but has invalid members. `errors` lists them.")
        /// The row after the write, or the row before it, does not satisfy the rules for the caller.
        public static let writeNotPermitted = Code(
            "write-not-permitted", 403, "Write not permitted",
            "The caller may read the row, but the rules for writes do not permit this change.")
        /// The write refers to a row that does not exist.
        public static let referenceMissing = Code(
            "reference-missing", 422, "Reference missing",
            "The body refers to a row that does not exist. `errors` lists the members. Create the row first, or refer to another row."
        )
        /// Other rows refer to the row.
        public static let rowInUse = Code(
            "row-in-use", 409, "Row in use",
            "Other rows refer to the row, so it cannot be removed. Remove or change these rows first. `relation` names the relation to them, if the caller sees it."
        )
        /// The write violates a constraint of the database, such as a CHECK.
        public static let constraintViolated = Code(
            "constraint-violated", 422, "Constraint violated",
            "The values violate a rule of the database. `detail` names it.")
        /// A member of the body differs from the key in the path.
        public static let keyDiffers = Code(
            "key-differs", 422, "Key differs",
            "The body contains a key that differs from the key in the path. `errors` lists the members. Omit them, or change the path."
        )
        /// The body of a batch is invalid, or one of its requests cannot be a part of a batch.
        public static let invalidBatch = Code(
            "invalid-batch", 400, "Invalid batch",
            "The body of a batch is invalid, or one of its requests cannot be a part of a batch. `detail` says why, and `request` names the request."
        )

        /// The idempotency key is not valid.
        public static let idempotencyKeyInvalid = Code(
            "idempotency-key-invalid", 400, "Idempotency key invalid",
            "The idempotency key is not valid. Over REST, it is a quoted string in one field Idempotency-Key. In GraphQL, it is the string extensions.idempotencyKey, for a mutation with one field or with @transaction."
        )
        /// The database has no table for idempotency keys.
        public static let idempotencyUnavailable = Code(
            "idempotency-unavailable", 400, "Idempotency unavailable",
            "The database has no table for idempotency keys, and nothing was written. The operator creates the table with: duet prepare --database URL."
        )
        /// The first request with the idempotency key has not ended.
        public static let idempotencyKeyInUse = Code(
            "idempotency-key-in-use", 409, "Idempotency key in use",
            "The first request with this idempotency key has not ended. Repeat the request later with the same key.",
            retryAfter: 1)
        /// A different request has used the idempotency key.
        public static let idempotencyKeyReused = Code(
            "idempotency-key-reused", 422, "Idempotency key reused",
            "Another request with different content had this idempotency key. Send a new key for a new request.")
        /// The token of a request with an idempotency key does not identify the caller.
        public static let subjectMissing = Code(
            "subject-missing", 400, "Subject missing",
            "An idempotency key belongs to a caller, and the request has no token with the claim `sub`. Send a token with this claim, or omit the key."
        )

        /// A change of all rows that match a filter has no condition.
        public static let filterRequired = Code(
            "filter-required", 400, "Filter required",
            "A change of all rows that match a filter needs at least one condition. Add one.")
        /// More rows match the filter of a change than the request permits.
        public static let tooManyRows = Code(
            "too-many-rows", 409, "Too many rows",
            "More rows match the filter than `max` permits, and nothing was changed. Narrow the filter, or increase `max`."
        )

        /// The response would exceed the size limit of the server.
        public static let answerTooLarge = Code(
            "answer-too-large", 422, "Response too large",
            "The response exceeds the size limit of the server. Request fewer rows or fields.")
        /// A statement would examine more rows than the server permits.
        public static let scanTooLarge = Code(
            "scan-too-large", 422, "Scan too large",
            "To answer the request, the database would examine more rows than the server permits, for example because no index serves its order or its filter. `detail` says which index or filter would help."
        )
        /// A value in the database does not have the declared type of its field.
        public static let valueMismatch = Code(
            "value-mismatch", 500, "Value type mismatch",
            "A value in the database does not have the type that the API declares for its field. `detail` names the field and the value."
        )
        /// Any other error. The log contains the details.
        public static let internalError = Code(
            "internal-error", 500, "Internal error",
            "An internal error occurred. The server's log contains the details under the request's ID.")
        /// The database cannot be reached, is damaged, or lacks a table or column that the API describes. This is also
        /// the code for a canceled request.
        public static let databaseUnavailable = Code(
            "database-unavailable", 503, "Database unavailable",
            "The database cannot be reached at the moment. Try again later.", retryAfter: 5)
        /// Too many requests wait for the database, or the database is locked.
        public static let overloaded = Code(
            "overloaded", 503, "Overloaded", "Too many requests wait for the database. Try again later.", retryAfter: 1)
        /// The database did not respond in time.
        public static let queryTimeout = Code(
            "query-timeout", 504, "Query timeout",
            "The database did not respond within the server's time limit. A write had no effect. Request less data.")
        /// A write was sent, but the database did not confirm it.
        public static let outcomeUnknown = Code(
            "outcome-unknown", 504, "Outcome unknown",
            "The write was sent to the database, which did not confirm it. It may have taken effect: read the resource before you send it again."
        )
        /// The database has no space left.
        public static let databaseFull = Code(
            "database-full", 507, "Database full",
            "The database is full. Nothing was written. The operator must free space.")
        /// The database accepts no writes.
        public static let databaseReadOnly = Code(
            "database-read-only", 503, "Database read-only",
            "The database does not accept writes at the moment. Nothing was written; reads may still work. Try again later.",
            retryAfter: 30)
        /// The database cannot read or write its files.
        public static let databaseIOError = Code(
            "database-io-error", 503, "Database I/O error",
            "The database cannot read or write its files at the moment. A write had no effect. Try again later.",
            retryAfter: 30)

        /// The codes of the service, except ``derivedWrites`` and those of ``unknown(_:)``.
        package static let known: [Code] = [
            unknownParameter, repeatedParameter, invalidParameter, emptyFilter, invalidCursor, malformedBody, conflict,
            preconditionFailed, validationFailed, claimMissing, claimMismatch, answerTooLarge, scanTooLarge,
            valueMismatch,
            internalError, databaseUnavailable, overloaded, queryTimeout, outcomeUnknown, databaseFull,
            databaseReadOnly, databaseIOError,
        ]

        /// The codes of writes that follow from the rules of resources.
        package static let derivedWrites: [Code] = [
            filterRequired, writeNotPermitted, rowInUse, tooManyRows, referenceMissing, constraintViolated, keyDiffers,
            invalidBatch, idempotencyKeyInvalid, idempotencyUnavailable, idempotencyKeyInUse, idempotencyKeyReused,
            subjectMissing,
        ]

        /// True if the idempotency key of a request was refused.
        package var isOfIdempotencyKeys: Bool {
            [
                .idempotencyKeyInvalid, .idempotencyUnavailable, .idempotencyKeyInUse, .idempotencyKeyReused,
                .subjectMissing,
            ].contains(self)
        }

        /// True if the service does not declare the code.
        package var isCustom: Bool {
            !Self.known.contains(self) && !Self.derivedWrites.contains(self) && missingNoun == nil
        }

        /// The code in GraphQL responses, such as `UNKNOWN_PARAMETER`.
        package var graphQLCode: String { rawValue.uppercased().replacing("-", with: "_") }
    }
}

extension ServiceError.Code: Hashable {
    /// Returns true if the codes have the same raw value and are of the same kind. A resource can have the noun
    /// `parameter`, so the code of a missing row can have the raw value of another code.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue == right.rawValue && left.missingNoun == right.missingNoun
    }

    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
