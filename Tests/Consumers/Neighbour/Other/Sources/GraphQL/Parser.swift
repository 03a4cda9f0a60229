/// A type whose name the engine also declares.
public enum Parser {
    /// A name that the program prints.
    public static let name = "other GraphQL"
}
