/// Has a name that the engine declares, too.
public enum Parser {
    /// A name, which the program prints.
    public static let name = "other GraphQL"
}
