import DuetClient
import DuetGraphQL

/// Compares the Swift types of an operation's models with the types of the schema. It does not report errors that the
/// validation rules report, such as unknown fields.
struct ModelCheck {
    let schema: Schema
    let operation: String
    private(set) var errors: [ValidationError] = []

    init(schema: Schema, operation: String) {
        self.schema = schema
        self.operation = operation
    }

    /// Checks all models of a document.
    mutating func check(_ document: OperationDocument) {
        let kind: OperationType =
            switch document.kind {
            case .query: .query
            case .mutation: .mutation
            case .subscription: .subscription
            }
        guard let root = schema.rootType(for: kind) else { return }
        check(document.map, of: .object(root))
    }

    private mutating func check(_ map: ObjectMap, of type: NamedType) {
        for field in map.fields {
            guard let definition = schema.field(named: field.name, on: type) else { continue }
            for reader in field.readers {
                let shape = reader.valueType.shape
                if let message = reader.readsBelow
                    ? message(definition.type, above: shape) : message(shape, definition.type)
                {
                    errors.append(
                        ValidationError(
                            message, operation: operation, model: "\(reader.model)", property: field.responseName,
                            place: reader.place))
                }
            }
            guard let object = field.object, let inner = schema[definition.type], inner.isComposite else { continue }
            checkTypeName(of: object, field, inner)
            check(object, of: inner)
        }
        for typeCase in map.typeCases {
            guard let type = schema.type(named: typeCase.typeName) else { continue }
            check(typeCase.object, of: type)
        }
    }

    /// Checks that the static `typeName` of a model is the name of the field's type.
    private mutating func checkTypeName(of object: ObjectMap, _ field: FieldMap, _ type: NamedType) {
        guard let name = object.typeName, name != type.name else { return }
        let message: String
        if let named = schema.type(named: name) {
            message =
                type.isAbstract && schema.isSubtype(named, of: type)
                ? "\(object.modelName).typeName is \"\(name)\", but the type of the field is \(type.name), which has other object types, too. Read the field with value(on: \"\(name)\")."
                : "\(object.modelName).typeName is \"\(name)\", but the type of the field is \(type.name)."
        } else {
            message = "\(object.modelName).typeName is \"\(name)\", which is not a type of the schema."
        }
        let reader = field.readers.first
        errors.append(
            ValidationError(
                message, operation: operation, model: reader.map { "\($0.model)" } ?? object.modelName,
                property: field.responseName, place: reader?.place))
    }

    /// Returns the error message for a field of the GraphQL type `type` that a model reads as `shape`; `nil` if the
    /// Swift type is correct.
    /// - Parameter subject: The subject of the error message: the field, or the elements of its list.
    private func message(
        _ shape: ValueShape, _ type: GraphQLType, isOptional: Bool = false, subject: String = "The field"
    ) -> String? {
        if case .optional(let wrapped) = shape {
            return message(wrapped, type, isOptional: true, subject: subject)
        }
        // A Swift type that reads any JSON can also read null and lists.
        if shape.readsAnything { return nil }
        guard type.isNonNull || isOptional else {
            return "\(subject) can be null, because its type is \(type). Read \(shape.name)? instead of \(shape.name)."
        }
        switch (shape, type.nullable) {
        case (.list(let element), .list(let inner)):
            return message(element, inner, subject: "An element of the list")
        case (.list, _): return "\(subject) is not a list; its type is \(type). The model reads \(shape.name)."
        case (_, .list):
            // A custom Swift type for a scalar can also read a list.
            return shape.isOwnScalar ? nil : "\(subject) is a list of the type \(type). The model reads \(shape.name)."
        default: return schema[type].flatMap { message(shape, $0) }
        }
    }

    /// Returns the error message for a field of the GraphQL type `type` whose object contains a value that a model
    /// reads as `shape`; `nil` if the model can read the value.
    private func message(_ type: GraphQLType, above shape: ValueShape) -> String? {
        if case .list = type.nullable {
            return "The field is a list of the type \(type). Read its elements as models."
        }
        if case .optional = shape { return nil }
        guard !type.isNonNull, !shape.readsAnything else { return nil }
        return "The field can be null, because its type is \(type). Read \(shape.name)? instead of \(shape.name)."
    }

    private func message(_ shape: ValueShape, _ type: NamedType) -> String? {
        switch (shape, type) {
        case (.enumeration(let swiftType, let values, false), .enum(let type)):
            let missing = type.values.map(\.name).filter { !values.contains($0) }
            if missing.isEmpty { return nil }
            return
                "\(swiftType) has no case for \(missing.joined(separator: ", ")) of the enumeration \(type.name). Add the cases, or conform to GraphQLEnumeration, which has a case for unknown values."
        case (.scalar(let swiftType), .scalar), (.scalar(let swiftType), .enum):
            return BuiltInScalar(swiftType).flatMap { $0.message(swiftType, type) }
        default: return nil
        }
    }
}
