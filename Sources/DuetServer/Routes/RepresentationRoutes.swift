import DuetHTTPSemantics
import DuetJSON
import DuetResourceService
import HTTPTypes
import HummingbirdCore
import NIOCore

extension Route {
    /// Creates the route of a representation, such as `/employees/{employeeNumber}/thumbnail`.
    /// - Parameter operation: The operation that reads the row.
    init(_ representation: ItemRepresentation, of operation: RESTOperation) {
        let resource = operation.resource
        let name = representation.name.capitalizedFirst
        self.init(
            .get, "\(operation.path)/\(representation.name)", representation.summary,
            .representation(representation, of: operation),
            RouteContract(
                "get\(resource.type)\(name)", .init(name: resource.tag), description: representation.description,
                .own(name, representation.content, [(representation.mediaType, .textSchema)]),
                problems: [
                    .unknown(resource.singular), .databaseUnavailable, .databaseIOError, .queryTimeout,
                ]))
    }
}

extension ResourceRoutes {
    /// Returns the handler of a representation.
    /// - Parameter operation: The operation that reads the row.
    func handler(of representation: ItemRepresentation, _ operation: RESTOperation) -> RoutedRequest.Handler {
        let offer = MediaTypeNegotiation<Void>([(representation.mediaType, ())])
        return { routed in
            var timing = ServerTiming()
            try routed.requireNoQuery()
            guard offer.preferred(for: routed.request.headers) != nil else {
                throw RequestProblem(
                    .notAcceptable, "the supported media types are \(representation.mediaType)",
                    members: [("allowed", [.string(representation.mediaType)])])
            }
            let read = revalidator.read(
                routed, of: service.catalogue.view, mediaType: representation.mediaType)
            timing.endParse()
            if let known = read?.current {
                timing.endSQL(Answer.Cost())
                return timing.finish(builder.notModified(known, for: routed.request))
            }
            let key = try style.path(operation, routed.segment).key
            timing.endPlan()
            let (cost, tags) = try await service(for: routed).requireRow(operation.resource, key)
            timing.endSQL(cost)
            let text = try representation.text(key)
            var fields: HTTPFields = [:]
            if settings.caching.namesEntities { fields.add(tags) }
            return timing.finish(
                try builder.whole(
                    ByteBuffer(string: text), mediaType: representation.mediaType, for: routed,
                    cacheControl: settings.caching.cacheControl(operation.resource.cachePolicy),
                    headers: fields, read: read))
        }
    }
}
