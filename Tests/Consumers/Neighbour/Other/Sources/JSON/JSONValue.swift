/// A type whose name DuetJSON also declares.
public enum JSONValue {
    /// A name that the program prints.
    public static let name = "other JSON"
}
