package import DuetResourceService
import HTTPTypes

/// All routes of a server with their descriptions, as a function of the catalogue and the settings. The following are
/// derived from this list: the ``Router``, `Allow`, the canonical paths, the page that lists the routes, and the
/// ``OpenAPIDocument``.
package struct RouteTable: Sendable {
    let catalogue: Catalogue
    let routes: [Route]

    /// Creates the routes of a catalogue.
    package init(_ catalogue: Catalogue, settings: ServerSettings) {
        self.catalogue = catalogue
        let operations = catalogue.operations
        var routes = operations.map { Route($0) }
        for representation in settings.representations {
            guard let operation = operations.first(where: { $0.has(representation) }) else { continue }
            routes.append(Route(representation, of: operation))
        }
        if catalogue.hasDerivedWrites { routes.append(BatchRoutes.route) }
        routes += GraphQLRoutes.routes(catalogue)
        routes.append(PageFiles.route)
        routes += WebPageRoutes.dataRoutes
        routes += ServiceRoutes.routes(settings)
        if catalogue.isOfRole { routes.append(ServiceRoutes.caller) }
        self.routes = routes
    }

    /// The routes that need no caller if the API has roles.
    static func open(_ settings: ServerSettings) -> [Route] {
        GraphQLRoutes.openRoutes + [PageFiles.route] + ServiceRoutes.routes(settings).filter { $0.audience != .callers }
    }

    /// The methods and paths of all routes, for the test that compares them with the OpenAPI document.
    package var operations: [(method: String, path: String)] {
        routes.map { ($0.method.rawValue, $0.path) }
    }
}

extension RESTOperation {
    /// Returns true for the operation that reads the row of a representation.
    fileprivate func has(_ representation: ItemRepresentation) -> Bool {
        rows == .item && write == nil && resource.name == representation.resource && resource.key == representation.key
            && resource.relation(representation.name) == nil
    }
}
