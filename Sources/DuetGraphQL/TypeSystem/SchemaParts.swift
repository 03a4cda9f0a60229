/// The parts of a schema, with unresolved references.
struct SchemaParts {
    var description: String?
    var types: [NamedType] = []
    var directives: [SchemaDirective] = []
    var rootTypes: [OperationType: TypeName] = [:]
    var definitions: [SourceNode<SchemaDefinition>] = []
    /// True if the names must be checked, because they come from code and not from a document.
    var checksNames = false
}

/// Converts references by name to references by index.
struct SchemaResolver {
    private(set) var types: [NamedType] = []
    private(set) var directives: [SchemaDirective] = []
    private(set) var places: [String: Int] = [:]
    private(set) var rootTypes: [OperationType: TypeName] = [:]

    init(_ parts: SchemaParts) throws(GraphQLErrors) {
        var errors: [GraphQLError] = []
        // The built-in types are the same in every schema. Definitions with the names of built-in types are ignored.
        let given = parts.types.filter {
            ScalarType.specified[$0.name] == nil && IntrospectionTypes.all[$0.name] == nil
        }
        let givenDirectives =
            parts.directives
            + SchemaDirective.specified.filter { directive in
                !parts.directives.contains { $0.name == directive.name }
            }
        let used = Self.usedNames(given + Array(IntrospectionTypes.all), givenDirectives)
        let scalars = ScalarType.specified.filter { used.contains($0.name) }
        let all = given + scalars + Array(IntrospectionTypes.all)
        for (place, type) in all.enumerated() where places.updateValue(place, forKey: type.name) != nil {
            errors.append(
                GraphQLError(
                    "Schema must contain uniquely named types but contains multiple types named \"\(type.name)\"."))
        }
        let known = places
        for name in used.union(parts.rootTypes.values.map(\.name)).sorted() where known[name] == nil {
            errors.append(
                GraphQLError("Unknown type \"\(name)\"." + Suggestions.didYouMean(name, among: Array(known.keys))))
        }
        if parts.checksNames { errors += NameCheck.errors(in: given, parts.directives) }
        if !errors.isEmpty { throw GraphQLErrors(errors) }
        rootTypes = parts.rootTypes.mapValues { [places] in TypeName($0.name, index: places[$0.name] ?? -1) }
        types = all.map(resolve)
        directives = givenDirectives.map(resolve)
    }

    private static func usedNames(_ types: [NamedType], _ directives: [SchemaDirective]) -> Set<String> {
        var names: Set<String> = []
        for type in types {
            for name in type.interfaces { names.insert(name.name) }
            for field in type.fields ?? [] {
                names.insert(field.type.typeName.name)
                for argument in field.arguments { names.insert(argument.type.typeName.name) }
            }
            if case .union(let union) = type { names.formUnion(union.memberTypes.map(\.name)) }
            if case .inputObject(let input) = type { names.formUnion(input.fields.map(\.type.typeName.name)) }
        }
        for directive in directives {
            for argument in directive.arguments { names.insert(argument.type.typeName.name) }
        }
        return names
    }
}

// MARK: - Resolving

extension SchemaResolver {
    func resolve(_ name: TypeName) -> TypeName { TypeName(name.name, index: places[name.name] ?? -1) }

    func resolve(_ field: SchemaField) -> SchemaField {
        field.replacing(field.type.replacingName(resolve), arguments: field.arguments.map(resolve))
    }

    private func resolve(_ value: SchemaInputValue) -> SchemaInputValue {
        SchemaInputValue(
            value.name, value.type.replacingName(resolve), defaultLiteral: value.defaultLiteral,
            description: value.description, deprecationReason: value.deprecationReason, weight: value.weight,
            definition: value.definition)
    }

    private func resolve(_ directive: SchemaDirective) -> SchemaDirective {
        SchemaDirective(
            directive.name, on: directive.locations, arguments: directive.arguments.map(resolve),
            isRepeatable: directive.isRepeatable, description: directive.description, definition: directive.definition)
    }

    private func resolve(_ type: NamedType) -> NamedType {
        switch type {
        case .scalar, .enum: type
        case .object(let type):
            .object(
                ObjectType(
                    type.name, implements: type.interfaces.map(resolve), fields: type.fields.map(resolve),
                    description: type.description, cacheHint: type.cacheHint, weight: type.weight,
                    definitions: type.definitions))
        case .interface(let type):
            .interface(
                InterfaceType(
                    type.name, implements: type.interfaces.map(resolve), fields: type.fields.map(resolve),
                    description: type.description, cacheHint: type.cacheHint, definitions: type.definitions))
        case .union(let type):
            .union(
                UnionType(
                    type.name, of: type.memberTypes.map(resolve), description: type.description,
                    cacheHint: type.cacheHint, definitions: type.definitions))
        case .inputObject(let type):
            .inputObject(
                InputObjectType(
                    type.name, fields: type.fields.map(resolve), isOneOf: type.isOneOf, description: type.description,
                    definitions: type.definitions))
        }
    }

    /// Returns all arguments and input fields of the resolved types and directives.
    func inputValues() -> [SchemaInputValue] {
        var values = directives.flatMap { Array($0.arguments) }
        for type in types {
            for field in type.fields ?? [] { values += field.arguments }
            if case .inputObject(let input) = type { values += input.fields }
        }
        return values
    }

    func implementations() -> ([Int32: Schema.Implementations], [Int32: Set<Int32>]) {
        var implementations: [Int32: Schema.Implementations] = [:]
        var possible: [Int32: Set<Int32>] = [:]
        for (place, type) in types.enumerated() {
            for interface in type.interfaces {
                switch type {
                case .object(let object):
                    implementations[interface.index, default: .init()].objects.append(object)
                    possible[interface.index, default: []].insert(Int32(place))
                case .interface(let type): implementations[interface.index, default: .init()].interfaces.append(type)
                default: break
                }
            }
            if case .union(let union) = type { possible[Int32(place)] = Set(union.memberTypes.map(\.index)) }
        }
        return (implementations, possible)
    }
}
