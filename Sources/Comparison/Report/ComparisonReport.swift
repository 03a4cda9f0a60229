/// What a comparison has found.
package struct ComparisonReport: Sendable {
    /// What ran it, and the server.
    package var machine: [(String, String)] = []
    /// What was asked about.
    package var database: [(String, String)] = []
    package var scenarios: [ScenarioReport] = []
    /// Since an earlier report, where there is one to compare with.
    package var changes: [ReportChange]?

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
        /// One for each way to send the requests; none if nothing was timed.
        package let timings: [Timing]
    }
}
