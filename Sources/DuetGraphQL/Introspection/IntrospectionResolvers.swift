/// The resolvers of the introspection fields (specification, section 4).
///
/// The Swift value of a `__Type` is a ``GraphQLType``. The Swift value of any other introspection type is the schema or
/// one of its elements, such as a ``SchemaField``.
enum IntrospectionResolvers {
    typealias Resolve = @Sendable (any Sendable, FieldCall) throws -> ResolvedValue

    /// Returns the resolver of `__schema`, `__type`, or a field of an introspection type.
    static func resolver(of field: String, on type: String) -> Resolve? {
        switch (type, field) {
        case (_, "__schema"): return { _, context in .object(context.operation.schema) }
        case (_, "__type"): return type(_:context:)
        case ("__Schema", _): return schema[field].map(on(Schema.self))
        case ("__Type", _): return self.type[field].map(on(GraphQLType.self))
        case ("__Field", _): return self.field[field].map(on(SchemaField.self))
        case ("__InputValue", _): return inputValue[field].map(on(SchemaInputValue.self))
        case ("__EnumValue", _): return enumValue[field].map(on(SchemaEnumValue.self))
        case ("__Directive", _): return directive[field].map(on(SchemaDirective.self))
        default: return nil
        }
    }

    private typealias Getter<Source> = @Sendable (Source, FieldCall) -> ResolvedValue

    private static func on<Source: Sendable>(_ type: Source.Type) -> (@escaping Getter<Source>) -> Resolve {
        { get in
            { source, context in try get(SourceCast.cast(source, to: Source.self), context) }
        }
    }

    @Sendable
    private static func type(_ source: any Sendable, context: FieldCall) -> ResolvedValue {
        guard case .string(let name)? = context["name"],
            let type = context.operation.schema.type(.named(Name(name)))
        else { return .null }
        return .object(type)
    }

    // MARK: - The fields of each type

    private static let schema: [String: Getter<Schema>] = [
        "description": { schema, _ in .string(orNull: schema.description) },
        "types": { schema, _ in
            .sequence(
                ResolvedSequence(count: schema.types.count) { .object(schema.reference(to: schema.types[$0])) })
        },
        "queryType": { schema, _ in root(.query, of: schema) },
        "mutationType": { schema, _ in root(.mutation, of: schema) },
        "subscriptionType": { schema, _ in root(.subscription, of: schema) },
        "directives": { schema, _ in .objects(schema.directives) },
    ]

    private static func root(_ operation: OperationType, of schema: Schema) -> ResolvedValue {
        schema.rootTypeName(for: operation).map { .object(GraphQLType.named($0)) } ?? .null
    }

    private static let type: [String: Getter<GraphQLType>] = [
        "kind": { type, context in
            switch type {
            case .list: return .string("LIST")
            case .nonNull: return .string("NON_NULL")
            case .named:
                switch named(type, context) {
                case .scalar?: return .string("SCALAR")
                case .object?: return .string("OBJECT")
                case .interface?: return .string("INTERFACE")
                case .union?: return .string("UNION")
                case .enum?: return .string("ENUM")
                case .inputObject?: return .string("INPUT_OBJECT")
                case nil: return .null
                }
            }
        },
        "name": { type, _ in
            if case .named(let name) = type { .string(name.name) } else { .null }
        },
        "description": { type, context in .string(orNull: named(type, context)?.description) },
        "specifiedByURL": { type, context in
            if case .scalar(let scalar)? = named(type, context) {
                .string(orNull: scalar.specifiedByURL)
            } else {
                .null
            }
        },
        "fields": { type, context in
            guard let fields = named(type, context)?.fields else { return .null }
            return elements(fields, context) { $0.deprecationReason }
        },
        "interfaces": { type, context in
            switch named(type, context) {
            case .object(let type)?: .objects(type.interfaces.map(GraphQLType.named))
            case .interface(let type)?: .objects(type.interfaces.map(GraphQLType.named))
            default: .null
            }
        },
        "possibleTypes": { type, context in
            guard let type = named(type, context), type.isAbstract else { return .null }
            let schema = context.operation.schema
            return .objects(schema.possibleTypes(of: type).map { schema.reference(to: .object($0)) })
        },
        "enumValues": { type, context in
            guard case .enum(let type)? = named(type, context) else { return .null }
            return elements(type.values, context) { $0.deprecationReason }
        },
        "inputFields": { type, context in
            guard case .inputObject(let type)? = named(type, context) else { return .null }
            return elements(type.fields, context) { $0.deprecationReason }
        },
        "ofType": { type, _ in
            switch type {
            case .list(let inner), .nonNull(let inner): .object(inner)
            case .named: .null
            }
        },
        "isOneOf": { type, context in
            if case .inputObject(let type)? = named(type, context) { .bool(type.isOneOf) } else { .null }
        },
    ]

    private static let field: [String: Getter<SchemaField>] = [
        "name": { field, _ in .string(field.name) },
        "description": { field, _ in .string(orNull: field.description) },
        "args": { field, context in elements(field.arguments, context) { $0.deprecationReason } },
        "type": { field, _ in .object(field.type) },
        "isDeprecated": { field, _ in .bool(field.deprecationReason != nil) },
        "deprecationReason": { field, _ in .string(orNull: field.deprecationReason) },
    ]

    private static let inputValue: [String: Getter<SchemaInputValue>] = [
        "name": { value, _ in .string(value.name) },
        "description": { value, _ in .string(orNull: value.description) },
        "type": { value, _ in .object(value.type) },
        "defaultValue": { value, context in
            .string(orNull: context.operation.schema.literal(ofDefault: value).map { Printer.print($0) })
        },
        "isDeprecated": { value, _ in .bool(value.deprecationReason != nil) },
        "deprecationReason": { value, _ in .string(orNull: value.deprecationReason) },
    ]

    private static let enumValue: [String: Getter<SchemaEnumValue>] = [
        "name": { value, _ in .string(value.name) },
        "description": { value, _ in .string(orNull: value.description) },
        "isDeprecated": { value, _ in .bool(value.deprecationReason != nil) },
        "deprecationReason": { value, _ in .string(orNull: value.deprecationReason) },
    ]

    private static let directive: [String: Getter<SchemaDirective>] = [
        "name": { directive, _ in .string(directive.name) },
        "description": { directive, _ in .string(orNull: directive.description) },
        "isRepeatable": { directive, _ in .bool(directive.isRepeatable) },
        "locations": { directive, _ in .list(directive.locations.map { .string($0.rawValue) }) },
        "args": { directive, context in elements(directive.arguments, context) { $0.deprecationReason } },
    ]

    // MARK: - Helpers

    private static func named(_ type: GraphQLType, _ context: FieldCall) -> NamedType? {
        guard case .named(let name) = type else { return nil }
        return context.operation.schema[name]
    }

    /// Returns a list of the elements. Deprecated elements are omitted unless `includeDeprecated` is true.
    private static func elements<Element: NamedElement>(
        _ elements: NamedList<Element>, _ context: FieldCall, reason: (Element) -> String?
    ) -> ResolvedValue {
        if context["includeDeprecated"] == .bool(true) { return .objects(elements) }
        return .objects(elements.filter { reason($0) == nil })
    }
}

extension Schema {
    /// Returns a reference to a type of this schema. The reference contains the type's index, so its resolution needs
    /// no search.
    fileprivate func reference(to type: NamedType) -> GraphQLType {
        self.type(.named(Name(type.name))) ?? .named(TypeName(type.name))
    }
}
