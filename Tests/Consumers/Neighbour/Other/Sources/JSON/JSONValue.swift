/// Has a name that DuetJSON declares, too.
public enum JSONValue {
    /// A name, which the program prints.
    public static let name = "other JSON"
}
