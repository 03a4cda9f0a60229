import DuetJSON

/// The JSON Schema of descriptions (JSON Schema, draft 2020-12). Editors use it for completion and validation.
public enum DescriptionSchema {
    /// The name of the schema file, which is stored next to a description.
    public static let fileName = "api.schema.json"

    /// Returns the text of the first comment in a description, which refers editors to the schema.
    /// - Parameter address: The path from the description to the schema, or its URL.
    public static func comment(_ address: String = fileName) -> String { "yaml-language-server: $schema=\(address)" }

    /// The schema as indented JSON with a trailing newline.
    public static var text: String { IndentedJSON.text(of: .object(JSONObject(root))) + "\n" }

    private static var root: [(String, JSONValue)] {
        let definitions = mappings(in: RootMapping.members.definition).dropFirst().map {
            ($0.name, JSONValue.object(schema(of: $0)))
        }
        return [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", "The description of an API for Duet"),
        ] + schema(of: RootMapping.members.definition).members.map { ($0.key, $0.value) }
            + [("$defs", .object(JSONObject(definitions.sorted { $0.0 < $1.0 })))]
    }

    /// Returns the mapping and all mappings that it contains, without duplicates.
    static func mappings(in mapping: MappingDefinition) -> [MappingDefinition] {
        var found: [MappingDefinition] = []
        func add(_ mapping: MappingDefinition) {
            guard !found.contains(where: { $0.name == mapping.name }) else { return }
            found.append(mapping)
            for member in mapping.members { add(member.value) }
        }
        func add(_ value: MemberDefinition.Value) {
            switch value {
            case .mapping(let mapping), .mappingOrChoice(let mapping, _), .list(let mapping), .orders(let mapping):
                add(mapping)
            case .named(let value, _): add(value)
            default: break
            }
        }
        add(mapping)
        return found
    }

    private static func schema(of mapping: MappingDefinition) -> JSONObject {
        var members: [(String, JSONValue)] = [("description", .string(mapping.description)), ("type", "object")]
        members.append(
            (
                "properties",
                .object(
                    JSONObject(
                        mapping.members.map { member in
                            var schema = schema(of: member.value)
                            schema.append(("description", .string(member.description)))
                            return (member.name, .object(JSONObject(schema)))
                        }))
            ))
        let required = mapping.members.filter { $0.isRequired && $0.condition == nil }.map(\.name)
        if !required.isEmpty { members.append(("required", texts(required))) }
        members.append(("additionalProperties", false))
        if mapping.needsMember { members.append(("minProperties", 1)) }
        let dependents: [(String, JSONValue)] =
            mapping.members.compactMap { member in member.condition.map { (member.name, schema(of: $0)) } }
            + mapping.conflicts.map { member, other in
                (member, ["properties": .object(JSONObject([(other, JSONValue.bool(false))]))])
            }
        if !dependents.isEmpty { members.append(("dependentSchemas", .object(JSONObject(dependents)))) }
        let implications = implications(of: mapping)
        if !implications.isEmpty { members.append(("allOf", .array(implications))) }
        if !mapping.alternatives.isEmpty {
            members.append(("oneOf", .array(mapping.alternatives.map { schema(of: $0, in: mapping) })))
        }
        return JSONObject(members)
    }

    /// Returns the schema of a condition: the member of the condition has one of the given values.
    private static func schema(of condition: MemberDefinition.Condition) -> JSONValue {
        var schema = JSONObject([
            (
                "properties",
                .object(JSONObject([(condition.member, ["enum": texts(condition.values)] as JSONValue)]))
            )
        ])
        if !condition.isMetByDefault { schema["required"] = texts([condition.member]) }
        return .object(schema)
    }

    /// Returns a schema for each condition of the required members: if the condition is met, the members are required.
    private static func implications(of mapping: MappingDefinition) -> [JSONValue] {
        var conditions: [MemberDefinition.Condition] = []
        for condition in mapping.members.filter(\.isRequired).compactMap(\.condition)
        where !conditions.contains(condition) {
            conditions.append(condition)
        }
        return conditions.map { condition in
            let required = mapping.members.filter { $0.isRequired && $0.condition == condition }.map(\.name)
            return ["if": schema(of: condition), "then": ["required": texts(required)]]
        }
    }

    private static func schema(of alternative: MappingDefinition.Alternative, in mapping: MappingDefinition)
        -> JSONValue
    {
        let others = mapping.alternatives.flatMap(\.all).filter { !alternative.all.contains($0) }
        return [
            "required": texts(alternative.required),
            "properties": .object(JSONObject(others.map { ($0, JSONValue.bool(false)) })),
        ]
    }

