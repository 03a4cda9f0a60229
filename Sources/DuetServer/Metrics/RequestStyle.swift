import DuetSQLDatabase
import Synchronization

/// The style of a request according to its route. It is a label of the metrics.
enum RequestStyle: UInt8, CaseIterable, AtomicRepresentable {
    /// Neither style: health checks, documents of the API, and unknown paths.
    case other
    case rest
    case graphQL

    /// The value of the label.
    var label: String {
        switch self {
        case .other: "other"
        case .rest: "rest"
        case .graphQL: "graphql"
        }
    }

    /// The origin that the database reports with each observation.
    var origin: TransactionOrigin {
        self == .other ? .unspecified : TransactionOrigin(rawValue: rawValue)
    }

    init(_ origin: TransactionOrigin) {
        self = RequestStyle(rawValue: origin.rawValue) ?? .other
    }
}
