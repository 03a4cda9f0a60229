internal import DuetJSON

/// A GraphQL object: fields with unique names, in insertion order.
public struct ObjectValue: Sendable {
    /// One field.
    public typealias Element = (name: String, value: Value)

    private var elements: [Element] = []
    /// The position of each name; empty for an object with few fields, which is searched linearly.
    private var places: [UTF8Text: Int] = [:]
    private static let searched = 12

    /// Creates an object without fields.
    public init() {}

    /// Creates an object with the fields. If a name occurs more than once, the last value is used.
    public init(_ fields: some Sequence<(String, Value)>) {
        for (name, value) in fields { self[name] = value }
    }

    /// Reserves space for `count` fields.
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// The value of the field with the name; nil if there is no such field. Assigning a value replaces or adds the
    /// field. Assigning nil removes it.
    public subscript(name: String) -> Value? {
        get { place(of: name).map { elements[$0].value } }
        set {
            if let place = place(of: name) {
                if let newValue {
                    elements[place].value = newValue
                } else {
                    elements.remove(at: place)
                    places = [:]
                    index()
                }
            } else if let newValue {
                elements.append((name, newValue))
                if elements.count > Self.searched + 1 {
                    places[UTF8Text(name)] = elements.count - 1
                } else {
                    index()
                }
            }
        }
    }

    private mutating func index() {
        guard elements.count > Self.searched else { return }
        for (place, element) in elements.enumerated() { places[UTF8Text(element.name)] = place }
    }

    private func place(of name: String) -> Int? {
        if elements.count > Self.searched { return places[UTF8Text(name)] }
        return elements.firstIndex { $0.name.hasSameUTF8(as: name) }
    }
}

extension ObjectValue: RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of fields.
    public var endIndex: Int { elements.count }
    /// The field at the position.
    public subscript(position: Int) -> Element { elements[position] }
    /// Creates an object with the fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension ObjectValue: Hashable {
    /// Returns true if the objects have the same fields, in any order.
    public static func == (left: ObjectValue, right: ObjectValue) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// Hashes the fields independently of their order.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for (name, value) in self {
            var field = Hasher()
            field.combine(name)
            field.combine(value)
            sum &+= field.finalize()
        }
        hasher.combine(sum)
    }
}
