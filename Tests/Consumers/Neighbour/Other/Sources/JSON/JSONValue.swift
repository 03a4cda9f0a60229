/// Has a name that DuetJSON declares, too.
public enum JSONValue {
    public static let name = "other JSON"
}
