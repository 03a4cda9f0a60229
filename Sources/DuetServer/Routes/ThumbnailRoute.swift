import DuetEmployees
import DuetGraphQLHTTP
import DuetHTTPSemantics
import DuetHummingbird
import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The thumbnail of an employee.
extension ResourceRoutes {
    private static let pictureType = "image/svg+xml"
    private static let pictures = MediaTypeNegotiation<Void>([(pictureType, ())])

    /// The route `/employees/{employeeNumber}/thumbnail`; nil for a catalogue without employees.
    var thumbnail: Route? {
        guard let item = service.catalogue.operations.first(where: { $0.path == "/employees/{employeeNumber}" }) else {
            return nil
        }
        return Route(
            .get, "/employees/{employeeNumber}/thumbnail", "A picture of an employee"
        ) { try await thumbnail($0, item) }
        .described(
            .own(
                "getEmployeeThumbnail", .init(name: "Employees"),
                description: "A pattern of squares that depends only on the employee's number.",
                .own("Thumbnail", "The picture.", [(Self.pictureType, .textSchema)]),
                problems: [
                    .of(.unknown(item.resource.singular)), .databaseUnavailable, .databaseIOError, .queryTimeout,
                ]))
    }

    private func thumbnail(_ routed: RoutedRequest, _ operation: RESTOperation) async throws -> Response {
        var timing = ServerTiming()
        try routed.requireNoQuery()
        guard Self.pictures.preferred(for: routed.request.headers) != nil else {
            throw Problem(
                .notAcceptable, "the supported media types are \(Self.pictureType)",
                members: [("allowed", [.string(Self.pictureType)])])
        }
        let read = revalidator.read(routed.request, mediaType: Self.pictureType)
        timing.endParse()
        if let known = read?.current {
            timing.endSQL(Answer.Cost())
            return timing.finish(builder.notModified(known, for: routed.request))
        }
        let key = try style.path(operation, routed.segment).key
        timing.endPlan()
        let (cost, tags) = try await service.requireRow(operation.resource, key)
        timing.endSQL(cost)
        guard case .integer(let number) = key[0] else {
            throw Problem(.unknownPath, "the key of an employee must be a number")
        }
        var fields: HTTPFields = [:]
        if settings.caching.namesEntities { fields.add(tags) }
        return timing.finish(
            try builder.whole(
                ByteBuffer(string: Thumbnail(employeeNumber: Int(number)).svg), mediaType: Self.pictureType,
                for: routed.request, cacheControl: settings.caching.cacheControl(operation.resource.cachePolicy),
                headers: fields, read: read))
    }
}
