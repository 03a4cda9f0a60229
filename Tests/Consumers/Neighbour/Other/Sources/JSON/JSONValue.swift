/// Has a name that DuetJSON declares, too.
public enum JSONValue {
    /// The module, to be printed.
    public static let name = "other JSON"
}
