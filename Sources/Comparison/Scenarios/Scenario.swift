import DuetJSON

/// A task that clients have, and how each style asks for what it needs.
package struct Scenario: Sendable {
    /// `list-with-histories`.
    package let name: String
    /// What a client wants to do, in words.
    package let task: String
    let resources: Asking<Request>
    let composite: Asking<Request>
    let sparse: Asking<Request>
    /// Everything in one answer that is sent as it is read; `nil` where a task has no such answer.
    let export: Asking<Request>?
    let graphQL: Asking<Operation>
    /// What it writes; `nil` if it reads only.
    let written: Written?
    /// Whether it writes, so that nothing of it can be kept by a cache.
    package var writes: Bool { written != nil }

    /// Returns true if the task can be asked for in a style.
    package func has(_ style: Style) -> Bool { style != .restExport || export != nil }

    /// What a task leaves behind.
    struct Written: Sendable {
        /// Stands in the bodies of the requests for what is written. It is another value of the same length each time, since to write what is
        /// there already is no change.
        let value: String
        /// Where it can be read afterwards,
        let target: String
        /// and what the answer is then.
        let stored: JSONValue
    }

    /// - Parameters:
    ///   - composite: `nil` where there is nothing to bring along: as `resources`.
    ///   - export: `nil` where a task has no such answer.
    ///   - sparse: `nil` where nothing can be left out: as `composite`.
    init(
        _ name: String, _ task: String, resources: Asking<Request>, composite: Asking<Request>? = nil,
        sparse: Asking<Request>? = nil, export: Asking<Request>? = nil, graphQL: Asking<Operation>,
        written: Written? = nil
    ) {
        self.name = name
        self.task = task
        self.resources = resources
        self.composite = composite ?? resources
        self.sparse = sparse ?? composite ?? resources
        self.export = export
        self.graphQL = graphQL
        self.written = written
    }

    /// All of them.
    package static let all: [Scenario] = [
        .names, .publishedExample, .badge, .list, .listWithHistories, .threeLevels, .pages, .search, .report, .write,
        .journey,
        .unknown,
    ]
}
