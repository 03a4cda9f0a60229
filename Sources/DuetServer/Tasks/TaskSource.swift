import ComparisonTasks

/// The source of the tasks that the page at `/` offers.
package enum TaskSource: Sendable {
    /// A file of tasks, as JSON. `docs/comparison.md` describes its members.
    case file([UInt8])
    /// The description of the API, with a row of the database.
    case description

    /// The tasks about employees.
    package static let employees = TaskSource.file(ComparisonTasks.json)
}
