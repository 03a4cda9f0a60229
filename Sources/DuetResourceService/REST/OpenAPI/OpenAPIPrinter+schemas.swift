public import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// The schemas of resources, of the inputs of writes, and of their fields.
extension OpenAPIPrinter {
    /// The schemas of the catalogue, keyed by name.
    public var schemas: JSONObject {
        var schemas = JSONObject()
        for resource in catalogue.resources { schemas[resource.type] = schema(of: resource) }
        for resource in catalogue.resources {
            if let name = groupSchema(of: resource) { schemas[name] = schema(ofGroupOf: resource) }
        }
        let paged = catalogue.resources.filter(catalogue.hasPages)
        for resource in paged { schemas["\(resource.type)Page"] = page(resource) }
        if !paged.isEmpty { schemas["PageInfo"] = Self.pageInfo }
        for field in catalogue.resources.flatMap(\.fields) {
            if case .choice(let choice) = field.type { schemas[choice.name] = schema(of: choice) }
        }
        for resource in catalogue.resources {
            schemas["\(resource.type)Field"] = [
                "type": "string", "description": .string("A field of \(resource.name)."),
                "enum": .array(resource.fields.map { .string($0.name) }),
            ]
        }
        for write in catalogue.writes where write.kind != .delete && !write.isMany && write.link == nil {
            schemas[inputName(of: write)] = input(of: write)
        }
        for nested in catalogue.nestedInputTypes { schemas[nested.name] = schema(of: nested) }
        schemas["NDJSON"] = [
            "type": "string",
            "description": "One line for each row: a JSON object with the same members as an item of the JSON array.",
        ]
        schemas["ServerSentEvents"] = [
            "type": "string",
            "description": """
            Server-sent events without an end: `value` with the representation as JSON and its entity tag as `id`, or \
            `patch`; `gone` if the row no longer exists for the caller, `error` with a problem, and `expired` if the token \
            has expired, after which no event follows.
            """,
        ]
        schemas["CSV"] = [
            "type": "string",
            "description": """
            A line with the names of the fields, then a record for each row (RFC 4180). Null is an unquoted empty field, \
            and the empty text is `""`. In a record with only one field, null is `""`, too, because many readers skip \
            blank lines.
            """,
        ]
        return schemas
    }

    // MARK: Resources

    private func schema(of resource: Resource) -> JSONValue {
        var properties = JSONObject()
        for field in resource.fields { properties[field.name] = schema(of: field) }
        for relation in resource.relations { properties[relation.name] = schema(of: relation) }
        for relation in resource.relations where relation.isToMany {
            guard properties[relation.aggregateName] == nil, let target = catalogue[relation.target],
                let group = groupSchema(of: target)
            else { continue }
            properties[relation.aggregateName] = .schema(group)
        }
        let relations = resource.relations.isEmpty ? "" : " and the relations of `details`"
        return [
            "type": "object",
            "description": .string("\(resource.description) It has the fields of `fields`\(relations)."),
            "properties": .object(properties),
        ]
    }

    private func schema(of relation: Relation) -> JSONValue {
        guard let type = catalogue[relation.target]?.type else { return [:] }
        let description = JSONValue.string(relation.description)
        let array: JSONValue = ["type": "array", "items": .schema(type)]
        switch relation.size {
        case .one(isOptional: false): return .schema(type)
        case .one(isOptional: true): return ["description": description, "oneOf": [.schema(type), ["type": "null"]]]
        case .few: return ["type": "array", "description": description, "items": .schema(type)]
        case .many: return ["description": description, "oneOf": [array, .schema("\(type)Page")]]
        }
    }

    private func page(_ resource: Resource) -> JSONValue {
        [
            "type": "object",
            "description": .string(
                "A page of attached \(resource.name), if `page` or `count` of the relation is true."),
            "required": ["nodes", "pageInfo"],
            "properties": [
                "nodes": ["type": "array", "description": "The rows.", "items": .schema(resource.type)],
                "pageInfo": .schema("PageInfo"),
                "totalCount": [
                    "type": "integer", "format": "int64",
                    "description": "The number of rows on all pages, if `count` is true.",
                ],
            ],
        ]
    }

    private static let pageInfo: JSONValue = [
        "type": "object", "description": "The position of a page in its list.",
        "required": ["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"],
        "properties": [
            "hasNextPage": ["type": "boolean", "description": "True if there are rows after this page."],
            "hasPreviousPage": ["type": "boolean", "description": "True if `after` was given."],
            "startCursor": [
                "type": ["string", "null"], "description": "The cursor of the first row; null on an empty page.",
            ],
            "endCursor": [
                "type": ["string", "null"], "description": "The cursor of the last row; null on an empty page.",
            ],
        ],
    ]

    private func schema(of choice: Choice) -> JSONValue {
        let values = choice.values.map { "`\($0.name)`: \($0.description)" }.joined(separator: " ")
        return [
            "type": "string", "description": .string("\(choice.description) \(values)"),
            "enum": .array(choice.values.map { .string($0.name) }),
        ]
    }

    // MARK: Fields

