import DuetJSON

/// The preferences of writes that follow from the rules of resources, and imports.
extension OpenAPIPrinter {
    func preferences(of operation: RESTOperation) -> [Parameter] {
        operation.write?.origin == .derived ? [.prefer, .idempotencyKey] : []
    }

    /// The problems of requests with idempotency keys.
    var idempotencyProblems: [ServiceError.Code] {
        [.idempotencyKeyInvalid, .idempotencyUnavailable, .idempotencyKeyInUse, .idempotencyKeyReused]
            + (catalogue.view == .whole ? [] : [.subjectMissing])
    }

    /// Adds the responses that depend on preferences or on the type of the body.
    func preferred(_ responses: [Response], _ operation: RESTOperation) -> [Response] {
        guard let write = operation.write, write.origin == .derived else { return responses }
        var responses = responses
        let hasBody = write.kind != .delete || write.isMany
        for index in responses.indices {
            responses[index].headers += ["Preference-Applied", "Idempotency-Replayed"]
            // The response to the removal of a row is one component for all resources with derived writes.
            if !hasBody { responses[index].component = "RowDeleted" }
        }
        if write.acceptsImports { responses.append(.imported) }
        if hasBody, write.kind != .insert || write.acceptsImports { responses.append(.minimal) }
        return responses
    }
}

extension Write {
    /// True if the write also creates many rows from NDJSON or CSV.
    package var acceptsImports: Bool { origin == .derived && kind == .insert && place == .list }
}

extension OpenAPIOperation.Parameter {
    /// The header field `Prefer` of writes.
    static let prefer = OpenAPIOperation.Parameter(
        "Prefer",
        [
            "name": "Prefer", "in": "header",
            "description": """
            Preferences (RFC 7240). `return=minimal` omits the body of the response. `tx=rollback` performs the write \
            and responds as usual, but stores nothing. `Preference-Applied` lists the preferences that were applied.
            """, "schema": ["type": "string"], "example": "return=minimal",
        ])

    /// The header field `Idempotency-Key` of writes.
    package static let idempotencyKey = OpenAPIOperation.Parameter(
        "IdempotencyKey",
        [
            "name": "Idempotency-Key", "in": "header",
            "description": """
            A key in quotes. If the request is sent again with the same key, the write does not take effect again, and \
            the response is that of the first request, with `Idempotency-Replayed: true`. The server accepts keys only if \
            the operator has prepared the database for them.
            """, "schema": ["type": "string", "minLength": 3],
            "example": "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"",
        ])
}

extension OpenAPIOperation.Response {
    /// The response to an import.
    static let imported = OpenAPIOperation.Response(
        "200", "ImportOfRows", "The rows of NDJSON or CSV were added.",
        headers: [
            "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID",
            "Preference-Applied", "Idempotency-Replayed",
        ],
        content: JSONObject([
            "application/json": [
                "schema": [
                    "type": "object",
                    "properties": [
                        "created": [
                            "type": "integer", "format": "int64", "minimum": 0,
                            "description": "The number of new rows.",
                        ]
                    ], "required": ["created"],
                ], "example": ["created": 1_000],
            ]
        ]))

    /// The response to a write with `Prefer: return=minimal`.
    package static let minimal = OpenAPIOperation.Response(
        "204", "WriteWithoutBody", "The write took effect; the request prefers a response without a body.",
        headers: [
            "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID",
            "Preference-Applied", "Idempotency-Replayed",
        ])
}
