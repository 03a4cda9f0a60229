/// The styles of a scenario that a report opens with.
struct Contenders: Sendable {
    /// REST at its best.
    let rest: ComparisonReport.StyleReport?
    /// GraphQL at its best.
    let graphQL: ComparisonReport.StyleReport?
    /// REST as it is often written, a request for each resource; `nil` if this is REST at its best.
    let simpleREST: ComparisonReport.StyleReport?

    /// One of the two that are compared.
    enum Side: String, Sendable, Hashable, CaseIterable {
        case rest, graphQL

        /// In a sentence.
        var title: String { self == .rest ? "REST" : "GraphQL" }
        var other: Side { self == .rest ? .graphQL : .rest }
    }

    /// Chooses from the styles of a scenario.
    ///
    /// At its best a style sends the fewest requests, and with as many requests the fewest bytes. Both are counted, so the choice is the same on
    /// every machine. One style is chosen for all measures: no client has the bytes of one and the server's time of another. Through a
    /// cache the figures are those of the cache, so these styles do not take part.
    init(_ styles: [ComparisonReport.StyleReport]) {
        let direct = styles.filter { $0.style.cacheState == nil }
        func best(isGraphQL: Bool) -> ComparisonReport.StyleReport? {
            // Of equals the first, which is the simplest.
            direct.filter { $0.style.isGraphQL == isGraphQL }.min {
                ($0.cost.requests, $0.cost.travelled) < ($1.cost.requests, $1.cost.travelled)
            }
        }
        let rest = best(isGraphQL: false)
        self.rest = rest
        graphQL = best(isGraphQL: true)
        simpleREST =
            rest?.style == .restResources ? nil : direct.first { $0.style == .restResources }
    }

    /// The best style of a side.
    subscript(side: Side) -> ComparisonReport.StyleReport? { side == .rest ? rest : graphQL }
}
