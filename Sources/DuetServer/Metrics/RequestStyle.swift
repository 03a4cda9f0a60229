import DuetSQLDatabase
import Synchronization

/// The style a request is in, as its route says. What is measured is told apart by it.
enum RequestStyle: UInt8, CaseIterable, AtomicRepresentable {
    /// What is neither: health, documents, and addresses where there is nothing.
    case other
    case rest
    case graphQL

    /// As a label's value.
    var label: String {
        switch self {
        case .other: "other"
        case .rest: "rest"
        case .graphQL: "graphql"
        }
    }

    /// What the database is told, and tells again.
    var origin: TransactionOrigin {
        self == .other ? .unspecified : TransactionOrigin(rawValue: rawValue)
    }

    init(_ origin: TransactionOrigin) {
        self = RequestStyle(rawValue: origin.rawValue) ?? .other
    }
}
