import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import NIOCore

/// An existing row that the generated tasks read; see ``CatalogueTasks``.
struct TaskSubject {
    let resource: Resource
    /// The decoded parts of the row's key.
    let key: [String]
    /// All readable fields of the row except JSON fields, whose numbers can exceed the range of Swift's numeric types.
    let row: JSONObject

    /// Chooses the subject: the first row of the highest ranked resource that has rows. The rank depends first on the
    /// number of to-many relations, of which at most three count. It depends next on whether the related rows have
    /// to-many relations, because the task with three levels needs them. It depends last on the number of all
    /// relations. A resource that cannot be read is skipped if another resource has rows.
    /// - Parameter isSuitable: Returns true for the resources among which one is chosen.
    /// - Returns: nil if no resource has a row with a key.
    /// - Throws: `DatabaseError` if the database cannot be read; the error of the first unreadable resource if no other
    ///   resource has a row.
    static func choose(
        _ service: ResourceService, _ readable: inout ReadableFields, among isSuitable: (Resource) -> Bool
    ) async throws -> TaskSubject? {
        let catalogue = service.catalogue
        let candidates = catalogue.resources.filter { $0.hasItems && $0.isPaged && isSuitable($0) }
        let ranked = candidates.enumerated().map { offset, resource in
            let lists = resource.relations.filter(\.isToMany)
            let hasListBelow = lists.contains { $0.listBelow(resource, catalogue) != nil }
            return (resource, rank: (min(lists.count, 3), hasListBelow ? 1 : 0, resource.relations.count, -offset))
        }
        var firstError: (any Error)?
        for (resource, _) in ranked.sorted(by: { $0.rank > $1.rank }) {
            do {
                try await readable.check(resource)
                if let subject = try await first(of: resource, service, readable) { return subject }
            } catch let error where !ReadableFields.concernsAll(error) {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
        return nil
    }

    private static func first(
        of resource: Resource, _ service: ResourceService, _ readable: ReadableFields
    ) async throws -> TaskSubject? {
        let fields = resource.fields.filter { $0.type != .json && readable.contains($0.name, of: resource.name) }
            .map { Selection.Member.field(name: $0.name, $0.name) }
        let answer = try await service.answer(
            Question(.list(resource: resource.name, Window(first: 1)), .list(.array(Selection(fields)))))
        guard case .array(let rows) = try JSONValue(parsing: answer.body.readableBytesView),
            case .object(let row)? = rows.first
        else { return nil }
        let key = resource.key.compactMap { row[$0].flatMap(text) }
        return key.count == resource.key.count ? TaskSubject(resource: resource, key: key, row: row) : nil
    }

    /// Returns a part of a key for a path; nil for NULL. SQLite allows NULL in a key, and such a row has no path.
    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        default: value.compactText
        }
    }
}

extension Relation {
    /// Returns the first to-many relation of this relation's target whose rows do not belong to `resource`.
    func listBelow(_ resource: Resource, _ catalogue: Catalogue) -> Relation? {
        catalogue[target]?.relations.first { $0.isToMany && $0.target != resource.name }
    }
}
