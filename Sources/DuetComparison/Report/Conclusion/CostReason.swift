/// The reason why a style costs less than another style, derived from the figures of both styles.
///
/// The total number of bytes is a sum of parts. The reason for a lower number of bytes therefore starts with `because`,
/// and names the parts that account for the difference. A time is not a sum of known parts. The reason for a shorter
/// time therefore starts with `with`, and names a count that is also lower. If no count is lower, there is no reason.
struct CostReason {
    /// The style that costs less.
    let cheaper: ComparisonReport.StyleReport
    let dearer: ComparisonReport.StyleReport

    /// Returns a clause for a sentence about the cheaper style; nil if the figures do not show a reason.
    func text(for measure: KeyMeasure) -> String? {
        let (few, many) = (cheaper.cost, dearer.cost)
        let requests = (few.requests, many.requests, "request")
        return switch measure {
        case .requests: nil
        case .bytes: bytes
        case .time: fewer([(few.rounds, many.rounds, "round trip"), requests])
        case .serverTime: fewer([(few.statements, many.statements, "SQL statement"), requests])
        }
    }

    /// Returns a clause for the first count that is lower in the cheaper style; nil if no count is lower.
    private func fewer(_ counts: [(few: Int?, many: Int?, noun: String)]) -> String? {
        for count in counts {
            if let few = count.few, let many = count.many, few < many {
                return "with \(few.of(count.noun)) instead of \(many.grouped)"
            }
        }
        return nil
    }
}
