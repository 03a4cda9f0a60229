/// Stands for what a database holds: as long as it is the same, nobody has committed anything, through this process or another.
///
/// Versions say nothing about order, and mean nothing to another ``Database``.
public struct DatabaseVersion: Sendable, Hashable {
    /// Which opening of the file the state is of.
    let opening: Int
    /// Another one after each commit.
    let state: WriteAheadLogIndex.State
}
