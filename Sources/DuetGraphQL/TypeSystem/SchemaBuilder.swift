/// Creates the parts of a schema from a type-system document. If the document extends a schema, the result includes the
/// parts of that schema.
struct SchemaBuilder {
    private let document: Document
    private let scalars: [String: ScalarCoercion]
    private var extensions: [String: [SourceNode<TypeDefinition>]] = [:]

    init(_ document: Document, scalars: [String: ScalarCoercion]) {
        self.document = document
        self.scalars = scalars
        for case .typeExtension(let definition) in document.definitions {
            extensions[definition.name.value, default: []].append(SourceNode(definition, in: document.source))
        }
    }

    /// Returns the parts that the document defines.
    func parts() -> SchemaParts {
        var parts = SchemaParts()
        add(to: &parts)
        if !parts.definitions.contains(where: { $0.node.isDefinition(in: document) }) {
            let names = Set(parts.types.map(\.name))
            for (operation, name) in [
                (OperationType.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
            ]
            where names.contains(name) && parts.rootTypes[operation] == nil {
                parts.rootTypes[operation] = TypeName(name)
            }
        }
        return parts
    }

    /// Returns the parts of a schema, extended with the document.
    func parts(extending schema: Schema) -> SchemaParts {
        var parts = SchemaParts(
            description: schema.description, directives: Array(schema.directives), rootTypes: schema.rootTypes,
            definitions: schema.definitions)
        parts.types = schema.types.filter {
            ScalarType.specified[$0.name] == nil && IntrospectionTypes.all[$0.name] == nil
        }.map { extended($0, by: extensions[$0.name] ?? []) }
        add(to: &parts)
        return parts
    }

    private func add(to parts: inout SchemaParts) {
        for definition in document.definitions {
            switch definition {
            case .schema(let schema), .schemaExtension(let schema):
                parts.description = schema.description?.value ?? parts.description
                parts.definitions.append(SourceNode(schema, in: document.source))
                for type in schema.operationTypes { parts.rootTypes[type.operation] = TypeName(type.type.value) }
            case .type(let definition):
                let node = SourceNode(definition, in: document.source)
                let name = definition.name.value
                let empty = type(definition.kind, name, definition.description?.value)
                parts.types.append(extended(empty, by: [node] + (extensions[name] ?? [])))
            case .directive(let definition):
                parts.directives.append(directive(definition))
            case .typeExtension, .operation, .fragment: break
            }
        }
        parts.directives = unique(parts.directives)
    }
}

// MARK: - Types

extension SchemaBuilder {
    private func type(_ kind: TypeKind, _ name: String, _ description: String?) -> NamedType {
        switch kind {
        case .scalar:
            .scalar(ScalarType(name, coercion: scalars[name] ?? .unchanged, description: description))
        case .object: .object(ObjectType(name, fields: [], description: description))
        case .interface: .interface(InterfaceType(name, fields: [], description: description))
        case .union: .union(UnionType(name, of: [], description: description))
        case .enum: .enum(EnumType(name, values: [], description: description))
        case .inputObject: .inputObject(InputObjectType(name, fields: [], description: description))
        }
    }

    /// Returns the type, extended with the definitions. If two definitions contain an element with the same name, the
    /// last element is used.
    private func extended(_ type: NamedType, by added: [SourceNode<TypeDefinition>]) -> NamedType {
        let added = added.filter { $0.node.kind == type.kind }
        if added.isEmpty { return type }
        let definitions = type.definitions + added
        let interfaces = type.interfaces + added.flatMap { $0.node.interfaces.map { TypeName($0.value) } }
        switch type {
        case .scalar(let type):
            return .scalar(
                ScalarType(
                    type.name, coercion: scalars[type.name] ?? type.coercion,
                    specifiedByURL: url(added) ?? type.specifiedByURL, description: type.description,
                    weight: weight(added) ?? type.weight, definitions: definitions))
        case .object(let type):
            return .object(
                ObjectType(
                    type.name, implements: interfaces, fields: unique(Array(type.fields) + fields(added)),
                    description: type.description, cacheHint: type.cacheHint ?? cacheHint(added),
                    weight: weight(added) ?? type.weight, definitions: definitions))
        case .interface(let type):
            return .interface(
                InterfaceType(
                    type.name, implements: interfaces, fields: unique(Array(type.fields) + fields(added)),
                    description: type.description, cacheHint: type.cacheHint ?? cacheHint(added),
                    definitions: definitions))
        case .union(let type):
            return .union(
                UnionType(
                    type.name, of: type.memberTypes + added.flatMap { $0.node.memberTypes.map { TypeName($0.value) } },
                    description: type.description, cacheHint: type.cacheHint ?? cacheHint(added),
                    definitions: definitions))
        case .enum(let type):
            return .enum(
                EnumType(
                    type.name, values: unique(Array(type.values) + values(added)), description: type.description,
                    weight: weight(added) ?? type.weight, definitions: definitions))
        case .inputObject(let type):
            let isOneOf = added.contains { $0.node.directives.contains { $0.name.value == "oneOf" } }
            return .inputObject(
                InputObjectType(
                    type.name,
                    fields: unique(Array(type.fields) + added.flatMap { inputValues($0.node.inputFields, $0.source) }),
                    isOneOf: type.isOneOf || isOneOf, description: type.description, definitions: definitions))
        }
    }

