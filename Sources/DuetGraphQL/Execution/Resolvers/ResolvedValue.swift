public import NIOCore

/// The result of a resolver for a field of one object.
///
/// Large payloads are indirect, so that values of leaf fields fit in registers.
public enum ResolvedValue: Sendable {
    /// Null.
    case null
    /// An integer.
    case int(Int64)
    /// A floating-point number.
    case double(Double)
    /// A string, or the name of an enum value.
    case string(String)
    /// A Boolean.
    case bool(Bool)
    /// A value of a custom scalar.
    indirect case value(Value)
    /// The JSON of a leaf value. It is not checked.
    indirect case raw(ByteBuffer)
    /// An object of the schema. The payload is the Swift value that the resolvers of the object's fields get as their
    /// source.
    indirect case object(any Sendable)
    /// A list.
    case list([ResolvedValue])
    /// A list whose items are computed while they are written.
    indirect case sequence(ResolvedSequence)
    /// An execution error. If it is not a `GraphQLError`, the client gets the message that
    /// ``ExecutionOptions/message`` returns.
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

    /// A list of objects and nulls.
    public static func objects<Source: Sendable>(_ objects: [Source?]) -> ResolvedValue {
        .sequence(ResolvedSequence(count: objects.count) { .object(orNull: objects[$0]) })
    }

    /// An integer, or null.
    public static func int(orNull number: Int?) -> ResolvedValue { number.map { .int(Int64($0)) } ?? .null }

    /// A floating-point number, or null.
    public static func double(orNull number: Double?) -> ResolvedValue { number.map(ResolvedValue.double) ?? .null }

    /// A Boolean, or null.
    public static func bool(orNull value: Bool?) -> ResolvedValue { value.map(ResolvedValue.bool) ?? .null }

    /// A string, or null.
    public static func string(orNull text: String?) -> ResolvedValue { text.map(ResolvedValue.string) ?? .null }

    /// An integer.
    public static func int(_ number: Int) -> ResolvedValue { .int(Int64(number)) }

    /// Creates a resolved value from a `Value`. If the value is an object, ``FieldResolver/byName`` can read its
    /// fields.
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

    /// The value that is passed to ``ScalarCoercion/serialize``; nil if the value cannot be a value of a scalar.
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
        case .sequence(let sequence):
            {
                var items: [ResolvedValue] = []
                let next = sequence.makeIterator()
                do {
                    while let item = try next() { items.append(item) }
                } catch {
                    return nil
                }
                return ResolvedValue.list(items).leafValue
            }()
        case .raw, .failure: nil
        }
    }
}

/// A list whose items are computed while they are written.
public struct ResolvedSequence: Sendable {
    enum Storage: Sendable {
        case indexed(count: Int, item: @Sendable (Int) throws -> ResolvedValue)
        case iterated(@Sendable () -> () throws -> ResolvedValue?)
    }

    let storage: Storage

    /// Creates a list from a function that returns an iterator function. The iterator function is called for each item
    /// until it returns nil. An error that it throws is an execution error of the list.
    public init(_ makeIterator: @escaping @Sendable () -> () throws -> ResolvedValue?) {
        storage = .iterated(makeIterator)
    }

    /// Creates a list of `count` items. The function is called for each index, in order.
    public init(count: Int, item: @escaping @Sendable (_ index: Int) throws -> ResolvedValue) {
        storage = .indexed(count: count, item: item)
    }

    /// Creates a list that contains the result of `transform` for each element.
    public init<Elements: Sequence & Sendable>(
        _ elements: Elements, _ transform: @escaping @Sendable (Elements.Element) throws -> ResolvedValue
    ) {
        storage = .iterated {
            var iterator = elements.makeIterator()
            return { try iterator.next().map(transform) }
        }
    }

    /// Returns a function that returns the next item; nil at the end.
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
