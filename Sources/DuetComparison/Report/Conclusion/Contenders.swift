/// The styles of a scenario that a conclusion compares.
struct Contenders: Sendable {
    /// The best REST style.
    let rest: ComparisonReport.StyleReport?
    /// The best GraphQL style.
    let graphQL: ComparisonReport.StyleReport?
    /// The style that sends one request for each resource; nil if it is the best REST style, or if it reads rows and
    /// the best styles read aggregates.
    let simpleREST: ComparisonReport.StyleReport?
    /// The best style that reads the rows; nil if the best styles read the rows.
    let rows: ComparisonReport.StyleReport?

    /// A side of the comparison.
    enum Side: String, Sendable, Hashable, CaseIterable {
        case rest, graphQL

        /// The name in a sentence.
        var title: String { self == .rest ? "REST" : "GraphQL" }
        var other: Side { self == .rest ? .graphQL : .rest }
    }

    /// Selects the best styles of a scenario.
    ///
    /// The best style reads aggregates, if the task has such styles. Otherwise it sends the fewest requests. Among
    /// styles with equal numbers of requests, it sends the fewest bytes. Both numbers are counted, not measured, so the
    /// selection is the same on every machine. One style is selected for all measures, because a client cannot combine
    /// the bytes of one style with the server time of another style. Styles with a cache are excluded, because their
    /// figures describe the cache.
    init(_ styles: [ComparisonReport.StyleReport]) {
        let direct = styles.filter { $0.style.cacheState == nil }
        func best(_ styles: [ComparisonReport.StyleReport]) -> ComparisonReport.StyleReport? {
            // If several styles are equal, `min` returns the first style, which is the simplest.
            styles.min { ($0.cost.requests, $0.cost.travelled) < ($1.cost.requests, $1.cost.travelled) }
        }
        func best(isGraphQL: Bool) -> ComparisonReport.StyleReport? {
            let own = direct.filter { $0.style.isGraphQL == isGraphQL }
            return own.first(where: \.style.readsAggregates) ?? best(own)
        }
        let rest = best(isGraphQL: false)
        self.rest = rest
        graphQL = best(isGraphQL: true)
        let areRows = direct.allSatisfy { !$0.style.readsAggregates }
        rows = areRows ? nil : best(direct.filter { !$0.style.readsAggregates })
        simpleREST =
            rest?.style == .restResources || !areRows ? nil : direct.first { $0.style == .restResources }
    }

    /// Returns the best style of a side.
    subscript(side: Side) -> ComparisonReport.StyleReport? { side == .rest ? rest : graphQL }
}
