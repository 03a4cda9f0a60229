/// What is found by its name: a field, an argument, an enum's value, a directive.
public protocol NamedElement: Sendable {
    /// The name.
    var name: String { get }
}

/// Elements in their order, quickly found by name.
public struct NamedList<Element: NamedElement>: Sendable {
    private let elements: [Element]
    /// Empty as long as looking at one after the other is as quick.
    private let places: [String: Int]

    /// Those elements; of a name that stands there twice, the first is found.
    public init(_ elements: [Element]) {
        self.elements = elements
        places =
            elements.count <= 8
            ? [:] : Dictionary(elements.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The element of that name, if there is one.
    public subscript(name: String) -> Element? {
        if elements.count > 8 { return places[name].map { elements[$0] } }
        // Comparing unequal strings takes a call; most names already differ in length.
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
    /// The element at that position.
    public subscript(position: Int) -> Element { elements[position] }
    /// Those elements.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}
