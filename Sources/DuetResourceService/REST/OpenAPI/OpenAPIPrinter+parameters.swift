import DuetJSON

/// The parameters of paths and queries. They include the operators of fields, and the parameters of the relations that
/// the parameter `details` adds to the response.
extension OpenAPIPrinter {
    package typealias Parameter = OpenAPIOperation.Parameter

    package func pathParameters(of operation: RESTOperation) -> [Parameter] {
        var parameters: [Parameter] = []
        func add(_ key: RESTOperation.PathKey, of resource: Resource) {
            for (field, name) in zip(key.fields, key.names) {
                var value = JSONObject([
                    "name": .string(name), "in": "path", "required": true,
                    "description": .string(field.description), "schema": querySchema(of: field),
                ])
                value["example"] = field.example.flatMap(queryExample)
                let component = name == field.name ? name : "\(field.name).\(name)"
                parameters.append(Parameter("\(resource.type).\(component).path", .object(value)))
            }
        }
        add(operation.key, of: operation.resource)
        add(operation.relatedKey, of: operation.shown)
        return parameters
    }

    /// Returns the query parameters for the rows in the response, for the operators of their fields, and for their
    /// relations.
    func queryParameters(of operation: RESTOperation) -> [Parameter] {
        let resource = operation.shown
        if operation.isBulkWrite {
            return operation.parameters.flatMap { $0 == "max" ? [Self.max] : parameters(named: $0, of: resource) }
        }
        return operation.parameters.flatMap { name in
            name == "first" ? [first(operation.pageSize)] : parameters(named: name, of: resource)
        }
            + resource.relations.flatMap { parameters(of: $0, resource) }
    }

    private func parameters(named name: String, of resource: Resource) -> [Parameter] {
        let type = resource.type
        if name == "details" { return [details(of: resource)] }
        if let general = general(name) { return [query(name.capitalizedFirst, name, general.0, general.1)] }
        if let own = own(name, of: resource, subject: resource.name) {
            return [query("\(type)\(name.capitalizedFirst)", name, own.0, own.1, own.example)]
        }
        if let filter = resource.filter(name) {
            return [query("\(type).\(name)", name, filter.description, schema(of: filter, resource))]
        }
        return resource.field(name).map { operators(of: $0, type) } ?? []
    }

    private func query(
        _ component: String, _ name: String, _ description: String, _ schema: JSONValue, _ example: JSONValue? = nil
    ) -> Parameter {
        var value = JSONObject([
            "name": .string(name), "in": "query", "description": .string(description), "schema": schema,
        ])
        value["example"] = example
        return Parameter(component, .object(value))
    }

    // MARK: Lists

    /// Returns the parameter `first`. Lists with the same page size share one parameter component.
    private func first(_ pageSize: Int?) -> Parameter {
        let text = pageSize.map { "JSON has a page of \($0); NDJSON and CSV have all rows" } ?? "all rows are sent"
        return query(
            "First" + (pageSize.map { $0 == ResourceService.defaultPageSize ? "" : "\($0)" } ?? "OfAll"), "first",
            "The maximum number of rows. Without it, \(text).", Self.pageSizes)
    }

    /// The parameter `max` of changes with a filter.
    private static let max = Parameter(
        "Max",
        [
            "name": "max", "in": "query",
            "description": "The maximum number of rows. If more rows match the filter, nothing is changed (409).",
            "schema": [
                "type": "integer", "format": "int32", "minimum": 1, "maximum": .integer(Int64(Change.maximumRows)),
                "default": .integer(Int64(ParameterNode.defaultMaximum)),
            ],
        ])

    private static let pageSizes: JSONValue = [
        "type": "integer", "format": "int32", "minimum": 1, "maximum": .integer(Int64(ResourceService.maximumPageSize)),
    ]

    /// Returns the description and the schema of a parameter that does not depend on the resource; nil for any other
    /// parameter.
    private func general(_ name: String) -> (String, JSONValue)? {
        switch name {
        case "after":
            return (
                "The cursor in the `Link` of the previous page. It is valid only with that page's other parameters.",
                ["type": "string"]
            )
        case "count":
            return ("True to include the number of rows on all pages in `Total-Count`.", ["type": "boolean"])
        default: return nil
        }
    }

