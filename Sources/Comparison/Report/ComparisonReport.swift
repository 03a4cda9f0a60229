/// What a comparison has found.
package struct ComparisonReport: Sendable {
    /// What ran it, and the server.
    package var machine: [(String, String)] = []
    /// What was asked about.
    package var database: [(String, String)] = []
    /// Whether the server was started for it, on that machine.
    package var startedServer = false
    /// How time was measured; `nil` if it was not.
    package var timing: TimingPlan?
    package var scenarios: [ScenarioReport] = []
    /// The scenarios that are left out, because an answer cannot be read.
    package var failures: [ComparisonFailure] = []
    /// Since an earlier report, where there is one to compare with.
    package var changes: ReportChanges?

    /// Nothing yet.
    package init() {}

    /// One scenario.
    package struct ScenarioReport: Sendable {
        /// See ``Scenario/name``.
        package let name: String
        /// See ``Scenario/task``.
        package let task: String
        /// Whether all styles have come to the same.
        package let isEqual: Bool
        package let styles: [StyleReport]
    }

    /// One style of a scenario.
    package struct StyleReport: Sendable {
        package let style: Style
        package let cost: Cost
        /// Each of the requests.
        package let requests: [RequestCost]
        /// One for each way to send the requests; none if nothing was timed.
        package let timings: [Timing]
    }
}
