import DuetSQLDatabase

/// Example requests that are derived from the names and example values in a catalogue.
public struct ExampleRequests: Sendable {
    private let catalogue: Catalogue

    /// Creates example requests for a catalogue.
    public init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    /// The first resource that has relations and a list; if no such resource exists, the first resource.
    private var resource: Resource? {
        catalogue.resources.first { !$0.relations.isEmpty && $0.collection != .none } ?? catalogue.resources.first
    }

    /// Returns the path of the row whose key consists of the example values; nil if a key field has no example value.
    private func item(_ resource: Resource) -> String? {
        let key = resource.keyFields.compactMap(\.example)
        guard resource.hasItems, key.count == resource.key.count else { return nil }
        return "/\(resource.name)/\(KeySegment.text(key.map(\.keyText)))"
    }

    /// REST request targets. `related` requests one or more rows with up to two relations. `sorted` requests a page, in
    /// descending order if the resource has sort fields. `list` is the path of the list, for CSV.
    public var targets: (related: String, sorted: String, list: String) {
        guard let resource else { return ("/", "/", "/") }
        let details = resource.relations.prefix(2).map { "details=\($0.name)" }.joined(separator: "&")
        let query = details.isEmpty ? "" : "?\(details)"
        let related =
            item(resource).map { $0 + query } ?? "/\(resource.name)?first=3\(details.isEmpty ? "" : "&\(details)")"
        let sort = resource.sortFields.last.map { "&sort=-\($0)" } ?? ""
        return (related, "/\(resource.name)?first=5\(sort)", "/\(resource.name)")
    }

    /// A GraphQL document that requests two rows.
    public var document: String {
        guard let resource else { return "{ __typename }" }
        let fields = resource.defaultFields.prefix(3).joined(separator: " ")
        return "{ \(resource.name)(first: 2) { \(resource.isPaged ? "nodes { \(fields) }" : fields) } }"
    }

    /// A field and a value for a filter by equality: `("gender", "F")`.
    public var comparison: (field: String, value: String)? {
        guard let resource else { return nil }
        for field in resource.fields {
            if case .choice(let choice) = field.type, let value = choice.values.first {
                return (field.name, value.name)
            }
        }
        let field = resource.fields.first { !$0.type.comparisons.isEmpty }
        return field.map { ($0.name, $0.example?.keyText ?? "…") }
    }

    /// The first field for a filter by a range, and a value: `("birthDate", "1954-05-01")`. The field is ordered, is
    /// not a text, and is not a part of the key.
    public var range: (field: String, value: String)? {
        let field = resource?.fields.first { field in
            guard field.type.comparisons.contains(.greaterOrEqual), !field.type.comparisons.contains(.like) else {
                return false
            }
            return resource?.key.contains(field.name) == false
        }
        return field.map { ($0.name, $0.example?.keyText ?? "…") }
    }

    /// The names of up to two relations of the example resource.
    public var relations: [String] { resource.map { $0.relations.prefix(2).map(\.name) } ?? [] }
}
