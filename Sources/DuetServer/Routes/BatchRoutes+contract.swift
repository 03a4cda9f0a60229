import DuetJSON
import DuetResourceService
import HTTPTypes

/// The route of batches, and its description in the OpenAPI document.
extension BatchRoutes {
    /// The route. It exists only if writes follow from the rules of resources.
    static let route = Route(
        .post, "/batch", "Several writes in one transaction: all of them, or none", .batch,
        RouteContract(
            "postBatch", .batch,
            description: """
                Performs up to \(maximumRequests) writes in one transaction. If one of them fails, none has an effect, \
                and the response is the problem of this request, with its `id` in the member `request`. A path can \
                contain the key of the row of an earlier request as `{id}`, in place of the whole segment: \
                `/orders/{a}`. In a body, `{"ref":"a"}` is such a row, as the value of a to-one relation. One \
                `Idempotency-Key` applies to the whole batch.
                """,
            body: [
                "required": true,
                "content": [
                    "application/json": [
                        "schema": [
                            "type": "object", "required": ["requests"], "unevaluatedProperties": false,
                            "properties": [
                                "requests": [
                                    "type": "array", "description": "The requests, in the order of their execution.",
                                    "minItems": 1, "maxItems": .integer(Int64(maximumRequests)),
                                    "items": .schema("BatchRequest"),
                                ]
                            ],
                        ]
                    ]
                ],
            ],
            .own(
                "BatchResponses", "The responses, in the order of the requests.",
                [
                    (
                        "application/json",
                        [
                            "type": "object", "required": ["responses"],
                            "properties": ["responses": ["type": "array", "items": .schema("BatchResponse")]],
                        ]
                    )
                ], isTagged: false),
            errors: [
                .minimal,
                OpenAPIOperation.Response(
                    "404", "BatchRowNotFound", "A row that a request of the batch names does not exist.",
                    headers: ["Cache-Control", "Vary", "X-Request-ID"],
                    content: JSONObject(["application/problem+json": ["schema": .schema("Problem")]])),
            ],
            problems: [
                .invalidBatch, .malformedBody, .validationFailed, .conflict, .writeNotPermitted, .referenceMissing,
                .rowInUse, .constraintViolated, .filterRequired, .tooManyRows, .idempotencyKeyInvalid,
                .idempotencyUnavailable, .idempotencyKeyInUse,
                .idempotencyKeyReused, .invalidParameter, .repeatedParameter, .outcomeUnknown, .databaseFull,
                .databaseReadOnly, .answerTooLarge, .databaseUnavailable, .databaseIOError, .queryTimeout,
                .valueMismatch,
            ]))
}
