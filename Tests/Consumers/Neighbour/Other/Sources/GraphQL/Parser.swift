/// Has a name that the engine declares, too.
public enum Parser {
    public static let name = "other GraphQL"
}
