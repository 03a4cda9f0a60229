import DuetSQLDatabase
import Synchronization

/// The API style of a request: REST, GraphQL or neither. The route of the request determines the style. In the metrics,
/// the style is a label.
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

    /// The origin of the request's transactions. The database reports the origin with each statement.
    var origin: TransactionOrigin {
        self == .other ? .unspecified : TransactionOrigin(rawValue: rawValue)
    }

    init(_ origin: TransactionOrigin) {
        self = RequestStyle(rawValue: origin.rawValue) ?? .other
    }
}
