/// An opaque position in the sequence of a database's commits. If two positions are different, a program has committed
/// between the moments at which they were read.
///
/// In contrast to a ``DatabaseVersion``, the position can change a moment before the commit can be read.
struct CommitPosition: Hashable, Sendable {
    enum Kind: Hashable {
        case version(DatabaseVersion)
        /// The file change counter of a SQLite file, and a number that changes each time the file is opened.
        case counter(opening: Int, UInt32)
        /// The positions in the binary log of a server.
        case log(String)
    }

    private let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    /// True if the commit can be read as soon as the position has changed.
    var isReadable: Bool { if case .version = kind { true } else { false } }
}
