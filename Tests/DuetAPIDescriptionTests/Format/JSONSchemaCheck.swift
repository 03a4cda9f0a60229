import DuetJSON
import Foundation

/// Validates values against a JSON Schema. It supports only the keywords in the schema of API descriptions.
struct JSONSchemaCheck {
    let root: JSONValue

    /// The supported keywords and the annotations.
    private static let keywords: Set = [
        "$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties",
        "const",
        "enum", "minimum", "maximum", "pattern", "items", "anyOf", "oneOf", "allOf", "if", "then", "dependentSchemas",
        "propertyNames", "minItems", "minProperties",
    ]

    /// Returns the paths of invalid values, each with the violated keyword.
    func failures(of value: JSONValue) -> [String] { failures(of: value, root, "") }

    private func failures(of value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        if case .bool(let isValid) = schema { return isValid ? [] : ["\(path): not allowed"] }
        guard case .object(let object) = schema else { return ["\(path): no schema"] }
        return object.members.flatMap { failures(of: value, $0.key, $0.value, object, path) }
    }

    private func isValid(_ value: JSONValue, _ schema: JSONValue) -> Bool { failures(of: value, schema, "").isEmpty }

    private func failures(
        of value: JSONValue, _ keyword: String, _ operand: JSONValue, _ schema: JSONObject, _ path: String
    ) -> [String] {
        func fail(unless isValid: Bool) -> [String] { isValid ? [] : ["\(path): \(keyword) \(operand.compactText)"] }
        switch (keyword, operand, value) {
        case ("$ref", .string(let reference), _):
            guard let target = root["$defs"]?[String(reference.dropFirst("#/$defs/".count))] else {
                return ["no \(reference)"]
            }
            return failures(of: value, target, path)
        case ("type", .string(let name), _): return fail(unless: Self.types(of: value).contains(name))
        case ("type", .array(let names), _):
            return fail(unless: names.contains { name in Self.types(of: value).contains { .string($0) == name } })
        case ("const", _, _): return fail(unless: value == operand)
        case ("enum", .array(let values), _): return fail(unless: values.contains(value))
        case ("minimum", .integer(let limit), .integer(let number)): return fail(unless: number >= limit)
        case ("maximum", .integer(let limit), .integer(let number)): return fail(unless: number <= limit)
        case ("pattern", .string(let pattern), .string(let text)):
            return fail(unless: text.range(of: pattern, options: .regularExpression) != nil)
        case ("minItems", .integer(let count), .array(let values)): return fail(unless: values.count >= count)
        case ("minProperties", .integer(let count), .object(let object)):
            return fail(unless: object.members.count >= count)
        case ("items", _, .array(let values)):
            return values.enumerated().flatMap { failures(of: $1, operand, "\(path)/\($0)") }
        case ("properties", _, .object(let object)):
            return object.members.flatMap { member in
                operand[member.key].map { failures(of: member.value, $0, "\(path)/\(member.key)") } ?? []
            }
        case ("additionalProperties", _, .object(let object)):
            return object.members.filter { schema["properties"]?[$0.key] == nil }
                .flatMap { failures(of: $0.value, operand, "\(path)/\($0.key)") }
        case ("propertyNames", _, .object(let object)):
            return object.members.flatMap { failures(of: .string($0.key), operand, "\(path)/\($0.key)") }
        case ("required", .array(let names), .object(let object)):
            let given = Set(object.members.map { JSONValue.string($0.key) })
            return fail(unless: names.allSatisfy(given.contains))
        case ("dependentSchemas", .object(let schemas), .object(let object)):
            return schemas.members.filter { object[$0.key] != nil }.flatMap { failures(of: value, $0.value, path) }
        case ("anyOf", .array(let schemas), _): return fail(unless: schemas.contains { isValid(value, $0) })
        case ("oneOf", .array(let schemas), _): return fail(unless: schemas.count { isValid(value, $0) } == 1)
        case ("allOf", .array(let schemas), _): return schemas.flatMap { failures(of: value, $0, path) }
        case ("if", _, _):
            return isValid(value, operand) ? schema["then"].map { failures(of: value, $0, path) } ?? [] : []
        default: return Self.keywords.contains(keyword) ? [] : ["the keyword \(keyword) is not understood"]
        }
    }

    private static func types(of value: JSONValue) -> [String] {
        switch value {
        case .null: ["null"]
        case .bool: ["boolean"]
        case .integer: ["integer", "number"]
        case .double: ["number"]
        case .string: ["string"]
        case .array: ["array"]
        case .object: ["object"]
        }
    }
}
