package import DuetJSON
package import DuetResourceService

/// Generates the tasks with which `duet compare --writes` compares the two API styles, for the tables of an API
/// description. The rows of the requests are made from existing rows; see ``NewRows``.
package struct CatalogueWriteTasks: Sendable {
    let tasks: [WriteTask]
    private let ranked: [NewRows]
    private let constraints: TableConstraints
    /// The tasks for which no valid row can be made, with the reasons.
    package private(set) var leftOut: [ComparisonFailure] = []

    /// The names of the tasks, in their order.
    package static let names = [
        "create", "create-many", "create-with-related", "update", "read-modify-write", "delete", "transaction",
    ]

    /// Creates the tasks.
    /// - Throws: `DatabaseError` if the database cannot be read.
    package init(_ service: ResourceService) async throws {
        var readable = ReadableFields(service)
        var all: [NewRows] = []
        var unreadable: [String] = []
        for resource in service.catalogue.resources where !resource.writes.isEmpty && resource.isPaged {
            do {
                try await readable.check(resource)
                all.append(try await NewRows(resource, service, readable))
            } catch let error where !ReadableFields.concernsAll(error) {
                unreadable.append("\(resource.name): \(error)")
            }
        }
        let ranked = all.enumerated().sorted { Self.rank($0) > Self.rank($1) }.map(\.element)
        let makers: [(String, (NewRows, [NewRows]) throws -> [WriteTask])] = [
            ("create", { rows, _ in [try rows.create()] }),
            ("create-many", { rows, _ in [try rows.createMany()] }),
            ("create-with-related", { try $0.createWithRelated($1) }),
            ("update", { rows, _ in try rows.updates() }),
            ("read-modify-write", { rows, _ in try rows.readModifyWrites() }),
            ("delete", { rows, _ in [try rows.delete()] }),
            ("transaction", { try $0.transactions($1) }),
        ]
        var tasks: [WriteTask] = []
        for (name, make) in makers {
            var found: [WriteTask] = []
            var reason: String?
            for rows in ranked {
                do {
                    found += try make(rows, ranked)
                } catch let error as NoRow {
                    reason = reason ?? error.description
                }
            }
            guard var task = found.first else {
                let text = reason ?? unreadable.first ?? "no resource permits writes and has rows"
                leftOut.append(ComparisonFailure(scenario: name, style: nil, underlying: UnexpectedAnswer(text)))
                continue
            }
            task.alternatives = Array(found.dropFirst().prefix(Self.maximumAlternatives))
            tasks.append(task)
        }
        self.tasks = tasks
        self.ranked = ranked
        constraints = service.catalogue.constraints
    }

    /// The tasks that the page at `/` offers, in the format of a task file with the member `writes`. Each of them is
    /// one request in both styles. The page tries them without a lasting effect.
    package var pageTasks: [JSONValue] {
        let makers: [(NewRows) throws -> WriteTask?] = [
            { try $0.create(showing: .values) },
            { try $0.createWithRelated(ranked, showing: .values).first },
            { try $0.updates().first },
            { try constraints.references(to: $0.resource.table).isEmpty ? $0.deleteExisting() : nil },
        ]
        return makers.compactMap { make in
            for rows in ranked {
                if let task = try? make(rows), let json = try? task.json { return json }
            }
            return nil
        }
    }

    /// The number of further attempts with other rows or fields. Each of them needs new copies of the database.
    private static let maximumAlternatives = 3

    /// The rank of a resource for the choice of tasks: resources with all kinds of writes and with relations first.
    private static func rank(_ place: (offset: Int, element: NewRows)) -> (Int, Int, Int, Int) {
        let rows = place.element
        let resource = rows.resource
        let lists = resource.relations.count { $0.isToMany && $0.joins.isEmpty }
        return (
            rows.rows.isEmpty ? 0 : 1, resource.hasItems ? resource.writes.kinds.count : 0, min(lists, 3), -place.offset
        )
    }
}
