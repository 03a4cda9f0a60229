/// The tasks of the comparison, which `duet compare` and the page at `/` both read.
package enum ComparisonTasks {
    /// The bytes of `tasks.json`. `docs/comparison.md` describes its members.
    package static let json = PackageResources.tasks_json
}
