public import DuetJSON

/// The header fields of responses.
extension OpenAPIPrinter {
    /// The names of the header fields of a response with rows.
    static let headerNames = [
        "ETag", "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID",
        "Duet-Mismatches",
    ]

    /// The Header Objects of responses, keyed by name.
    public var headers: JSONObject {
        let resource = catalogue.resources.first { $0.isEntity && $0.keyFields.allSatisfy { $0.example != nil } }
        let keys = (resource?.keyFields ?? []).compactMap(\.example).compactMap(queryExample).map { value in
            if case .string(let text) = value { text } else { value.compactText }
        }
        let list = resource.map { "/\($0.name)" } ?? "/"
        let item = ([list] + keys).joined(separator: "/")
        let entity = ([resource?.type ?? ""] + keys).joined(separator: ":")
        let uri: JSONValue = ["type": "string", "format": "uri-reference"]
        var headers = JSONObject([
            "ETag": header(
                "The strong entity tag of the representation. A stream has none.", "\"qGv3ATn8jqEP-5CzZzIKHB\""),
            "Cache-Control": header(
                """
                The seconds for which caches may use the response: `max-age=…, public` on reads, with `s-maxage` and \
                `stale-while-revalidate` if they are configured, or `public, no-cache`; `no-store` on streams, on \
                responses to writes and on problems.
                """, "max-age=60, public"),
            "Surrogate-Key": header(
                """
                The entities that the response shows or the write has changed, separated by spaces. A type without a \
                key means that the response depends on the set of all entities of the type, or shows too many of them.
                """, entity),
            "Cache-Tag": header("The entities of `Surrogate-Key`, separated by commas.", entity),
            "Vary": header("The header fields of the request that the response depends on.", "Accept, Accept-Encoding"),
            "Server-Timing": header(
                """
                The milliseconds of parsing, planning, the database (`desc` is the number of statements) and encoding. \
                A stream has only the values that are known when it begins.
                """, #"parse;dur=0.021, plan;dur=0.012, sql;dur=0.187;desc="3", encode;dur=0.009"#),
            "X-Request-ID": header("The identifier of the request, as in the logs.", "5f2c1a9e4b7d4c0d"),
            "Link": header(
                "The next page; absent on the last page.", "<\(list)?first=2&after=WzEwMDAyXQ>; rel=\"next\""),
            "Total-Count": [
                "description":
                    "The number of rows on all pages, if `count` is true. A list of rows without a key has no `Link`; it has this field if more rows exist.",
                "schema": ["type": "integer", "format": "int64", "minimum": 0], "example": 300_024,
            ],
            "Duet-Mismatches": [
                "description":
                    "The number of values that are null because the stored values do not have the type of their field; absent if there are none. A stream has no such field.",
                "schema": ["type": "integer", "minimum": 1], "example": 2,
            ],
            "Location": header("The path of the new row.", item, uri),
            "Content-Location": header(
                "The URL to which the body and the `ETag` belong. It is present only if the query of the request makes it differ from `Location`.",
                "\(item)?fields=\(resource?.defaultFields.first ?? "")", uri),
            "Preference-Applied": header(
                "The preferences in `Prefer` that were applied; absent if there are none.",
                catalogue.hasDerivedWrites ? "return=minimal" : "patch=json"),
        ])
        if catalogue.hasDerivedWrites {
            headers["Idempotency-Replayed"] = header(
                "`true` if an earlier request with the same idempotency key has made the changes; otherwise absent.",
                "true")
        }
        return headers
    }

    private func header(
        _ description: String, _ example: String, _ schema: JSONValue = ["type": "string"]
    ) -> JSONValue {
        ["description": .string(description), "schema": schema, "example": .string(example)]
    }
}
