/// The tasks of the comparison, which are read by `duet compare` and by the page at `/`.
package enum ComparisonTasks {
    /// The content of `tasks.json`, whose members are described in `docs/comparison.md`.
    package static let json = PackageResources.tasks_json
}
