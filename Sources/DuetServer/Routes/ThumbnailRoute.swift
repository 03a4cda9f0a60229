import DuetJSON
import Employees
import HTTPSemantics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ResourceService
import SQLDatabase

/// The picture of an employee.
extension ResourceRoutes {
    private static let pictureType = "image/svg+xml"
    private static let pictures = MediaTypeNegotiation<Void>([(pictureType, ())])

    /// `/employees/{employeeNumber}/thumbnail`; nil for a catalogue without employees.
    var thumbnail: Route? {
        guard let employees = service.catalogue["employees"], employees.key == ["employeeNumber"] else { return nil }
        return Route(
            .get, "/employees/{employeeNumber}/thumbnail", "A picture that stands for an employee"
        ) { try await thumbnail($0, employees) }
        .described(
            .own(
                "getEmployeeThumbnail", .init(name: "Employees"),
                description: "A pattern of squares that depends on the number alone, whatever the employee is called.",
                .own("Thumbnail", "The picture.", [(Self.pictureType, .textSchema)]),
                problems: [.of(.unknown(employees.singular)), .databaseUnavailable, .databaseIOError, .queryTimeout]))
    }

    private func thumbnail(_ exchange: Exchange, _ employees: Resource) async throws -> Response {
        var timing = ServerTiming()
        try exchange.requireNoQuery()
        guard Self.pictures.preferred(for: exchange.request.headers) != nil else {
            throw Problem(
                .notAcceptable, "this can be sent as \(Self.pictureType)",
                members: [("allowed", [.string(Self.pictureType)])])
        }
        let read = revalidator.read(exchange.request, mediaType: Self.pictureType)
        timing.endParse()
        if let known = read?.current { return builder.notModified(known, for: exchange.request, timing: timing) }
        let key = try key(exchange, employees)
        timing.endPlan()
        let (cost, tags) = try await service.requireRow(employees, key)
        timing.endSQL(cost)
        guard case .integer(let number) = key[0] else { throw Problem(.unknownPath, "an employee has a number") }
        var fields: HTTPFields = [:]
        if settings.caching.namesEntities { fields.add(tags) }
        return try builder.whole(
            ByteBuffer(string: Thumbnail(employeeNumber: Int(number)).svg), mediaType: Self.pictureType,
            for: exchange.request, timing: timing,
            cacheControl: settings.caching.cacheControl(employees.cachePolicy), headers: fields, read: read)
    }
}
