/// Walks a document once for all rules, and updates the current types in the ``ValidationContext``.
public struct DocumentWalker {
    let visitor: DocumentVisitor
    let context: ValidationContext

    /// Registers the rules, and walks the document of the context once.
    /// - Returns: The errors that the rules reported.
    public static func run(_ rules: [ValidationRule], in context: ValidationContext) -> [GraphQLError] {
        var visitor = DocumentVisitor()
        for rule in rules { rule.register(&visitor, context) }
        DocumentWalker(visitor: visitor, context: context).walk()
        return context.orderedErrors
    }

    private func walk() {
        for definition in context.document.definitions {
            if context.isAborted { return }
            for visit in visitor.enterDefinition { visit(definition) }
            switch definition {
            case .operation(let operation): walk(operation)
            case .fragment(let fragment): walk(fragment)
            default: walk(typeSystem: definition)
            }
        }
        for visit in visitor.leaveDocument { visit() }
    }
}

// MARK: - Operations and fragments

extension DocumentWalker {
    private func walk(_ operation: OperationDefinition) {
        context.operation = operation
        context.enter(
            type: context.schema.rootTypeName(for: operation.operation).flatMap { name in
                if case .object? = context.schema[name] { name } else { nil }
            })
        for visit in visitor.enterOperation { visit(operation) }
        for definition in operation.variableDefinitions { walk(definition) }
        walk(operation.directives, DirectiveLocation(operation.operation))
        walk(operation.selectionSet)
        for visit in visitor.leaveOperation { visit(operation) }
        context.enter(type: nil)
        context.operation = nil
    }

    private func walk(_ definition: VariableDefinition) {
        let type = context.schema.type(definition.type)
        context.inputType = type.flatMap { context.schema.isInput($0) ? $0 : nil }
        for visit in visitor.enterVariableDefinition { visit(definition) }
        walk(typeName: definition.type.name, isTypeSystem: false)
        if let value = definition.defaultValue { walk(value) }
        walk(definition.directives, .variableDefinition)
        for visit in visitor.leaveVariableDefinition { visit(definition) }
        context.inputType = nil
    }

    private func walk(_ fragment: FragmentDefinition) {
        context.fragment = fragment
        context.enter(type: conditionType(fragment.typeCondition))
        for visit in visitor.enterFragment { visit(fragment) }
        walk(typeName: fragment.typeCondition, isTypeSystem: false)
        walk(fragment.directives, .fragmentDefinition)
        walk(fragment.selectionSet)
        for visit in visitor.leaveFragment { visit(fragment) }
        context.enter(type: nil)
        context.fragment = nil
    }

    func conditionType(_ name: Name) -> TypeName? {
        guard case .named(let type)? = context.schema.type(.named(name)), context.schema[type]?.isOutput == true else {
            return nil
        }
        return type
    }
}

// MARK: - Pieces

extension DocumentWalker {
    func walk(typeName: Name, isTypeSystem: Bool) {
        for visit in visitor.enterTypeName { visit(typeName, isTypeSystem) }
    }

    func walk(_ directives: NodeList<Directive>, _ location: DirectiveLocation, site: DirectiveSite = .other) {
        guard !directives.isEmpty else { return }
        for visit in visitor.enterDirectives { visit(site, directives) }
        for directive in directives {
            if context.isAborted { return }
            context.directive = context.schema.directive(named: directive.name.value)
            for visit in visitor.enterDirective { visit(directive, location) }
            context.isInDirective = true
            walk(directive.arguments, of: context.directive?.arguments)
            context.isInDirective = false
            for visit in visitor.leaveDirective { visit(directive, location) }
            context.directive = nil
        }
    }

    func walk(_ arguments: NodeList<Argument>, of definitions: NamedList<SchemaInputValue>?) {
        guard !arguments.isEmpty else { return }
        let outerInputType = context.inputType
        for argument in arguments {
            if context.isAborted { break }
            let definition = definitions?[argument.name.value]
            context.argument = definition
            context.inputType = definition?.type
            context.defaultValue = definition?.defaultValue
            for visit in visitor.enterArgument { visit(argument) }
            walk(argument.value)
            context.argument = nil
            context.defaultValue = nil
        }
        context.inputType = outerInputType
    }
}

// MARK: - Type-system definitions

extension DocumentWalker {
    private func walk(typeSystem definition: Definition) {
        switch definition {
        case .operation, .fragment: break
        case .schema(let schema), .schemaExtension(let schema):
            walk(schema.directives, .schema, site: .schema)
            for type in schema.operationTypes { walk(typeName: type.type, isTypeSystem: true) }
        case .type(let type), .typeExtension(let type): walk(type)
        case .directive(let directive): walk(directive.arguments, .argumentDefinition)
        }
    }

    private func walk(_ type: TypeDefinition) {
        for name in type.interfaces { walk(typeName: name, isTypeSystem: true) }
        walk(type.directives, DirectiveLocation(type.kind), site: .type(type.name.value))
        for name in type.memberTypes { walk(typeName: name, isTypeSystem: true) }
        for field in type.fields {
            if context.isAborted { return }
            walk(field.arguments, .argumentDefinition)
            walk(typeName: field.type.name, isTypeSystem: true)
            walk(field.directives, .fieldDefinition)
        }
        for value in type.values { walk(value.directives, .enumValue) }
        walk(type.inputFields, .inputFieldDefinition)
    }

    private func walk(_ values: [InputValueDefinition], _ location: DirectiveLocation) {
        for value in values {
            if context.isAborted { return }
            walk(typeName: value.type.name, isTypeSystem: true)
            context.inputType = context.schema.type(value.type).flatMap { context.schema.isInput($0) ? $0 : nil }
            if let defaultValue = value.defaultValue { walk(defaultValue) }
            context.inputType = nil
            walk(value.directives, location)
        }
    }
}
