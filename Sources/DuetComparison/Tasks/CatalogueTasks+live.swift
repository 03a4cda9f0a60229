import DuetJSON
package import DuetResourceService

extension CatalogueTasks {
    /// The number of rows on the watched screen.
    private static let screenRows = 20

    /// Returns the screen that `duet compare --live` watches: a list of twenty rows, each with its related rows, if the
    /// resource has a relation. Another program changes a field of the rows.
    /// - Throws: ``ComparisonFailure`` if no resource has rows that can be changed; `DatabaseError` if the database
    ///   cannot be read.
    package static func liveTask(_ service: ResourceService) async throws -> LiveTask {
        func failure(_ reason: String) -> ComparisonFailure { ComparisonFailure(task: LiveReport.name, reason: reason) }
        guard let tasks = try await CatalogueTasks(service, among: { $0.writes.update != nil }) else {
            throw failure("no resource permits updates and has rows")
        }
        let rows = try await NewRows(tasks.root, service, tasks.readable)
        var candidates: [(field: String, toggle: LiveTask.Toggle)] = []
        for row in rows.rows.prefix(screenRows) {
            let path = try rows.path(row)
            candidates += rows.alternatives(of: row).map { change in
                func write(_ number: Int) -> Request { .writing(.patch, path, change.patch(number), expecting: 200) }
                return (change.field, LiveTask.Toggle(on: write(0), off: write(1)))
            }
        }
        guard let first = candidates.first?.field else {
            throw failure("no field of \(tasks.root.name) can get another value")
        }
        let shown = tasks.fields(tasks.root)
        let field = candidates.map(\.field).first(where: shown.contains) ?? first
        let screen = tasks.screen(shown.contains(field) ? shown : shown.dropLast() + [field])
        return try LiveTask(
            try Scenario.tasks(in: [.object(screen)])[0],
            candidates: candidates.filter { $0.field == field }.map(\.toggle))
    }

    /// Returns the task that reads the screen.
    /// - Parameter own: The fields of the rows.
    private func screen(_ own: [String]) -> JSONObject {
        let relation = relations.first
        let below = relation.map(fields) ?? []
        let target = "GET /\(root.name)?first=\(Self.screenRows)&fields=\(own.joined(separator: ","))"
        let details = relation.map { "&details=\($0.name)&\($0.name).fields=\(below.joined(separator: ","))" } ?? ""
        return task(
            LiveReport.name,
            "Watch twenty \(root.name)\(relation.map { ", each with its \($0.name)" } ?? "").",
            rest: [target + details], sparse: [target + details],
            graphQL: list(
                "first: \(Self.screenRows)", own + (relation.map { selection($0, below) } ?? []), "query Screen {"),
            pick: names(own, relation.map { [($0.name, names(below))] } ?? []))
    }
}
