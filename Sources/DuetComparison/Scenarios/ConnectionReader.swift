import DuetGraphQL
import DuetJSON

/// Replaces the connections in the response to an operation by the arrays of their nodes.
///
/// The operation shows which objects are connections. The names in a response do not: a table or column can have any
/// name, such as `nodes`, and a JSON value can have any members.
struct ConnectionReader {
    /// The fields of connections in the Relay specification and in Duet.
    private static let names: Set = ["nodes", "edges", "pageInfo", "totalCount", "__typename"]

    private let fragments: [String: SelectionSet]
    private let root: [SelectionSet]

    /// - Throws: `GraphQLError` if the document has a syntax error.
    init(_ document: String) throws {
        let document = try Parser.parse(document)
        fragments = Dictionary(document.fragments.map { ($0.name.value, $0.selectionSet) }) { first, _ in first }
        root = document.operations.prefix(1).map(\.selectionSet)
    }

    /// Returns the value of the root field of a response.
    /// - Throws: ``UnexpectedAnswer`` if the response does not have exactly one root field.
    func value(of answer: JSONValue) throws -> JSONValue {
        guard case .object(let data)? = answer["data"], data.members.count == 1,
            case .object(let value) = flattened(.object(data), root), let field = value.members.first
        else { throw UnexpectedAnswer("the response does not contain data with exactly one root field") }
        return field.value
    }

    /// Returns the values of all root fields of a response.
    /// - Throws: ``UnexpectedAnswer`` if the response has no data.
    func values(of answer: JSONValue) throws -> [JSONValue] {
        guard let data = answer["data"], case .object(let fields) = flattened(data, root) else {
            throw UnexpectedAnswer("the response does not contain data")
        }
        return fields.members.map(\.value)
    }

    /// - Parameter selections: The selection sets of the value. A scalar has none.
    private func flattened(_ value: JSONValue, _ selections: [SelectionSet]) -> JSONValue {
        guard !selections.isEmpty else { return value }
        switch value {
        case .array(let elements): return .array(elements.map { flattened($0, selections) })
        case .object(let object):
            let fields = fields(of: selections)
            if let rows = rows(of: object, fields) { return rows }
            let below = Dictionary(grouping: fields, by: \.responseName).mapValues { $0.compactMap(\.selectionSet) }
            return .object(
                JSONObject(object.members.lazy.map { ($0.key, flattened($0.value, below[$0.key] ?? [])) }))
        default: return value
        }
    }

    /// Returns the rows of a connection; nil for any other object.
    private func rows(of object: JSONObject, _ fields: [Field]) -> JSONValue? {
        guard fields.allSatisfy({ Self.names.contains($0.name.value) }) else { return nil }
        if let nodes = member("nodes", of: object, fields), case .array = nodes.value {
            return flattened(nodes.value, nodes.below)
        }
        guard let edges = member("edges", of: object, fields), case .array(let elements) = edges.value else {
            return nil
        }
        let inner = self.fields(of: edges.below)
        let nodes = inner.filter { $0.name.value == "node" && $0.selectionSet != nil }
        guard let name = nodes.first?.responseName else { return nil }
        return .array(elements.map { flattened($0[name] ?? .null, nodes.compactMap(\.selectionSet)) })
    }

    /// Returns the value of a field with a selection set; nil if the operation does not select the field.
    private func member(
        _ name: String, of object: JSONObject, _ fields: [Field]
    ) -> (value: JSONValue, below: [SelectionSet])? {
        let named = fields.filter { $0.name.value == name }
        let below = named.compactMap(\.selectionSet)
        guard !below.isEmpty, let value = object[named[0].responseName] else { return nil }
        return (value, below)
    }

    /// Returns the fields of selection sets, including those of fragments.
    private func fields(of selections: [SelectionSet], in spread: Set<String> = []) -> [Field] {
        selections.flatMap(\.selections).flatMap { selection -> [Field] in
            switch selection {
            case .field(let field): return [field]
            case .inlineFragment(let fragment): return fields(of: [fragment.selectionSet], in: spread)
            case .fragmentSpread(let fragment):
                let name = fragment.name.value
                guard !spread.contains(name), let set = fragments[name] else { return [] }
                return fields(of: [set], in: spread.union([name]))
            }
        }
    }
}
