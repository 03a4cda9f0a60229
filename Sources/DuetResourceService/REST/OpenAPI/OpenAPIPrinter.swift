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
    /// The resources whose rows have paths, by their keys.
    let resourcesByKey: [[String]: Resource]

    /// Creates a printer.
    /// - Parameters:
    ///   - catalogue: The resources.
    ///   - dates: The format of dates in responses.
    public init(_ catalogue: Catalogue, dates: DateEncoding) {
        self.catalogue = catalogue
        self.dates = dates
        resourcesByKey = Dictionary(
            catalogue.resources.filter(\.hasItems).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
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
        var document = MemberList()
        // A list of values cannot fail.
        try? write(
            info: info, tags: tags, paths: operations.grouped(by: \.path).map(\.1), pathParameters: pathParameters,
            components: components, to: &document)
        return document.object
    }

    /// Writes an OpenAPI document (version 3.1) member by member. The time is proportional to the size of the document,
    /// and only one path with its operations is in memory at a time.
    /// - Parameters:
    ///   - paths: The operations of each path.
    ///   - security: The requirements of all operations (OpenAPI 3.1, "Security Requirement Object").
    ///   - output: The members of the document. A component is written for the first operation that refers to it.
    /// - Throws: An error of `output`.
    package static func write<Output: OpenAPIOutput>(
        info: JSONValue, tags: [JSONValue], paths: some Sequence<[OpenAPIOperation]>,
        pathParameters: [OpenAPIOperation.Parameter] = [], security: JSONValue = [],
        components: [(section: String, values: JSONObject)], to output: inout Output
    ) throws {
        let head: [(String, JSONValue)] = [
            ("openapi", "3.1.0"), ("info", info), ("servers", [["url": "/"]]), ("security", security),
            ("tags", .array(tags)),
        ]
        for (name, value) in head { try output.add(name, value) }
        // The components of parameters and responses follow the paths, so they are collected.
        var (parameters, responses) = try (output.part(depth: 2), output.part(depth: 2))
        var known: (parameters: Set<String>, responses: Set<String>) = ([], [])
        for parameter in pathParameters where known.parameters.insert(parameter.component).inserted {
            try parameters.add(parameter.component, parameter.value)
        }
        try output.open("paths")
        for operations in paths {
            var item = JSONObject()
            for operation in operations {
                let shared = pathParameters + operation.pathParameters
                if !shared.isEmpty { item["parameters"] = .array(shared.map(\.reference)) }
                item[operation.method.lowercased()] = operation.document
                for parameter in operation.pathParameters + operation.parameters
                where known.parameters.insert(parameter.component).inserted {
                    try parameters.add(parameter.component, parameter.value)
                }
                for response in operation.responses where known.responses.insert(response.component).inserted {
                    try responses.add(response.component, response.document)
                }
            }
            if let path = operations.first?.path { try output.add(path, .object(item)) }
        }
        try output.close()
        try output.open("components")
        try output.open("parameters")
        try output.add(consume parameters)
        try output.close()
        for (section, values) in components {
            try output.open(section)
            for member in values.members { try output.add(member.key, member.value) }
            try output.close()
        }
        try output.open("responses")
        try output.add(consume responses)
        try output.close()
        try output.close()
    }
}

extension Resource {
    /// The tag of the resource's operations.
    package var tag: String { name.capitalizedFirst }
}
