/// Type-system definitions and extensions (specification, section 3).
extension Parser {
    private mutating func typeKind() throws(ParsingStopped) -> TypeKind? {
        let kind: TypeKind
        if isKeyword("type") {
            kind = .object
        } else if isKeyword("input") {
            kind = .inputObject
        } else if isKeyword("enum") {
            kind = .enum
        } else if isKeyword("interface") {
            kind = .interface
        } else if isKeyword("union") {
            kind = .union
        } else if isKeyword("scalar") {
            kind = .scalar
        } else {
            return nil
        }
        try advance()
        return kind
    }

    mutating func typeSystemDefinition(
        description: StringLiteral?, start: UInt32
    ) throws(ParsingStopped) -> Definition? {
        if let kind = try typeKind() {
            var definition = TypeDefinition(kind: kind, description: description, name: try name())
            try typeBody(&definition)
            definition.range = range(from: start)
            return .type(definition)
        }
        if try skip(keyword: "schema") {
            let directives = try directives(isConstant: true)
            let operationTypes = try operationTypes(isRequired: true)
            return .schema(
                SchemaDefinition(
                    description: description, directives: directives, operationTypes: operationTypes,
                    range: range(from: start)))
        }
        if try skip(keyword: "directive") {
            return .directive(try directiveDefinition(description: description, start: start))
        }
        return nil
    }

    mutating func typeSystemExtension() throws(ParsingStopped) -> Definition {
        let start = token.start
        try expect(keyword: "extend")
        if let kind = try typeKind() {
            var definition = TypeDefinition(kind: kind, name: try name())
            try typeBody(&definition)
            definition.range = range(from: start)
            guard definition.range.end != definition.name.range.end else { throw unexpected() }
            return .typeExtension(definition)
        }
        guard try skip(keyword: "schema") else { throw unexpected() }
        let directives = try directives(isConstant: true)
        let operationTypes = try operationTypes(isRequired: false)
        if directives.isEmpty, operationTypes.isEmpty { throw unexpected() }
        return .schemaExtension(
            SchemaDefinition(directives: directives, operationTypes: operationTypes, range: range(from: start)))
    }

    /// Reads the part of a type definition that follows the name.
    private mutating func typeBody(_ definition: inout TypeDefinition) throws(ParsingStopped) {
        if definition.kind == .object || definition.kind == .interface, try skip(keyword: "implements") {
            definition.interfaces = try names(separatedBy: .ampersand)
        }
        definition.directives = try directives(isConstant: true)
        switch definition.kind {
        case .scalar: break
        case .object, .interface: definition.fields = try fieldDefinitions()
        case .union:
            if try skip(.equals) { definition.memberTypes = try names(separatedBy: .pipe) }
        case .enum: definition.values = try enumValues()
        case .inputObject: definition.inputFields = try inputValues(between: .leftBrace, .rightBrace)
        }
    }

    private mutating func names(separatedBy separator: Token.Kind) throws(ParsingStopped) -> [Name] {
        _ = try skip(separator)
        var names: [Name] = []
        repeat { names.append(try name()) } while try skip(separator)
        return names
    }

    private mutating func operationTypes(isRequired: Bool) throws(ParsingStopped) -> [OperationTypeDefinition] {
        if isRequired {
            try expect(.leftBrace)
        } else if try !skip(.leftBrace) {
            return []
        }
        var types: [OperationTypeDefinition] = []
        repeat {
            let start = token.start
            let operation = try operationType()
            try expect(.colon)
            let type = try name()
            types.append(OperationTypeDefinition(operation: operation, type: type, range: range(from: start)))
        } while try !skip(.rightBrace)
        return types
    }

    private mutating func fieldDefinitions() throws(ParsingStopped) -> [FieldDefinition] {
        guard try skip(.leftBrace) else { return [] }
        var fields: [FieldDefinition] = []
        repeat {
            let start = token.start
            let description = try self.description()
            let name = try name()
            let arguments = try inputValues(between: .leftParenthesis, .rightParenthesis)
            try expect(.colon)
            let type = try typeReference()
            let directives = try directives(isConstant: true)
            fields.append(
                FieldDefinition(
                    description: description, name: name, arguments: arguments, type: type, directives: directives,
                    range: range(from: start)))
        } while try !skip(.rightBrace)
        return fields
    }

    private mutating func inputValues(
        between opening: Token.Kind, _ closing: Token.Kind
    ) throws(ParsingStopped) -> [InputValueDefinition] {
        guard try skip(opening) else { return [] }
        var values: [InputValueDefinition] = []
        repeat {
            let start = token.start
            let description = try self.description()
            let name = try name()
            try expect(.colon)
            let type = try typeReference()
            let defaultValue = try skip(.equals) ? try value(isConstant: true) : nil
            let directives = try directives(isConstant: true)
            values.append(
                InputValueDefinition(
                    description: description, name: name, type: type, defaultValue: defaultValue,
                    directives: directives, range: range(from: start)))
        } while try !skip(closing)
        return values
    }

    private mutating func enumValues() throws(ParsingStopped) -> [EnumValueDefinition] {
        guard try skip(.leftBrace) else { return [] }
        var values: [EnumValueDefinition] = []
        repeat {
            let start = token.start
            let description = try self.description()
            if isKeyword("true") || isKeyword("false") || isKeyword("null") {
                throw fail(
                    "\(describe(token)) is reserved and cannot be used for an enum value.", at: token.start)
            }
            let name = try name()
            let directives = try directives(isConstant: true)
            values.append(
                EnumValueDefinition(
                    description: description, name: name, directives: directives, range: range(from: start)))
        } while try !skip(.rightBrace)
        return values
    }

    private mutating func directiveDefinition(
        description: StringLiteral?, start: UInt32
    ) throws(ParsingStopped) -> DirectiveDefinition {
        try expect(.at)
        let name = try name()
        let arguments = try inputValues(between: .leftParenthesis, .rightParenthesis)
        let isRepeatable = try skip(keyword: "repeatable")
        try expect(keyword: "on")
        _ = try skip(.pipe)
        var locations: [DirectiveLocation] = []
        repeat {
            let place = token
            let name = try self.name()
            guard let location = DirectiveLocation(rawValue: name.value) else { throw unexpected(place) }
            locations.append(location)
        } while try skip(.pipe)
        return DirectiveDefinition(
            description: description, name: name, arguments: arguments, isRepeatable: isRepeatable,
            locations: locations, range: range(from: start))
    }
}
