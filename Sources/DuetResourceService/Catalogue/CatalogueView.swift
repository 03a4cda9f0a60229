/// The name of a view of an API: its resources, fields and conditions for one kind of caller. Caches have a separate
/// key for each view, because the same request can have different answers in different views.
public struct CatalogueView: Sendable, Hashable {
    /// The name; empty for the whole catalogue.
    public let name: String

    /// The view that contains the whole catalogue.
    public static let whole = CatalogueView(name: "")

    /// Creates a name. The names of the views of one API must be different.
    public init(name: String) {
        self.name = name
    }

    /// Returns the key of a request in a cache. The name is preceded by its length, so that the keys of two views are
    /// different for all requests.
    package func key(_ request: String) -> String {
        name.isEmpty ? request : "\(name.utf8.count):\(name) \(request)"
    }
}
