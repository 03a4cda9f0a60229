import DuetJSON

/// The responses that are not problem documents (RFC 9457).
extension OpenAPIPrinter {
    typealias Response = OpenAPIOperation.Response

    func responses(of operation: RESTOperation) -> [Response] {
        let (shown, relation) = (operation.shown, operation.relation)
        let listName = relation.map { operation.resource.type + $0.name.capitalizedFirst }
        switch operation.write?.kind {
        case nil where operation.isList:
            return [
                Response(
                    "200", listName ?? operation.resource.name.capitalizedFirst,
                    relation?.description ?? "The \(operation.resource.name).",
                    headers: Self.headerNames + ["Link", "Total-Count"], content: list(of: shown, by: relation)),
                .notModified,
            ]
        case nil:
            return [
                Response(
                    "200", shown.type, shown.description, headers: Self.headerNames,
                    content: object(of: shown, by: relation)), .notModified,
            ]
        case _ where operation.isLink: return operation.write?.kind == .delete ? [.deleted] : [.linked, .existing]
        case _ where operation.isBulkWrite:
            return [.changed(operation.write?.kind == .delete ? "deleted" : "updated")]
        case .insert where operation.write?.acceptsList == true:
            return [createdRows(of: shown)]
        case .insert where relation == nil || operation.showsNewRow:
            return [created(shown.type, "The new \(shown.singular).", object(of: shown))]
        case .update: return [updated(shown.type, "The changed \(shown.singular).", object(of: shown))]
        case .delete: return [.deleted]
        case .insert:
            let name = relation?.name ?? shown.name
            let json = list(of: shown, by: relation).members.prefix(1).map { ($0.key, $0.value) }
            return [
                created(
                    listName ?? name, "All \(name), with the new \(shown.singular).", JSONObject(json))
            ]
        case .upsert:
            let content = object(of: shown, by: relation)
            return [
                updated(shown.type, "The changed \(shown.singular).", content),
                created(shown.type, "The new \(shown.singular).", content),
            ]
        case .replace:
            return [
                updated("\(shown.type)Put", "The replaced \(shown.singular).", object(of: shown)),
                created("\(shown.type)Put", "The new \(shown.singular).", object(of: shown)),
            ]
        }
    }

    /// Returns the response to the creation of a row, or of a list of rows.
    private func createdRows(of resource: Resource) -> Response {
        var response = created(
            resource.type, "The new \(resource.singular) or, for a list, all new \(resource.name).",
            object(of: resource))
        let row = JSONValue.schema(resource.type)
        var media = JSONObject(["schema": ["oneOf": [row, ["type": "array", "items": row]]]])
        media["example"] = response.content["application/json"]?["example"]
        response.content["application/json"] = .object(media)
        return response
    }

    private func created(_ name: String, _ description: String, _ content: JSONObject) -> Response {
        Response(
            "201", "\(name)Created", description, headers: Self.headerNames + ["Location", "Content-Location"],
            content: content)
    }

    private func updated(_ name: String, _ description: String, _ content: JSONObject) -> Response {
        Response("200", "\(name)Updated", description, headers: Self.headerNames, content: content)
    }

    // MARK: Content

    private func object(of resource: Resource, by relation: Relation? = nil) -> JSONObject {
        JSONObject(["application/json": media(.schema(resource.type), resource, relation) { .object($0) }])
    }

    private func list(of resource: Resource, by relation: Relation? = nil) -> JSONObject {
        var ndjson = JSONObject(["schema": .schema("NDJSON")])
        var csv = JSONObject(["schema": .schema("CSV")])
        if let example = example(of: resource, by: relation) {
            ndjson["example"] = .string(JSONValue.object(example).compactText + "\n")
            csv["example"] = .string(self.csv(example))
        }
        return JSONObject([
            "application/json": media(list(of: resource), resource, relation, { [.object($0)] }),
            "application/x-ndjson": .object(ndjson), "text/csv": .object(csv),
        ])
    }

    private func media(
        _ schema: JSONValue, _ resource: Resource, _ relation: Relation?, _ wrap: (JSONObject) -> JSONValue
    ) -> JSONValue {
        var media = JSONObject(["schema": schema])
        // A media type has only one example, because openapi-generator warns about several examples.
        let detailed = relation == nil ? detailedExample(of: resource) : nil
        media["example"] = (detailed ?? example(of: resource, by: relation)).map(wrap)
        return .object(media)
    }
}

extension OpenAPIOperation.Response {
    /// The response to a conditional read of a representation that has not changed.
    public static let notModified = OpenAPIOperation.Response(
        "304", "NotModified", "The representation still has the entity tag of `If-None-Match`.",
        headers: ["ETag", "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "X-Request-ID"])

    /// Returns the response to a change of all rows that match a filter.
    /// - Parameter member: The name of the member with the number of rows.
    static func changed(_ member: String) -> OpenAPIOperation.Response {
        let count: JSONValue = [
            "type": "integer", "format": "int32", "minimum": 0, "description": "The number of rows.",
        ]
        let example: JSONValue = 7
        let media: JSONValue = [
            "schema": [
                "type": "object", "required": [.string(member)],
                "properties": .object(JSONObject([(member, count)])),
            ], "example": .object(JSONObject([(member, example)])),
        ]
        return OpenAPIOperation.Response(
            "200", "Rows\(member.capitalizedFirst)", "The number of \(member) rows.",
            headers: ["Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID"],
            content: JSONObject(["application/json": media]))
    }

    /// The response to a new link.
    static let linked = OpenAPIOperation.Response(
        "201", "LinkCreated", "The rows were linked.",
        headers: ["Location", "Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID"])

    /// The response to an existing link.
    static let existing = OpenAPIOperation.Response(
        "204", "LinkExists", "The rows were already linked.",
        headers: ["Cache-Control", "Surrogate-Key", "Cache-Tag", "Vary", "Server-Timing", "X-Request-ID"])

    /// The response to a removal.
    static let deleted = OpenAPIOperation.Response(
        "204", "Deleted", "The row was removed.",
        headers: ["Cache-Control", "Surrogate-Key", "Cache-Tag", "Server-Timing", "X-Request-ID"])
}
