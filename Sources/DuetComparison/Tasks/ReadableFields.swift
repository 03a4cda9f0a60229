import DuetResourceService
import DuetSQLDatabase

/// The fields that tasks can read. A field is unreadable if one of the first rows has a value that does not fit the
/// type of the field.
struct ReadableFields {
    /// The number of rows that are read of each resource. The tasks read lists of a hundred rows.
    private static let rows = 100

    private let service: ResourceService
    /// The reasons by the names of the resource and the field.
    private(set) var unreadable: [String: [String: String]] = [:]
    private var checked: Set<String> = []

    init(_ service: ResourceService) {
        self.service = service
    }

    /// Returns true if a field of a checked resource can be read.
    func contains(_ field: String, of resource: String) -> Bool { unreadable[resource]?[field] == nil }

    /// Finds the unreadable fields of a resource.
    /// - Throws: `DatabaseError` if the database cannot be read; any other error if the resource cannot be read.
    mutating func check(_ resource: Resource) async throws {
        guard checked.insert(resource.name).inserted, resource.isPaged else { return }
        do {
            try await read(resource, resource.fields)
        } catch let error where !Self.concernsAll(error) {
            for field in resource.fields {
                do {
                    try await read(resource, [field])
                } catch let error where !Self.concernsAll(error) {
                    unreadable[resource.name, default: [:]][field.name] = "\(error)"
                }
            }
            // No single field explains the error.
            if unreadable[resource.name] == nil || unreadable[resource.name]?.count == resource.fields.count {
                throw error
            }
        }
    }

    private func read(_ resource: Resource, _ fields: [Field]) async throws {
        let selection = Selection(fields.map { .field(name: $0.name, $0.name) })
        _ = try await service.answer(
            Question(.list(resource: resource.name, Window(first: Self.rows)), .list(.array(selection))))
    }

    /// Returns true for an error that does not depend on the resource and its fields.
    static func concernsAll(_ error: any Error) -> Bool { error is DatabaseError || error is CancellationError }
}