    private func unique<Element: NamedElement>(_ elements: [Element]) -> [Element] {
        var places: [String: Int] = [:]
        var result: [Element] = []
        for element in elements {
            if let place = places[element.name] {
                result[place] = element
            } else {
                places[element.name] = result.count
                result.append(element)
            }
        }
        return result
    }

    private func fields(_ definitions: [SourceNode<TypeDefinition>]) -> [SchemaField] {
        definitions.flatMap { definition in
            definition.node.fields.map { field in
                SchemaField(
                    field.name.value, GraphQLType(field.type),
                    arguments: inputValues(field.arguments, definition.source), description: field.description?.value,
                    deprecationReason: deprecationReason(field.directives), cacheHint: CacheHint(field.directives),
                    weight: CostModel.weight(field.directives), listSize: CostModel.ListSize(field.directives),
                    definition: SourceNode(field, in: definition.source))
            }
        }
    }

    private func inputValues(_ definitions: [InputValueDefinition], _ source: Source) -> [SchemaInputValue] {
        unique(
            definitions.map { value in
                SchemaInputValue(
                    value.name.value, GraphQLType(value.type), defaultLiteral: value.defaultValue,
                    description: value.description?.value, deprecationReason: deprecationReason(value.directives),
                    weight: CostModel.weight(value.directives), definition: SourceNode(value, in: source))
            })
    }

    private func values(_ definitions: [SourceNode<TypeDefinition>]) -> [SchemaEnumValue] {
        definitions.flatMap { definition in
            definition.node.values.map { value in
                SchemaEnumValue(
                    value.name.value, description: value.description?.value,
                    deprecationReason: deprecationReason(value.directives),
                    definition: SourceNode(value, in: definition.source))
            }
        }
    }

    private func directive(_ definition: DirectiveDefinition) -> SchemaDirective {
        SchemaDirective(
            definition.name.value, on: definition.locations,
            arguments: inputValues(definition.arguments, document.source), isRepeatable: definition.isRepeatable,
            description: definition.description?.value, definition: SourceNode(definition, in: document.source))
    }

    private func deprecationReason(_ directives: NodeList<Directive>) -> String? {
        guard let directive = directives.first(where: { $0.name.value == "deprecated" }) else { return nil }
        if case .string(let reason, _)? = directive.arguments.first(where: { $0.name.value == "reason" })?.value.kind {
            return reason
        }
        return SchemaDirective.defaultDeprecationReason
    }

    /// Returns the cache hint of the first definition that has one. `@cacheControl` can occur only once in the
    /// definition and the extensions of a type.
    private func cacheHint(_ definitions: [SourceNode<TypeDefinition>]) -> CacheHint? {
        for definition in definitions {
            if let hint = CacheHint(definition.node.directives) { return hint }
        }
        return nil
    }

    private func weight(_ definitions: [SourceNode<TypeDefinition>]) -> Double? {
        for definition in definitions.reversed() {
            if let weight = CostModel.weight(definition.node.directives) { return weight }
        }
        return nil
    }

    private func url(_ definitions: [SourceNode<TypeDefinition>]) -> String? {
        for definition in definitions.reversed() {
            for directive in definition.node.directives where directive.name.value == "specifiedBy" {
                if case .string(let url, _)? = directive.arguments.first(where: { $0.name.value == "url" })?.value.kind
                {
                    return url
                }
            }
        }
        return nil
    }
}

extension SchemaDefinition {
    /// Returns true if this is a `schema` definition of the document, not an extension.
    fileprivate func isDefinition(in document: Document) -> Bool {
        document.definitions.contains { if case .schema(let schema) = $0 { schema.range == range } else { false } }
    }
}