    /// Returns the description, the schema and an example of a parameter whose values depend on the resource; nil for
    /// any other parameter.
    /// - Parameters:
    ///   - subject: The name of the rows, for the description.
    ///   - isAttached: True if the parameter `details` attaches the rows.
    private func own(
        _ name: String, of resource: Resource, subject: String, isAttached: Bool = false
    ) -> (String, JSONValue, example: JSONValue?)? {
        switch name {
        case "fields":
            return (
                "The fields of \(subject) to show. The parameter may be repeated.",
                ["type": "array", "minItems": 1, "items": .schema("\(resource.type)Field")], nil
            )
        case "sort":
            let sortsGroups = resource.isAggregated && !isAttached
            let ofGroups = sortsGroups ? " Groups are sorted by their keys and aggregates." : ""
            let related = resource.comparedRelations
            let ofRelations = related.first.map { first in
                """
                 Aggregates of \(related.map { "`\($0)`" }.joined(separator: ", ")) are values, too, as in \
                `-\(first).count`.
                """
            }
            return (
                """
                The sort order of \(subject): fields separated by commas, with a leading `-` for descending order.\
                \(ofRelations ?? "") Rows with equal values are \
                \(resource.hasKey ? "sorted by the key" : "in an arbitrary order").\(ofGroups)
                """,
                sortsGroups ? ["type": "string"] : ["type": "string", "pattern": .string(sortPattern(of: resource))],
                resource.sortFields.last.map { .string("-\($0)") } ?? related.first.map { .string("-\($0).count") }
            )
        case "filter":
            let ofRelations = resource.comparedRelations.first.map { first in
                " It can compare aggregates of related rows, as in `{\"\(first)\":{\"count\":{\"gte\":3}}}`."
            }
            return (
                """
                A condition on \(subject): a JSON object with the members of `\(resource.type)Filter` in the GraphQL \
                schema. No member may be null, and no object in it may be empty.\(ofRelations ?? "")
                """,
                ["type": "string"], filterExample(of: resource)
            )
        default: return groupParameter(name, of: resource, subject: subject)
        }
    }

    /// Returns the pattern of the parameter `sort`. It permits the aggregates of all fields, because a list of the
    /// valid ones would be long.
    private func sortPattern(of resource: Resource) -> String {
        let functions = AggregateFunction.allCases.map(\.rawValue).joined(separator: "|")
        let related = resource.comparedRelations.map { "\($0)\\.(count|[A-Za-z_][A-Za-z0-9_]*\\.(\(functions)))" }
        let names = (resource.sortFields + related).joined(separator: "|")
        return "^-?(\(names))(,-?(\(names)))*$"
    }

    private func filterExample(of resource: Resource) -> JSONValue? {
        guard let field = resource.fields.first(where: { $0.example != nil }), let example = field.example else {
            return nil
        }
        let filter: JSONValue = ["or": [[field.name: ["eq": queryExample(example) ?? .null]]]]
        return .string(filter.compactText)
    }

    private func details(of resource: Resource) -> Parameter {
        let names = resource.relations.map(\.name)
        let list = resource.relations.map { "`\($0.name)`" }.joined(separator: ", ")
        return query(
            "\(resource.type)Details", "details",
            """
            The relations to attach: \(list). A relation of a related row follows a dot, as in `relation.nested`. The \
            parameter may be repeated. A parameter for the rows of a relation has the name of the relation and a dot \
            as a prefix, as in `\(names[0]).fields`. This includes the operators of fields. CSV does not support relations.
            """,
            [
                "type": "array", "minItems": 1,
                "items": [
                    "type": "string",
                    "pattern": .string("^(\(names.joined(separator: "|")))(\\.[A-Za-z0-9]+)*$"),
                ],
            ], .array([.string(names[0])]))
    }

    // MARK: Fields

    /// The schema of a pattern.
    private static let pattern: JSONValue = ["type": "string", "minLength": 1, "maxLength": 64]

