public import NIOCore

/// What a resolver gives for a field of one object.
///
/// The large payloads are indirect, so that the many leaves among the values go through registers.
public enum ResolvedValue: Sendable {
    /// No value.
    case null
    /// A whole number.
    case int(Int64)
    /// A number.
    case double(Double)
    /// A text, or the name of an enum's value.
    case string(String)
    /// True or false.
    case bool(Bool)
    /// Any other value of a scalar.
    indirect case value(Value)
    /// A leaf's value that is JSON already; it is written as it is and not checked.
    indirect case raw(ByteBuffer)
    /// An object: what its fields' resolvers are given.
    indirect case object(any Sendable)
    /// A list.
    case list([ResolvedValue])
    /// A list whose items are made one by one, while they are written.
    indirect case sequence(ResolvedSequence)
    /// No value because of an error. A ``GraphQLError`` reaches the client, any other does not.
    case failure(any Error)
}

extension ResolvedValue {
    /// A list of objects.
    @inlinable
    public static func objects<Objects: RandomAccessCollection & Sendable>(_ objects: Objects) -> ResolvedValue
    where Objects.Element: Sendable {
        .sequence(
            ResolvedSequence(count: objects.count) { place in
                .object(objects[objects.index(objects.startIndex, offsetBy: place)])
            })
    }

    /// A list of objects.
    public static func objects<Objects: Sequence & Sendable>(_ objects: Objects) -> ResolvedValue
    where Objects.Element: Sendable {
        .sequence(ResolvedSequence(objects) { .object($0) })
    }

    /// An object, or null.
    public static func object(orNull source: (some Sendable)?) -> ResolvedValue { source.map { .object($0) } ?? .null }

    /// A text, or null.
    public static func string(orNull text: String?) -> ResolvedValue { text.map(ResolvedValue.string) ?? .null }

    /// A whole number.
    public static func int(_ number: Int) -> ResolvedValue { .int(Int64(number)) }

    /// A value of the engine; an object's fields are resolved from it by name, where no resolver does otherwise.
    public init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text), .enum(let text): self = .string(text)
        case .bool(let bool): self = .bool(bool)
        case .list(let items): self = .list(items.map(ResolvedValue.init))
        case .object(let fields): self = .object(fields)
        }
    }

    /// The value that a scalar serializes; nil for what can be none.
    var leafValue: Value? {
        switch self {
        case .null: .null
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .string(let text): .string(text)
        case .bool(let bool): .bool(bool)
        case .value(let value): value
        case .object(let source): source as? Value ?? (source as? ObjectValue).map(Value.object)
        case .list(let items):
            items.reduce(into: [Value]?([])) { values, item in
                guard let value = item.leafValue else {
                    values = nil
                    return
                }
                values?.append(value)
            }.map(Value.list)
        case .raw, .sequence, .failure: nil
        }
    }
}

/// A list whose items are made one by one.
public struct ResolvedSequence: Sendable {
    enum Storage: Sendable {
        case indexed(count: Int, item: @Sendable (Int) throws -> ResolvedValue)
        case iterated(@Sendable () -> () throws -> ResolvedValue?)
    }

    let storage: Storage

    /// The items that a function gives; it is called until it returns nil, or throws, which makes the whole list an error.
    public init(_ makeIterator: @escaping @Sendable () -> () throws -> ResolvedValue?) {
        storage = .iterated(makeIterator)
    }

    /// That many items; a function is asked for each, in order.
    public init(count: Int, item: @escaping @Sendable (_ index: Int) throws -> ResolvedValue) {
        storage = .indexed(count: count, item: item)
    }

    /// What a function makes of each element.
    public init<Elements: Sequence & Sendable>(
        _ elements: Elements, _ transform: @escaping @Sendable (Elements.Element) throws -> ResolvedValue
    ) {
        storage = .iterated {
            var iterator = elements.makeIterator()
            return { try iterator.next().map(transform) }
        }
    }

    /// Gives the items one by one, then nil.
    func makeIterator() -> () throws -> ResolvedValue? {
        switch storage {
        case .iterated(let makeIterator): return makeIterator()
        case .indexed(let count, let item):
            var index = 0
            return {
                guard index < count else { return nil }
                defer { index += 1 }
                return try item(index)
            }
        }
    }
}
