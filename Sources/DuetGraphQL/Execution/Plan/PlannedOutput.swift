/// The type of a field's value or of a list item, and the selections below it.
public final class PlannedOutput: Sendable {
    /// The kinds of output types.
    public enum Kind: Sendable {
        /// A scalar.
        case scalar(ScalarType)
        /// An enum.
        case `enum`(EnumType)
        /// A list, with the type of its items.
        case list(PlannedOutput)
        /// An object type.
        case object(PlannedSelection)
        /// An interface or a union.
        case abstract(AbstractSelection)
    }

    /// The type.
    public let type: GraphQLType
    /// True if the type is non-null.
    public let isNonNull: Bool
    /// The kind of the type without non-null.
    public let kind: Kind
    let leaf: Leaf

    /// The kind of leaf type: a built-in scalar, another leaf type (`other`), or no leaf type (`none`). A comparison of
    /// this byte is faster than a comparison of ``kind``.
    enum Leaf: UInt8, Sendable {
        case none
        case int
        case float
        case string
        case boolean
        case id
        case other
    }

    init(type: GraphQLType, kind: Kind) {
        self.type = type
        isNonNull = type.isNonNull
        self.kind = kind
        switch kind {
        case .scalar(let scalar):
            leaf =
                switch scalar.name {
                case "Int": .int
                case "Float": .float
                case "String": .string
                case "Boolean": .boolean
                case "ID": .id
                default: .other
                }
        case .enum: leaf = .other
        default: leaf = .none
        }
    }

    /// The selections on the type, or on the innermost item type of a list; nil if that type is not an object type.
    public var selection: PlannedSelection? {
        switch kind {
        case .object(let selection): selection
        case .list(let item): item.selection
        default: nil
        }
    }
}
