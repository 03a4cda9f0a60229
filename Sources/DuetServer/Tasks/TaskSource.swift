import DuetComparisonTasks

/// The source of the tasks of the page at `/`.
package enum TaskSource: Sendable {
    /// A task file as JSON. `docs/comparison.md` describes its members.
    case file([UInt8])
    /// Tasks that are generated from the description of the API and a row of the database.
    case description

    /// The tasks of the employees database.
    package static let employees = TaskSource.file(ComparisonTasks.json)
}
