/// The costs of the fields and types of a schema, and the maximum lengths of its lists. The cost of an operation is a
/// sum over all objects that its response can contain, so it grows with the number of requested objects.
///
/// - The call of a field costs the weight of the field, 0 by default, plus the weights of the provided arguments, and
///   of the provided fields of input objects in their values.
/// - An object costs the weight of its type, 1 by default, plus its selections. A scalar or enum value costs the weight
///   of its type, 0 by default.
/// - A list costs the cost of one item, multiplied by the maximum number of items.
/// - Selections on an interface or a union have the cost of the most expensive possible object type.
/// - Introspection costs nothing, because other limits apply to it.
///
/// The model is read from the schema, or defined in code. In a text in the schema definition language, the weights and
/// the lengths are the directives `@cost` and `@listSize` ([cost directives
/// draft](https://ibm.github.io/graphql-specs/cost-spec.html)). In code, they are properties of ``SchemaField``,
/// ``SchemaInputValue`` and the types. The draft has separate costs of types and of fields. This model has a single
/// cost, the sum of the costs of types and of fields.
public struct CostModel: Sendable, Hashable {
    /// The maximum length of a list, as specified by `@listSize`.
    public struct ListSize: Sendable, Hashable {
        /// The length if no slicing argument has a value; nil for ``CostModel/assumedListSize``.
        public var assumedSize: Int?
        /// The arguments that specify the length. If several arguments have values, the largest value is used.
        public var slicingArguments: [String]
        /// The list fields of the field's type that have this length, such as `edges` and `nodes` of a connection. If
        /// empty, the length applies to the field itself.
        public var sizedFields: [String]
        /// True if an operation is rejected unless exactly one slicing argument has a value.
        public var requiresOneSlicingArgument: Bool

        /// Creates a list size.
        public init(
            assumedSize: Int? = nil, slicingArguments: [String] = [], sizedFields: [String] = [],
            requiresOneSlicingArgument: Bool = true
        ) {
            self.assumedSize = assumedSize
            self.slicingArguments = slicingArguments
            self.sizedFields = sizedFields
            self.requiresOneSlicingArgument = requiresOneSlicingArgument
        }
    }

    /// The cost of a field.
    public struct FieldCost: Sendable, Hashable {
        /// The cost of each call. If the sum with the weights of the arguments is negative, it counts as 0.
        public var weight: Double
        /// The additional cost of each provided argument, by name.
        public var argumentWeights: [String: Double]
        /// The length of the field's list; nil if it is not specified.
        public var listSize: ListSize?

        /// Creates a field cost.
        public init(weight: Double = 0, argumentWeights: [String: Double] = [:], listSize: ListSize? = nil) {
            self.weight = weight
            self.argumentWeights = argumentWeights
            self.listSize = listSize
        }
    }

    /// The length of lists without a specified length.
    public var assumedListSize: Int
    /// The cost of an object or a leaf value of a type, by type name.
    public var typeWeights: [String: Double] = [:]
    private var fields: [String: [String: FieldCost]] = [:]
    /// The costs of the fields of input objects.
    var inputs = InputWeights()

    /// Creates a model in which each object costs 1.
    public init(assumedListSize: Int = 10) { self.assumedListSize = assumedListSize }

    /// The cost of a field, by the names of the object or interface type and of the field; nil if it is not specified.
    public subscript(type: String, field: String) -> FieldCost? {
        get { fields[type]?[field] }
        set { fields[type, default: [:]][field] = newValue }
    }

    /// Returns the cost of a field, as specified for the type itself or for one of its interfaces.
    func cost(of field: SchemaField, on type: ObjectType) -> FieldCost {
        if let own = self[type.name, field.name] { return own }
        for interface in type.interfaces {
            if let inherited = self[interface.name, field.name] { return inherited }
        }
        return FieldCost()
    }

    /// Returns the cost of one value of a type.
    func weight(of type: String, isComposite: Bool) -> Double {
        max(0, typeWeights[type] ?? (isComposite ? 1 : 0))
    }
}
