/// The result of a search with a bound on the rows it reads.
public enum Occurrence: Sendable, Hashable {
    /// A row has it.
    case found
    /// No row has it, at the moment of the search.
    case absent
    /// The rows that were read do not have it, and the table has more rows.
    case undecided
}
