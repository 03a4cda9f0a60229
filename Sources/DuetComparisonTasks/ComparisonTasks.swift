/// The tasks of the comparison. `duet compare` and the page at `/` read them.
package enum ComparisonTasks {
    /// The content of `tasks.json`. `docs/comparison.md` describes its format.
    package static let json = PackageResources.tasks_json
}
