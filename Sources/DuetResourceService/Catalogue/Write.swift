/// A write that clients can request: its REST path and method, its GraphQL mutation, and the members of its input. Both
/// styles convert a request to a ``Change``. The rules for a change are ``ChangeHook``s of the service.
public struct Write: Sendable, Hashable {
    /// The rows of a write, as the REST path identifies them.
    public enum Place: Sendable, Hashable {
        /// The rows of the resource: `/employees`.
        case list
        /// A row of the resource: `/employees/{employeeNumber}`.
        case item
        /// The related rows of an existing row: `/employees/{employeeNumber}/titles`.
        case related(String)
        /// A related row of an existing row. The key of the existing row and the given fields of the related resource
        /// identify the related row: `/employees/{employeeNumber}/departments/{departmentNumber}`.
        case relatedItem(String, by: [String])

        /// The name of the relation; nil if the write changes a row of the resource itself.
        var relation: String? {
            switch self {
            case .list, .item: nil
            case .related(let name), .relatedItem(let name, _): name
            }
        }
    }

    /// A GraphQL argument that identifies the row of a write.
    public struct KeyArgument: Sendable, Hashable {
        /// The name, such as `employeeId`.
        public var name: String
        /// A sentence for the documentation.
        public var description: String

        /// Creates an argument.
        public init(_ name: String, _ description: String) {
            self.name = name
            self.description = description
        }
    }

    /// A member of the input. It sets a field.
    public struct Input: Sendable, Hashable {
        /// The field.
        public var field: Field
        /// True if the member is required.
        public var isRequired: Bool
        /// A sentence for the documentation of the input.
        public var description: String

        /// Creates a member.
        public init(_ field: Field, required isRequired: Bool, _ description: String) {
            self.field = field
            self.isRequired = isRequired
            self.description = description
        }
    }

    /// The name of the mutation, such as `createEmployee`.
    public var name: String
    /// The kind of the change. It determines the REST method.
    public var kind: Change.Kind
    /// The name of the resource in the path.
    public var resource: String
    /// The rows that the write changes.
    public var place: Place
    /// The arguments that identify the row in GraphQL. In REST, the path identifies the row.
    public var keyArguments: [KeyArgument]
    /// The members of the input.
    public var input: [Input]
    /// A sentence for the documentation.
    public var description: String

    /// Creates a write. These combinations are valid: an insert in ``Place/list`` or ``Place/related(_:)``, an update
    /// or a delete of an ``Place/item``, and an upsert of a ``Place/relatedItem(_:by:)``.
    public init(
        _ name: String, _ kind: Change.Kind, on resource: String, at place: Place, keyArguments: [KeyArgument] = [],
        input: [Input] = [], description: String
    ) {
        self.name = name
        self.kind = kind
        self.resource = resource
        self.place = place
        self.keyArguments = keyArguments
        self.input = input
        self.description = description
    }
}

extension Catalogue {
    /// Returns the resource whose rows a write changes: the target of its relation, or the resource in the path.
    func changedResource(of write: Write) throws(CatalogueError) -> Resource {
        let resource = try required(write.resource)
        guard let name = write.place.relation else { return resource }
        return try target(of: try resource.requiredRelation(name))
    }

    /// Returns the field of each key argument of a write: first the fields of the key in the path, then the fields that
    /// identify the related row.
    func keyFields(of write: Write) throws(CatalogueError) -> [Field] {
        let resource = try required(write.resource)
        switch write.place {
        case .list: return []
        case .item, .related: return resource.keyFields
        case .relatedItem(_, let names):
            let target = try changedResource(of: write)
            return resource.keyFields + names.compactMap(target.field)
        }
    }
}
