internal import DuetJSON

/// Fields by name, in the order they were given. A name stands there once.
public struct ObjectValue: Sendable {
    /// One field.
    public typealias Element = (name: String, value: Value)

    private var elements: [Element] = []
    /// Where each name stands, once there are too many fields to look at one by one.
    private var places: [UTF8Text: Int] = [:]
    private static let searched = 12

    /// No fields.
    public init() {}

    /// Those fields; of a name that stands there twice, the last value.
    public init(_ fields: some Sequence<(String, Value)>) {
        for (name, value) in fields { self[name] = value }
    }

    /// Room for that many fields.
    public mutating func reserveCapacity(_ count: Int) { elements.reserveCapacity(count) }

    /// Reading gives the value, if there is one; writing replaces, adds, or (nil) removes it.
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
    /// The field at that position.
    public subscript(position: Int) -> Element { elements[position] }
    /// Those fields, in that order.
    public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}

extension ObjectValue: Hashable {
    /// Objects are equal if they have the same fields, in any order.
    public static func == (left: ObjectValue, right: ObjectValue) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }

    /// The order does not count.
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
