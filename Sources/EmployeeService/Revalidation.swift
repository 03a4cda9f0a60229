public import SQLDatabase

/// A read whose answer may be known already: as long as nobody has written to the database since, it is the same.
public struct Revalidation: Sendable, Hashable {
    /// When the answer was read that is known; `nil` if none is, and only the version of the new one is wanted.
    public var version: DatabaseVersion?

    /// A read whose answer was the known one at that version.
    public init(_ version: DatabaseVersion?) {
        self.version = version
    }
}
