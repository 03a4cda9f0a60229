/// What the fields and types of a schema cost, and how long its lists become. The cost of an operation is the sum over all objects
/// it can answer with, so that it grows as the rows do that are asked for.
///
/// - Calling a field costs its weight, 0 unless something else is said, and the weights of the arguments that are written.
/// - An object costs its type's weight, 1 unless something else is said, and what is selected from it. Scalars and enums cost 0
///   unless something else is said.
/// - A list costs that as often as it has items at most.
/// - What is selected from an interface or a union costs as much as for the most expensive of its types.
/// - Questions about the schema cost nothing, as there are other limits for them.
///
/// It is read from the directives `@cost` and `@listSize` of the schema ([cost directives
/// draft](https://ibm.github.io/graphql-specs/cost-spec.html)) or filled in code. In difference to the draft, the weights of fields
/// and types add up to one number, and the weights of input fields do not count.
public struct CostModel: Sendable, Hashable {
    /// How long a list becomes at most: `@listSize`.
    public struct ListSize: Sendable, Hashable {
        /// The length if no slicing argument has a value; nil for ``CostModel/assumedListSize``.
        public var assumedSize: Int?
        /// The arguments whose values are the length; of several the largest.
        public var slicingArguments: [String]
        /// The fields of the field's type that have that length, as a connection's `edges` and `nodes`; empty if it is the
        /// field itself.
        public var sizedFields: [String]
        /// Whether an operation is refused in which not exactly one slicing argument has a value.
        public var requiresOneSlicingArgument: Bool

        /// A length.
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

    /// What a field costs.
    public struct FieldCost: Sendable, Hashable {
        /// What each call costs; what it costs with its arguments' weights is never less than 0.
        public var weight: Double
        /// What an argument adds to that if it is written, by name.
        public var argumentWeights: [String: Double]
        /// How long its list becomes; nil if nothing is said.
        public var listSize: ListSize?

        /// What a field costs.
        public init(weight: Double = 0, argumentWeights: [String: Double] = [:], listSize: ListSize? = nil) {
            self.weight = weight
            self.argumentWeights = argumentWeights
            self.listSize = listSize
        }
    }

    /// The length of lists of which nothing is said.
    public var assumedListSize: Int
    /// What an object or a leaf value of a type costs, by the type's name.
    public var typeWeights: [String: Double] = [:]
    private var fields: [String: [String: FieldCost]] = [:]

    /// A model in which each object costs 1.
    public init(assumedListSize: Int = 10) { self.assumedListSize = assumedListSize }

    /// What is said of a field, by the names of its object or interface type and its own.
    public subscript(type: String, field: String) -> FieldCost? {
        get { fields[type]?[field] }
        set { fields[type, default: [:]][field] = newValue }
    }

    /// What is said of a field: of the type's own or else of an interface's.
    func cost(of field: SchemaField, on type: ObjectType) -> FieldCost {
        if let own = self[type.name, field.name] { return own }
        for interface in type.interfaces {
            if let inherited = self[interface.name, field.name] { return inherited }
        }
        return FieldCost()
    }

    /// What one value of a type costs.
    func weight(of type: String, isComposite: Bool) -> Double {
        max(0, typeWeights[type] ?? (isComposite ? 1 : 0))
    }
}
