internal import DuetJSON
internal import NIOCore

/// A field of an operation with all that can be known before there is any data: one node for all places in the document that are
/// merged into it.
public final class PlannedField: Sendable {
    /// The key under which its value stands in the response.
    public let responseKey: String
    /// The response key as JSON, with the colon: `"key":`.
    public var keyBytes: ArraySlice<UInt8> { key.array[1..<keyCount] }
    /// The field's definition.
    public let field: SchemaField
    /// The object type it is selected from.
    public let parentType: ObjectType
    /// What its value must be, and what is selected from it.
    public let output: PlannedOutput
    /// Room for what a subtree resolver makes of the selection, so that it is made once.
    public let memo = ResolverMemo()
    /// Where in the plan it is.
    let place: PlanPlace
    let resolution: Resolution
    let isSync: Bool
    let arguments: Arguments
    /// The nodes it was merged from; at least one.
    let nodes: [Field]
    /// `,"key":`, or all of `,"key":value` if the value is known.
    let key: ConstantBytes
    private let keyCount: Int
    /// What is called if it answers at once.
    let resolve: @Sendable (any Sendable, FieldContext) throws -> ResolvedValue
    /// What of `@stream` the operation asks for.
    let stream: StreamUsage?

    /// How it comes to its value.
    enum Resolution: Sendable {
        /// The value is known.
        case constant
        /// At once.
        case sync
        /// Not now.
        case later(FieldResolver)

        var isSync: Bool {
            if case .sync = self { return true }
            return false
        }
    }

    enum Arguments: Sendable {
        case constant(ObjectValue)
        case needVariables
        case invalid(GraphQLError)
    }

    init(
        responseKey: String, field: SchemaField, parentType: ObjectType, output: PlannedOutput, place: PlanPlace,
        resolver: FieldResolver, constant: String?, arguments: Arguments, nodes: [Field], stream: StreamUsage?
    ) {
        self.responseKey = responseKey
        self.field = field
        self.parentType = parentType
        self.output = output
        self.place = place
        self.arguments = arguments
        self.nodes = nodes
        self.stream = stream
        var writer = JSONWriter(capacity: responseKey.utf8.count + 16)
        writer.write(byte: UInt8(ascii: ","))
        writer.write(key: responseKey)
        keyCount = writer.buffer.readableBytes
        if let constant { writer.write(constant) }
        key = ConstantBytes(Array(writer.buffer.readableBytesView))
        switch resolver {
        case .sync(let resolve):
            self.resolve = resolve
            resolution = constant == nil ? .sync : .constant
        default:
            resolve = { _, _ in .null }
            resolution = constant == nil ? .later(resolver) : .constant
        }
        isSync = constant == nil && resolution.isSync
    }

    /// The field's name.
    public var name: String { field.name }

    /// Whether it is `__typename`; its value is the name of ``parentType``.
    public var isTypeName: Bool { field.name == IntrospectionTypes.typeNameField.name }

    /// Its coerced arguments, if no variable is in them.
    public var constantArguments: ObjectValue? {
        if case .constant(let arguments) = arguments { return arguments }
        return nil
    }

    /// What is selected from its value, if that is always an object of one type, or a list of such.
    public var selection: PlannedSelection? { output.selection }
}

/// A place in a plan. Places know what is above them, and nothing of what is below.
final class PlanPlace: Sendable {
    /// Counted in the order of planning; a field's number is less than those of the fields after it and below it.
    let id: Int32
    let parent: PlanPlace?
    let depth: Int32

    init(id: Int32, parent: PlanPlace?) {
        self.id = id
        self.parent = parent
        depth = (parent?.depth ?? 0) + 1
    }
}

/// `@stream(initialCount:, label:)`.
struct StreamUsage: Sendable {
    let initialCount: Int
    let label: String?
}

/// Bytes that never move, so that copying them counts no references.
final class ConstantBytes: Sendable {
    let array: [UInt8]
    nonisolated(unsafe) let start: UnsafeRawPointer
    let count: Int

    init(_ bytes: [UInt8]) {
        array = bytes
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
        start = UnsafeRawPointer(copy)
        count = bytes.count
    }

    deinit { start.deallocate() }
}
