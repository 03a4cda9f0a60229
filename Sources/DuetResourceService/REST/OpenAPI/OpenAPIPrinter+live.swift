import DuetJSON

/// Reads that a client watches: server-sent events, and reads that wait for a change.
extension OpenAPIPrinter {
    /// Returns the parameters with which a client watches a read.
    func liveParameters(of operation: RESTOperation) -> [Parameter] {
        operation.write == nil ? [.wait, .since, .lastEventID, .preferPatch] : []
    }

    /// Returns the responses to a read, with the forms for a client that watches it.
    func live(_ responses: [Response], _ operation: RESTOperation) -> [Response] {
        guard operation.write == nil else { return responses }
        return responses.flatMap { response in
            guard response.status == "200" else { return [response] }
            var response = response
            response.headers.append("Preference-Applied")
            response.content["text/event-stream"] = ["schema": .schema("ServerSentEvents")]
            return [response, .unchanged]
        }
    }
}

extension OpenAPIOperation.Parameter {
    static let wait = OpenAPIOperation.Parameter(
        "Wait",
        [
            "name": "wait", "in": "query",
            "description": """
            The maximum time in seconds for which the server waits until the representation differs from that of `since`. \
            Without `since`, it waits for the next change.
            """, "schema": ["type": "integer", "format": "int32", "minimum": 0, "maximum": 60],
        ])

    static let since = OpenAPIOperation.Parameter(
        "Since",
        [
            "name": "since", "in": "query",
            "description": "The entity tag of the client's representation, with or without quotes. It requires `wait`.",
            "schema": ["type": "string"],
        ])

    static let lastEventID = OpenAPIOperation.Parameter(
        "LastEventID",
        [
            "name": "Last-Event-ID", "in": "header",
            "description": """
            For `text/event-stream`: the identifier of the last event. If the representation has not changed, the first \
            event follows the next change.
            """, "schema": ["type": "string"],
        ])

    static let preferPatch = OpenAPIOperation.Parameter(
        "PreferPatch",
        [
            "name": "Prefer", "in": "header",
            "description": """
            With `patch=json`, later events of `text/event-stream` are JSON patches (RFC 6902) if these are shorter than \
            the representation.
            """, "schema": ["type": "string"], "example": "patch=json",
        ])
}

extension OpenAPIOperation.Response {
    /// The response to a read that has waited.
    static let unchanged = OpenAPIOperation.Response(
        "204", "Unchanged", "The representation has not changed within the time of `wait`.",
        headers: ["Cache-Control", "Vary", "X-Request-ID"])
}