    /// Returns the parameters of a field: one parameter without an operator, and one for each operator.
    private func operators(of field: Field, _ type: String) -> [Parameter] {
        let schema = querySchema(of: field)
        var parameters = [
            query(
                "\(type).\(field.name)", field.name, "`\(field.name)` is equal to this.", schema,
                field.example.flatMap(queryExample))
        ]
        for comparison in field.type.comparisons where comparison != .equal {
            let schema: JSONValue =
                switch comparison {
                case .in: ["type": "array", "minItems": 1, "items": schema]
                case .like: Self.pattern
                default: schema
                }
            let verb = comparison == .like ? "" : "is "
            let name = "\(field.name).\(comparison.rawValue)"
            let text = comparison.description.prefix(1).lowercased() + comparison.description.dropFirst()
            parameters.append(query("\(type).\(name)", name, "`\(field.name)` \(verb)\(text)", schema))
        }
        if field.isNullable {
            let name = "\(field.name).null"
            parameters.append(
                query(
                    "\(type).\(name)", name, "True if `\(field.name)` is null, false if it is not null.",
                    ["type": "boolean"]))
        }
        return parameters
    }

    private func schema(of filter: NamedFilter, _ resource: Resource) -> JSONValue {
        if case .compare(_, .like) = filter.meaning { return Self.pattern }
        return catalogue.field(of: filter, resource).map(querySchema) ?? ["type": "boolean"]
    }

    // MARK: Relations

    /// Returns the parameters of an attached relation. They do not include parameters with an operator, or parameters
    /// of further relations.
    private func parameters(of relation: Relation, _ resource: Resource) -> [Parameter] {
        guard let target = catalogue[relation.target] else { return [] }
        let names = ParameterNode.parameters(
            of: target, by: relation, isItem: !relation.isToMany, isAttached: true)
        return names.compactMap { name in
            let component = "\(resource.type).\(relation.name).\(name)"
            let full = "\(relation.name).\(name)"
            func query(_ description: String, _ schema: JSONValue) -> Parameter {
                self.query(component, full, description, schema)
            }
            let subject = "`\(relation.name)`"
            switch name {
            case "first":
                guard target.isAggregated else {
                    return query("The maximum number of \(subject).", Self.pageSizes)
                }
                return query(
                    "The maximum number of \(subject). With `\(relation.name).aggregate`, it can be 0.",
                    [
                        "type": "integer", "format": "int32", "minimum": 0,
                        "maximum": .integer(Int64(ResourceService.maximumPageSize)),
                    ])
            case "after": return query("The `endCursor` of the previous page of \(subject).", ["type": "string"])
            case "page":
                return query(
                    "True to show \(subject) as a page, an object with `nodes` and `pageInfo`.", ["type": "boolean"])
            case "count": return query("True to show \(subject) as a page with `totalCount`.", ["type": "boolean"])
            default:
                if let own = own(name, of: target, subject: subject, isAttached: true) { return query(own.0, own.1) }
                return target.filter(name).map { query("\(subject): \($0.description)", schema(of: $0, target)) }
            }
        }
    }

    // MARK: Conditions

    /// Returns the request header fields with the preconditions of an operation.
    func conditions(of operation: RESTOperation) -> [Parameter] {
        switch operation.write?.kind {
        case nil: [.ifNoneMatch]
        // Several rows have no common entity tag.
        case _ where operation.isBulkWrite: []
        // A new row has no state with which the tag could be compared.
        case .insert where operation.relation == nil || operation.showsNewRow: []
        case .insert, .update, .delete: [.ifMatch]
        case .upsert, .replace: [.ifMatch, .ifNoneMatch]
        }
    }
}

extension OpenAPIOperation.Parameter {
    /// The header field `If-None-Match`.
    public static let ifNoneMatch = OpenAPIOperation.Parameter(
        "IfNoneMatch",
        [
            "name": "If-None-Match", "in": "header",
            "description": "Entity tags of the representations that the client has.", "schema": ["type": "string"],
            "example": "\"qGv3ATn8jqEP-5CzZzIKHB\"",
        ])

    /// The header field `If-Match`.
    public static let ifMatch = OpenAPIOperation.Parameter(
        "IfMatch",
        [
            "name": "If-Match", "in": "header",
            "description":
                "A list of entity tags. The representation must have one of them. `*` permits any representation.",
            "schema": ["type": "string"], "example": "\"qGv3ATn8jqEP-5CzZzIKHB\"",
        ])
}
