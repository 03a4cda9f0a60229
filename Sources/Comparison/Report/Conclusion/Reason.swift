/// Why one style takes less than another, as far as the figures of both show it.
///
/// Bytes are a sum, so `because` is followed by the parts that make the difference. Times are not: `with` is followed by a count that differs in the
/// same direction, and where none does, nothing is said.
struct Reason {
    /// The style that takes less.
    let cheaper: ComparisonReport.StyleReport
    let dearer: ComparisonReport.StyleReport

    /// A clause for a sentence about the cheaper style; `nil` if the figures show no reason.
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

    /// The first count of which the cheaper style has fewer.
    private func fewer(_ counts: [(few: Int?, many: Int?, noun: String)]) -> String? {
        for count in counts {
            if let few = count.few, let many = count.many, few < many {
                return "with \(few.of(count.noun)) instead of \(many.grouped)"
            }
        }
        return nil
    }
}
