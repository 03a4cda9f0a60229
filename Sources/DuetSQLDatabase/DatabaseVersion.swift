/// An opaque version of a database's content. If two versions are equal, no process has committed between the moments
/// at which they were read.
///
/// Versions have no order. A version is meaningless to another ``Database``.
public struct DatabaseVersion: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A SQLite file: a number that changes each time the file is opened, and the state of its write-ahead log,
        /// which changes with each commit.
        case log(opening: Int, WriteAheadLogIndex.State)
        /// MariaDB with a single writer: the number of write transactions of this ``Database`` that have ended.
        case writes(Int)
    }

    let kind: Kind

    /// Returns true if exactly one commit is between another version of a SQLite file and this one.
    func isNext(to other: DatabaseVersion) -> Bool {
        guard case .log(let firstOpening, let first) = other.kind, case .log(let secondOpening, let second) = kind
        else { return false }
        return firstOpening == secondOpening && second.changes == first.changes &+ 1
    }
}
