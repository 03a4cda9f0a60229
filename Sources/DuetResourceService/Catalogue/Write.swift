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

    /// The origin of a write. It determines the arguments of the mutation, and the accepted values.
    public enum Origin: Sendable, Hashable {
        /// The program declares the write. The mutation has the argument `input`, which contains the key and the
        /// values. Texts must not be blank, and members must not be null.
        case declared
        /// The write follows from the rules of the resource (``Resource/writes``). The mutation has an argument for
        /// each field of the key, and the values are in `input` (of a new row) or `patch` (of an existing row). All
        /// values are accepted that responses can contain.
        case derived
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
    /// The origin.
    public internal(set) var origin = Origin.declared
    /// True if a request has a list of new rows, or changes all rows that match a filter.
    public private(set) var isMany = false
    /// True if the body of a REST request can be a list of new rows. In GraphQL, another write accepts the list.
    public internal(set) var acceptsList = false
    /// The name of the resource whose rows link the row in the path to a related row, if the write adds or removes such
    /// a link; nil for any other write. The kind of the write is then ``Change/Kind/upsert`` or
    /// ``Change/Kind/delete``.
    public internal(set) var link: String?
    /// True if GraphQL has a mutation for the write. False if another mutation makes the same change.
    public internal(set) var hasMutation = true
    /// The name of the write of one row, whose input has the same members.
    private(set) var singleName: String?

    /// Creates a write. These combinations are valid: an insert in ``Place/list`` or ``Place/related(_:)``, an update
    /// or a delete of an ``Place/item``, and an upsert of a ``Place/relatedItem(_:by:)``. A derived write can also be a
    /// replacement of an ``Place/item``, an update or a delete in ``Place/list``, and a delete of a
    /// ``Place/relatedItem(_:by:)``.
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

extension Write {
    /// Returns the writes that follow from the rules of a resource (``Resource/writes``).
    /// - Parameter types: The types of all resources. A write of several rows has the plural name of the resource,
    ///   unless a type has this name.
    static func derived(of resource: Resource, types: Set<String>) -> [Write] {
        let rules = resource.writes
        let type = resource.type
        let plural = resource.name.capitalizedFirst
        let many = types.contains(plural) ? "\(type)List" : plural
        var writes: [Write] = []
        func add(
            _ verb: String, _ kind: Change.Kind, _ place: Place, _ fields: [String], _ description: String,
            isMany: Bool = false, isRequired: (Field) -> Bool = { _ in false }
        ) {
            let arguments =
                kind == .replace ? resource.keyFields.map { (name: $0.name, field: $0) } : resource.itemArguments
            var write = Write(
                "\(verb)\(isMany ? many : type)", kind, on: resource.name, at: place,
                keyArguments: place == .item ? arguments.map { KeyArgument($0.name, $0.field.description) } : [],
                input: fields.compactMap(resource.declaredField).map {
                    Input($0, required: isRequired($0), $0.description)
                }, description: description)
            write.origin = .derived
            write.isMany = isMany
            write.acceptsList = kind == .insert && !isMany && resource.hasKey
            write.singleName = "\(verb)\(type)"
            writes.append(write)
        }
        if let create = rules.create {
            let isRequired: (Field) -> Bool = { $0.isRequiredForCreate && create.set[$0.name] == nil }
            add(
                "create", .insert, .list, create.fields, "Creates a row of \(resource.name).", isRequired: isRequired)
            if resource.hasKey {
                add(
                    "create", .insert, .list, create.fields,
                    "Creates rows of \(resource.name): all of them, or none.", isMany: true, isRequired: isRequired)
            }
        }
        guard resource.hasItems else { return writes }
        if resource.isReplaceable {
            add(
                "upsert", .replace, .item, resource.replaceableFields,
                "Creates a row of \(resource.name) with a key, or replaces its values. A field without a value gets its default value, or null."
            ) { resource.key.contains($0.name) || resource.requires($0) }
        }
        if let update = rules.update, !update.fields.isEmpty {
            add("update", .update, .item, update.fields, "Changes a row of \(resource.name).")
            add(
                "update", .update, .list, update.fields,
                "Changes the \(resource.name) that match a filter: all of them, or none.", isMany: true)
        }
        if rules.delete != nil {
            add("delete", .delete, .item, [], "Removes a row of \(resource.name).")
            add(
                "delete", .delete, .list, [],
                "Removes the \(resource.name) that match a filter: all of them, or none.", isMany: true)
        }
        return writes
    }

    /// The names of the arguments that mutations have in addition to the fields of the key. If rows can be written, no
    /// field of the key has one of these names.
    package static let argumentNames = ["input", "inputs", "patch", Precondition.required, Precondition.excluded]

    /// The name of the argument with the values in GraphQL.
    var valuesArgument: String {
        switch kind {
        case .update where origin == .derived: "patch"
        case .insert where isMany: "inputs"
        default: "input"
        }
    }
}

extension Resource {
    /// True if a request can determine the whole key of a new row.
    var createsWithKey: Bool {
        guard let create = writes.create, hasKey else { return false }
        return key.allSatisfy(create.fields.contains)
    }

    /// True if a request can replace the values of a row, or create the row with this key.
    fileprivate var isReplaceable: Bool {
        createsWithKey || writes.update?.fields.isEmpty == false && keyFields.allSatisfy(\.isOwnWritable)
    }

    /// The names of the fields that a replacement can set, either in a new row or in an existing row.
    fileprivate var replaceableFields: [String] {
        let names = Set(key + (createsWithKey ? writes.create?.fields ?? [] : []) + (writes.update?.fields ?? []))
        return fields.map(\.name).filter(names.contains)
    }

    /// Returns true if a replacement always needs a value for a field, both in a new row and in an existing row.
    fileprivate func requires(_ field: Field) -> Bool {
        let (create, update) = (createsWithKey ? writes.create : nil, writes.update)
        let isOptionalInNewRow = create.map { !$0.fields.contains(field.name) || $0.set[field.name] != nil }
        let isKept = update.map { !$0.fields.contains(field.name) || $0.set[field.name] != nil }
        return field.isRequiredForCreate && isOptionalInNewRow != true && isKept != true
    }
}

extension Catalogue {
    /// True if clients can make changes that follow from the rules of resources.
    package var hasDerivedWrites: Bool { writes.contains { $0.origin == .derived } }

    /// Returns the resource whose rows a write changes: the rows of a link, the target of its relation, or the resource
    /// in the path.
    func changedResource(of write: Write) throws(CatalogueError) -> Resource {
        if let link = write.link { return try required(link) }
        return try shownResource(of: write)
    }

    /// Returns the resource of the rows that the path of a write identifies: the target of its relation, or the
    /// resource in the path.
    func shownResource(of write: Write) throws(CatalogueError) -> Resource {
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
            let target = try shownResource(of: write)
            return resource.keyFields + names.compactMap(target.field)
        }
    }
}
