/// The result of a comparison.
package struct ComparisonReport: Sendable {
    /// The properties of the machine that ran the comparison. If the comparison started the server, the server ran on
    /// this machine, too.
    package var machine: [(String, String)] = []
    /// The properties of the database.
    package var database: [(String, String)] = []
    /// True if the comparison started the server on the same machine.
    package var startedServer = false
    /// The settings for measuring time; nil if time was not measured.
    package var timing: TimingPlan?
    package var scenarios: [ScenarioReport] = []
    /// The costs of watching a screen; nil if they were not measured.
    package var live: LiveReport?
    /// The errors because of which the comparison skipped scenarios, styles and fields.
    package var failures: [ComparisonFailure] = []
    /// The generated tasks that are impossible with this database, with the reasons.
    package var leftOut: [ComparisonFailure] = []
    /// True if tasks were performed on copies of the database.
    package var hasCopies = false
    /// The changes since an earlier report, if one was given.
    package var changes: ReportChanges?

    /// The names of the tasks in which the results differ.
    package var differing: [String] {
        scenarios.filter { !$0.isEqual }.map(\.name) + (live?.isEqual == false ? [LiveReport.name] : [])
    }

    /// Creates an empty report.
    package init() {}

    /// The results of one scenario.
    package struct ScenarioReport: Sendable {
        /// See ``Scenario/name``.
        package let name: String
        /// See ``Scenario/task``.
        package let task: String
        /// True if all styles returned the same result.
        package let isEqual: Bool
        package let styles: [StyleReport]
        /// True if the task writes.
        package var isWrite = false
        /// The names of the tables whose rows differ after the task, if each style has a copy of the database.
        package var differingTables: [String] = []
    }

    /// The results of one style of a scenario.
    package struct StyleReport: Sendable {
        package let style: Style
        package let cost: TaskCost
        /// The cost of each request.
        package let requests: [RequestCost]
        /// One timing for each mode; empty if time was not measured.
        package let timings: [Timing]
    }
}
