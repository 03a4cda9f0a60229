/// What was measured.
enum Measure: Sendable {
    /// Counted; the same each time.
    case count(Int)
    /// Measured, with an interval where there is one.
    case number(Double, low: Double? = nil, high: Double? = nil)

    static func number(_ estimate: Estimate) -> Measure {
        .number(estimate.median, low: estimate.low, high: estimate.high)
    }
}
