import DuetJSON

/// The schemas and parameters of groups and aggregates.
extension OpenAPIPrinter {
    /// Returns the name of the schema of a group; nil if no group of the resource can be requested.
    func groupSchema(of resource: Resource) -> String? {
        resource.isAggregated ? "\(resource.type)AggregateGroup" : nil
    }

    /// Returns the schema of a group: its keys and aggregates, of which it has those that the request names.
    func schema(ofGroupOf resource: Resource) -> JSONValue {
        var properties = JSONObject()
        for (key, field) in catalogue.groupKeys(of: resource) { properties[key.name] = schema(of: field) }
        properties[Resource.countField.name] = schema(of: Resource.countField)
        for source in resource.fields {
            for function in source.aggregateFunctions {
                var field = source.aggregated(by: function)
                field.description = function.description
                field.example = nil
                properties[field.name] = schema(of: field)
            }
        }
        return [
            "type": "object",
            "description": .string(
                "A group of \(resource.name), with the keys of `group` and the aggregates of `aggregate`."),
            "properties": .object(properties),
        ]
    }

    /// Returns the schema of the response of a list, which contains rows or groups.
    func list(of resource: Resource) -> JSONValue {
        let rows: JSONValue = ["type": "array", "items": .schema(resource.type)]
        guard let group = groupSchema(of: resource) else { return rows }
        return ["anyOf": [rows, ["type": "array", "items": .schema(group)], .schema(group)]]
    }

    /// Returns the description, the schema and an example of a parameter of groups; nil for any other parameter.
    /// - Parameter subject: The name of the rows, for the description.
    func groupParameter(
        _ name: String, of resource: Resource, subject: String
    ) -> (String, JSONValue, example: JSONValue?)? {
        guard resource.isGroupParameter(name) else { return nil }
        let keys = catalogue.groupKeys(of: resource).map(\.key.name)
        switch name {
        case "group":
            return (
                """
                The keys of groups of \(subject), separated by commas: at most \(Aggregation.maximumKeys) fields, or \
                fields of to-one relations, or parts of dates (`year`, `quarter`, `month`, `week`, `day`, `hour`, \
                `weekday`). The response then has groups instead of rows.
                """, ["type": "string"], keys.first.map { .string($0) }
            )
        case "aggregate":
            return (
                """
                The values to compute from \(subject), separated by commas: `count`, or a field with a function, as in \
                `\(resource.aggregates.last?.name ?? "count")`.
                """, ["type": "string"], "count"
            )
        case "having":
            return (
                """
                A condition on the groups: a JSON object whose members are requested aggregates with operators, `and`, \
                `or` and `not`.
                """, ["type": "string"], #"{"count":{"gt":1}}"#
            )
        case "timeZone":
            return (
                "The IANA name of the time zone of the parts of points in time in `group`. The default is `UTC`.",
                ["type": "string"], "Europe/Paris"
            )
        default: return nil
        }
    }
}
