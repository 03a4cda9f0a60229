/// Stands for what a database holds: as long as it is the same, nobody has committed anything, through this process or another.
///
/// Versions say nothing about order, and mean nothing to another ``Database``.
public struct DatabaseVersion: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// Which opening of a SQLite file, and a state of its write-ahead log, which is another one after each commit.
        case log(opening: Int, WriteAheadLogIndex.State)
        /// How many write transactions this process has ended.
        case writes(Int)
    }

    let kind: Kind
}
