/// The location of a value in a JSON document (RFC 6901), such as `/3/name`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The names of members and the positions of elements, from the outside to the inside, without escapes.
    public var elements: [String]

    /// Creates a pointer. Without elements, it is the whole document.
    public init(_ elements: [String] = []) {
        self.elements = elements
    }

    /// The text of the pointer. A slash precedes each element, in which `~` is `~0` and `/` is `~1`.
    public var description: String {
        elements.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }
}
