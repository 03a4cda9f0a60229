public import DuetJSON
public import DuetResultSetJSON

/// Prints what the OpenAPI document says of a catalogue: operations with their parameters and responses, and schemas.
///
/// Names come from the catalogue: the schemas `Employee`, `NewEmployee` and `EmployeeChanges` from the type, the operations
/// `listEmployees` and `getEmployee` from the name and the singular.
public struct OpenAPIPrinter: Sendable {
    let catalogue: Catalogue
    let dates: DateEncoding

    /// Creates a printer.
    /// - Parameter dates: The form of dates in responses.
    public init(_ catalogue: Catalogue, dates: DateEncoding) {
        self.catalogue = catalogue
        self.dates = dates
    }

    /// The groups of the catalogue's operations, each with a description.
    public var tags: [JSONValue] {
        let used = Set(catalogue.operations.map(\.resource.name))
        return catalogue.resources.filter { used.contains($0.name) }.map {
            ["name": .string($0.tag), "description": .string($0.description)]
        }
    }

    /// An OpenAPI document (version 3.1).
    /// - Parameters:
    ///   - info: The Info Object.
    ///   - tags: The Tag Objects.
    ///   - operations: The operations, in the order of the document. Paths follow the order of their first operation.
    ///   - pathParameters: Parameters of every path.
    ///   - components: More components, by their section. Those of the operations' parameters and responses are added.
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
    /// The group of its operations.
    var tag: String { name.capitalizedFirst }
}

/// Values by their names, in the order in which the names came first. A member of `JSONObject` is found by a look at all before it, which takes
/// long for the parameters of hundreds of tables.
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