    private static func schema(of value: MemberDefinition.Value) -> [(String, JSONValue)] {
        switch value {
        case .version: return [("const", .integer(Int64(RootMapping.version)))]
        case .text: return [("type", "string")]
        case .name:
            var schema: [(String, JSONValue)] = [("type", "string")]
            if let pattern = MemberDefinition.Names.ofAPI.pattern { schema.append(("pattern", .string(pattern))) }
            return schema
        case .flag: return [("type", "boolean")]
        case .integer(let range):
            return [
                ("type", "integer"), ("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound)),
            ]
        case .choice(let values): return [("enum", texts(values))]
        case .choices(let values, let all):
            let item: JSONValue = ["enum": texts(values)]
            return [("anyOf", [["enum": texts(values + [all])], ["type": "array", "items": item, "minItems": 1]])]
        case .choiceOrNull(let values): return [("enum", .array(values.map { .string($0) } + [.null]))]
        case .scalar: return [("type", ["string", "number", "boolean"])]
        case .operand:
            let claim: JSONValue = [
                "type": "object",
                "properties": [
                    "claim": ["type": ["string", "array"], "items": ["type": "string"], "minItems": 1]
                ],
                "required": ["claim"], "additionalProperties": false,
            ]
            return [("anyOf", [["type": ["string", "number", "boolean", "null"]], claim])]
        case .texts: return [("type", ["string", "array"]), ("items", ["type": "string"])]
        case .choiceValues:
            return [
                ("type", ["string", "array", "object"]), ("items", ["type": "string"]),
                ("additionalProperties", ["type": "string"]), ("minItems", 1), ("minProperties", 1),
            ]
        case .filter: return [("type", "object")]
        case .orders(let mapping):
            let order: JSONValue = ["anyOf": [["type": "string"], reference(mapping)]]
            return [("anyOf", [["type": "string"], reference(mapping), ["type": "array", "items": order]])]
        case .mapping(let mapping): return [("$ref", .string("#/$defs/\(mapping.name)"))]
        case .mappingOrChoice(let mapping, let values):
            return [("anyOf", [reference(mapping), ["enum": texts(values)]])]
        case .list(let mapping): return [("type", "array"), ("items", reference(mapping))]
        case .named(let value, let names):
            var schema: [(String, JSONValue)] = [("type", "object")]
            if let pattern = names.pattern { schema.append(("propertyNames", ["pattern": .string(pattern)])) }
            return schema + [("additionalProperties", .object(JSONObject(self.schema(of: value))))]
        }
    }

    private static func reference(_ mapping: MappingDefinition) -> JSONValue {
        ["$ref": .string("#/$defs/\(mapping.name)")]
    }

    private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

/// Formats JSON for human readers. Each member of the outermost object is on a separate line. A nested object or array
/// is on one line if it is short, otherwise each of its members or elements is on a separate line.
private enum IndentedJSON {
    private static let maximumLineLength = 100

    static func text(of value: JSONValue) -> String {
        var text = ""
        write(value, 0, to: &text)
        return text
    }

    private static func write(_ value: JSONValue, _ depth: Int, to text: inout String) {
        let compact = oneLine(value)
        if 2 * depth + compact.count <= maximumLineLength, depth > 0 {
            text += compact
            return
        }
        let indentation = String(repeating: "  ", count: depth + 1)
        switch value {
        case .object(let object) where !object.members.isEmpty:
            text += "{"
            for (index, member) in object.members.enumerated() {
                text += "\(index == 0 ? "" : ",")\n\(indentation)\(JSONValue.string(member.key).compactText): "
                write(member.value, depth + 1, to: &text)
            }
            text += "\n\(indentation.dropLast(2))}"
        case .array(let values) where !values.isEmpty:
            text += "["
            for (index, value) in values.enumerated() {
                text += "\(index == 0 ? "" : ",")\n\(indentation)"
                write(value, depth + 1, to: &text)
            }
            text += "\n\(indentation.dropLast(2))]"
        default: text += compact
        }
    }

    private static func oneLine(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            "{\(object.members.map { "\(JSONValue.string($0.key).compactText): \(oneLine($0.value))" }.joined(separator: ", "))}"
        case .array(let values): "[\(values.map(oneLine).joined(separator: ", "))]"
        default: value.compactText
        }
    }
}
