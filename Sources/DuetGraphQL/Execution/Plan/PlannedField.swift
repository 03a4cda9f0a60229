internal import DuetJSON

/// A field of an operation, with all data that can be computed before execution.
///
/// One planned field replaces all selections with the same response name in one object (a *field set* of
/// CollectFields).
public final class PlannedField: Sendable {
    /// The key of the field's value in the response: the alias if it exists, otherwise the field's name.
    public let responseName: String
    /// The response name as JSON, with the colon: `"key":`.
    public var keyBytes: ArraySlice<UInt8> { key.array[1..<keyCount] }
    /// The field's definition.
    public let field: SchemaField
    /// The object type that the field is selected from.
    public let parentType: ObjectType
    /// The type of the field's value, and the selections below the field.
    public let output: PlannedOutput
    /// A cache in which a ``SubtreeResolver`` can store an object, such as its own plan of the selections.
    public let memo = ResolverMemo()
    let planPosition: PlanPosition
    let resolution: Resolution
    let isSync: Bool
    let arguments: ArgumentPlan
    /// The fields of the document that are merged to this field; at least one.
    let nodes: [Field]
    /// `,"key":`, or `,"key":value` if the value is constant.
    let key: ConstantBytes
    private let keyCount: Int
    /// The resolver if it is synchronous; otherwise a function that returns null.
    let resolve: @Sendable (any Sendable, FieldCall) throws -> ResolvedValue
    let stream: StreamUsage?

    /// The way in which the engine determines the field's value.
    enum Resolution: Sendable {
        /// The plan contains the value.
        case constant
        /// A synchronous resolver returns the value while the response is written.
        case sync
        /// The ``ResolverScheduler`` calls the resolver.
        case asynchronous(ErasedResolver)

        var isSync: Bool {
            if case .sync = self { return true }
            return false
        }
    }

    init(
        responseName: String, field: SchemaField, parentType: ObjectType, output: PlannedOutput,
        planPosition: PlanPosition, resolver: ErasedResolver, constant: String?, arguments: ArgumentPlan,
        nodes: [Field], stream: StreamUsage?
    ) {
        self.responseName = responseName
        self.field = field
        self.parentType = parentType
        self.output = output
        self.planPosition = planPosition
        self.arguments = arguments
        self.nodes = nodes
        self.stream = stream
        var writer = JSONByteWriter(capacity: responseName.utf8.count + 16)
        writer.write(byte: UInt8(ascii: ","))
        writer.write(key: responseName)
        keyCount = writer.bytes.count
        if let constant { writer.write(constant) }
        key = ConstantBytes(writer.bytes)
        switch resolver {
        case .sync(let resolve):
            self.resolve = resolve
            resolution = constant == nil ? .sync : .constant
        default:
            resolve = { _, _ in .null }
            resolution = constant == nil ? .asynchronous(resolver) : .constant
        }
        isSync = constant == nil && resolution.isSync
    }

    /// The field's name.
    public var name: String { field.name }

    /// True for `__typename`, whose value is the name of ``parentType``.
    public var isTypeName: Bool { field.name == IntrospectionTypes.typeNameField.name }

    /// The coerced arguments; nil if an argument contains a variable.
    public var constantArguments: ObjectValue? {
        if case .constant(let arguments) = arguments { return arguments }
        return nil
    }

    /// The selections below the field, if its value is an object of one type or a list of such objects.
    public var selection: PlannedSelection? { output.selection }
}

/// The arguments of a planned field.
enum ArgumentPlan: Sendable {
    /// The coerced values of arguments without variables.
    case constant(ObjectValue)
    /// Arguments with variables. They are coerced once for each request.
    case dependsOnVariables
    /// The execution error of the field, because the coercion failed.
    case invalid(GraphQLError)
}

/// The arguments of a field's `@stream`.
struct StreamUsage: Sendable {
    let initialCount: Int
    let label: String?
}

/// A field's position in a plan. It refers to the position of its parent field, but not to the positions of its
/// subfields.
///
/// A plan position inside a list corresponds to many response positions.
final class PlanPosition: Sendable {
    /// The number of the field in the order of planning. Subfields and later fields have greater numbers.
    let id: Int32
    let parent: PlanPosition?
    let depth: Int32

    init(id: Int32, parent: PlanPosition?) {
        self.id = id
        self.parent = parent
        depth = (parent?.depth ?? 0) + 1
    }
}

/// Bytes at a fixed address. Code that copies the bytes does not retain an array.
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