    /// Returns the schema of a field in a response.
    func schema(of field: Field) -> JSONValue {
        var object = JSONObject()
        var description = field.description
        if case .choice(let choice) = field.type {
            guard field.isNullable else { return .schema(choice.name) }
            object["oneOf"] = [.schema(choice.name), ["type": "null"]]
        } else {
            object = constraints(of: field)
            if field.type == .date, !dates.isText {
                object["type"] = "integer"
                object["format"] = "int64"
                description += " In milliseconds since 1970."
            }
            if field.isNullable, let type = object["type"] { object["type"] = [type, "null"] }
        }
        object["description"] = .string(description)
        if let example = field.example { object["examples"] = [json(example)] }
        return .object(object)
    }

    /// Returns the schema for the value of a field in a path or a query.
    func querySchema(of field: Field) -> JSONValue {
        if case .choice(let choice) = field.type { return .schema(choice.name) }
        return .object(constraints(of: field))
    }

    private func constraints(of field: Field) -> JSONObject {
        switch field.type {
        case .integer(let range):
            guard range != FieldType.wholeNumbers else { return JSONObject(["type": "integer", "format": "int32"]) }
            let isInt32 =
                FieldType.wholeNumbers.contains(range.lowerBound) && FieldType.wholeNumbers.contains(range.upperBound)
            return JSONObject([
                "type": "integer", "format": isInt32 ? "int32" : "int64", "minimum": .integer(range.lowerBound),
                "maximum": .integer(range.upperBound),
            ])
        case .bigInteger(let isUnsigned, let form):
            guard form == .string else {
                return JSONObject(["type": "integer", "format": isUnsigned ? "uint64" : "int64"])
            }
            return JSONObject(["type": "string", "pattern": isUnsigned ? "^[0-9]{1,20}$" : "^-?[0-9]{1,19}$"])
        case .number: return JSONObject(["type": "number", "format": "double"])
        case .decimal(_, let form):
            return form == .string
                ? JSONObject(["type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$"]) : JSONObject(["type": "number"])
        case .boolean: return JSONObject(["type": "boolean"])
        case .dateTime(isUTC: true, _): return JSONObject(["type": "string", "format": "date-time"])
        case .dateTime(isUTC: false, _):
            return JSONObject([
                "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?$",
            ])
        case .time: return JSONObject(["type": "string", "pattern": "^-?[0-9]{2,3}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?$"])
        case .binary: return JSONObject(["type": "string", "contentEncoding": "base64"])
        case .uuid: return JSONObject(["type": "string", "format": "uuid"])
        case .json, .any: return JSONObject()
        case .text(let length):
            var object = JSONObject(["type": "string"])
            object["maxLength"] = length.map { .integer(Int64($0)) }
            return object
        case .date: return JSONObject(["type": "string", "format": "date"])
        case .identifier(let length):
            return JSONObject(["type": "string", "pattern": .string("^[A-Za-z0-9]{1,\(length)}$")])
        case .choice: return JSONObject()
        }
    }

    // MARK: Inputs

    /// Returns the name of the schema for the body of a write.
    func inputName(of write: Write) -> String {
        let type = (try? catalogue.changedResource(of: write).type) ?? write.resource
        return switch write.kind {
        case .insert where !write.hasMutation: "NewRowOf\(write.name.dropFirst("create".count))"
        case .insert: "New\(type)"
        case .update, .delete: "\(type)Changes"
        case .upsert: "\(type)Input"
        case .replace: "\(type)Replacement"
        }
    }

    private func input(of write: Write) -> JSONValue {
        // The path of a replacement contains the key.
        let key = write.kind == .replace ? write.keyArguments.map(\.name) : []
        let shape = catalogue.inputShape(of: write)
        let required = write.input
            .filter {
                $0.isRequired && !key.contains($0.field.name) && shape?.alternative(to: $0.field) == nil
            }
            .map { JSONValue.string($0.field.name) }
        var object = JSONObject(["type": "object", "description": .string(write.description)])
        if !required.isEmpty { object["required"] = .array(required) }
        object["unevaluatedProperties"] = false
        let isDerived = write.origin == .derived
        var properties = JSONObject(
            write.input.map { ($0.field.name, isDerived ? storedSchema(of: $0) : schema(of: $0)) })
        if let shape { addNested(shape, to: &properties) }
        object["properties"] = .object(properties)
        return .object(object)
    }

    /// Returns the schema of a member of a derived write. All values are valid that responses can contain.
    private func storedSchema(of input: Write.Input) -> JSONValue {
        let field = input.field
        var object = JSONObject()
        if case .choice(let choice) = field.type {
            guard field.isNullable else { return .schema(choice.name) }
            object["oneOf"] = [.schema(choice.name), ["type": "null"]]
        } else {
            object = constraints(of: field)
            if field.isNullable, let type = object["type"] { object["type"] = [type, "null"] }
        }
        let isNumber = field.type == .date && !dates.isText
        object["description"] = .string(
            input.description
                + (isNumber ? " The number that represents it in responses is also valid." : ""))
        return .object(object)
    }

    /// The pattern of a text that is not blank and contains no control characters.
    private static let words = "^[^\\x00-\\x1F\\x7F-\\x9F]*\\S[^\\x00-\\x1F\\x7F-\\x9F]*$"

    func schema(of input: Write.Input) -> JSONValue {
        if case .choice(let choice) = input.field.type { return .schema(choice.name) }
        var object = constraints(of: input.field)
        var description = input.description
        switch input.field.type {
        case .text:
            object["minLength"] = 1
            object["pattern"] = .string(Self.words)
        case .date where !dates.isText: description += " The number that represents it in responses is also valid."
        default: break
        }
        object["description"] = .string(description)
        return .object(object)
    }
}
