import DuetSQLDatabase
import Synchronization

/// The style of a request according to its route. Metrics have it as a label.
enum RequestStyle: UInt8, CaseIterable, AtomicRepresentable {
    /// Neither style: health, documents, and unknown paths.
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
