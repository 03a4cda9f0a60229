import DuetJSON

/// The preferences of writes that follow from the rules of resources, and imports.
extension OpenAPIPrinter {
    func preferences(of operation: RESTOperation) -> [Parameter] {
        operation.write?.origin == .derived ? [.prefer] : []
    }

    /// Adds the responses that depend on preferences or on the type of the body.
    func preferred(_ responses: [Response], _ operation: RESTOperation) -> [Response] {
        guard let write = operation.write, write.origin == .derived else { return responses }
        var responses = responses
        // The response to a removal is the same for all resources, and it has no body.
        for index in responses.indices where write.kind != .delete {
            responses[index].headers.append("Preference-Applied")
        }
        if write.acceptsImports { responses.append(.imported) }
        if write.kind == .update || write.acceptsImports { responses.append(.minimal) }
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
}

extension OpenAPIOperation.Response {
    /// The response to an import.
    static let imported = OpenAPIOperation.Response(
        "200", "ImportOfRows", "The rows of NDJSON or CSV were added.",
        headers: [
            "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID",
            "Preference-Applied",
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
    static let minimal = OpenAPIOperation.Response(
        "204", "WriteWithoutBody", "The write took effect; the request prefers a response without a body.",
        headers: [
            "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID",
            "Preference-Applied",
        ])
}
