/// Has a name that the engine declares, too.
public enum Parser {
    /// The module, to be printed.
    public static let name = "other GraphQL"
}
