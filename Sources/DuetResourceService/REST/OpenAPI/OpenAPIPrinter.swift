public import DuetJSON
public import DuetResultSetJSON

/// Prints the parts of the OpenAPI document that depend on the catalogue: operations with their parameters and
/// responses, and schemas. A static function creates the document from its parts.
///
/// The names of schemas and operations are derived from the catalogue. For example, `Employee`, `NewEmployee` and
/// `EmployeeChanges` are derived from the type of the resource, and `listEmployees` and `getEmployee` from the name and
/// the singular name.
public struct OpenAPIPrinter: Sendable {
    let catalogue: Catalogue
    let dates: DateEncoding

    /// Creates a printer.
    /// - Parameters:
    ///   - catalogue: The resources.
    ///   - dates: The format of dates in responses.
    public init(_ catalogue: Catalogue, dates: DateEncoding) {
        self.catalogue = catalogue
        self.dates = dates
    }

    /// The Tag Objects of the catalogue's operations.
    public var tags: [JSONValue] {
        let used = Set(catalogue.operations.map(\.resource.name))
        return catalogue.resources.filter { used.contains($0.name) }.map {
            ["name": .string($0.tag), "description": .string($0.description)]
        }
    }

    /// Returns an OpenAPI document (version 3.1).
    /// - Parameters:
    ///   - info: The Info Object.
    ///   - tags: The Tag Objects.
    ///   - operations: The operations in the order of the document. Paths are in the order of their first operations.
    ///   - pathParameters: Parameters that apply to every path.
    ///   - components: Additional components, keyed by section. The components of the operations' parameters and
    ///     responses are added to these.
    public static func document(
        info: JSONValue, tags: [JSONValue], operations: [OpenAPIOperation],
        pathParameters: [OpenAPIOperation.Parameter] = [], components: [(section: String, values: JSONObject)]
    ) -> JSONObject {
        var paths = NamedValues<JSONObject>()
        var parameters = NamedValues<JSONValue>()
        var responses = NamedValues<JSONValue>()
        for parameter in pathParameters { parameters[parameter.component] = parameter.value }
        for operation in operations {
            var item = paths[operation.path] ?? JSONObject()
            let shared = pathParameters + operation.pathParameters
            if !shared.isEmpty { item["parameters"] = .array(shared.map(\.reference)) }
            item[operation.method.lowercased()] = operation.document
            paths[operation.path] = item
            for parameter in operation.pathParameters + operation.parameters {
                parameters[parameter.component] = parameter.value
            }
            for response in operation.responses { responses[response.component] = response.document }
        }
        var all = JSONObject(["parameters": .object(JSONObject(parameters.members))])
        for (section, values) in components { all[section] = .object(values) }
        all["responses"] = .object(JSONObject(responses.members))
        return JSONObject([
            "openapi": "3.1.0", "info": info, "servers": [["url": "/"]], "security": [], "tags": .array(tags),
            "paths": .object(JSONObject(paths.members.map { ($0.0, .object($0.1)) })), "components": .object(all),
        ])
    }
}

extension Resource {
    /// The tag of the resource's operations.
    var tag: String { name.capitalizedFirst }
}

/// Named values in insertion order. `JSONObject` searches its members linearly, which is too slow for the parameters of
/// hundreds of tables.
private struct NamedValues<Value> {
    private(set) var members: [(String, Value)] = []
    private var positions: [String: Int] = [:]

    subscript(name: String) -> Value? {
        get { positions[name].map { members[$0].1 } }
        set {
            guard let newValue else { return }
            if let position = positions[name] {
                members[position].1 = newValue
            } else {
                positions[name] = members.count
                members.append((name, newValue))
            }
        }
    }
}
