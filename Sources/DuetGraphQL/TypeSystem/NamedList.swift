/// An element with a name: a type, a field, an argument, an enum value, or a directive.
public protocol NamedElement: Sendable {
    /// The name.
    var name: String { get }
}

/// A list of elements with a fast lookup by name.
public struct NamedList<Element: NamedElement>: Sendable {
    private let elements: [Element]
    /// The positions of the elements by name; empty for a short list, for which a linear search is as fast.
    private let places: [String: Int]

    /// Creates a list of the elements. If a name occurs more than once, a lookup returns the first element.
    public init(_ elements: [Element]) {
        self.elements = elements
        places =
            elements.count <= 8
            ? [:] : Dictionary(elements.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The element with the name, if it exists.
    public subscript(name: String) -> Element? {
        if elements.count > 8 { return places[name].map { elements[$0] } }
        // Most unequal names differ in length, so comparing the lengths first avoids most string comparisons, which are
        // function calls.
        let count = name.utf8.count
        for element in elements where element.name.utf8.count == count && element.name == name { return element }
        return nil
    }
}

extension NamedList: RandomAccessCollection, ExpressibleByArrayLiteral {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { elements.count }
    /// The element at the position.
    public subscript(position: Int) -> Element { elements[position] }
    /// Creates a list of the elements.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}
