/// Executable definitions (specification, sections 2.2 to 2.8).
extension Parser {
    mutating func definitions() throws(ParsingStopped) -> [Definition] {
        var definitions: [Definition] = []
        repeat { definitions.append(try definition()) } while token.kind != .endOfFile
        return definitions
    }

    private mutating func definition() throws(ParsingStopped) -> Definition {
        if token.kind == .leftBrace { return .operation(try operation(description: nil, start: token.start)) }
        let start = token
        let description = try self.description()
        if description != nil, token.kind == .leftBrace {
            throw fail(
                "Unexpected description, descriptions are not supported on shorthand queries.", at: start.start)
        }
        guard token.kind == .name else { throw unexpected() }
        if isKeyword("query") || isKeyword("mutation") || isKeyword("subscription") {
            return .operation(try operation(description: description, start: start.start))
        }
        if isKeyword("fragment") { return .fragment(try fragment(description: description, start: start.start)) }
        if let definition = try typeSystemDefinition(description: description, start: start.start) { return definition }
        if description != nil {
            throw fail("Unexpected description, only GraphQL definitions support descriptions.", at: start.start)
        }
        guard isKeyword("extend") else { throw unexpected() }
        return try typeSystemExtension()
    }

    mutating func description() throws(ParsingStopped) -> StringLiteral? {
        guard token.kind == .string || token.kind == .blockString else { return nil }
        let isBlock = token.kind == .blockString
        let start = token.start
        let value = lexer.value(of: token)
        try advance()
        return StringLiteral(value, isBlock: isBlock, range: range(from: start))
    }

    mutating func operationType() throws(ParsingStopped) -> OperationType {
        let operation: OperationType
        if isKeyword("query") {
            operation = .query
        } else if isKeyword("mutation") {
            operation = .mutation
        } else if isKeyword("subscription") {
            operation = .subscription
        } else if token.kind == .name {
            throw unexpected()
        } else {
            throw fail("Expected Name, found \(describe(token)).", at: token.start)
        }
        try advance()
        return operation
    }

    private mutating func operation(
        description: StringLiteral?, start: UInt32
    ) throws(ParsingStopped) -> OperationDefinition {
        if token.kind == .leftBrace {
            let selectionSet = try selectionSet()
            return OperationDefinition(selectionSet: selectionSet, range: range(from: start))
        }
        let operation = try operationType()
        let name = token.kind == .name ? try name() : nil
        let variableDefinitions = try variableDefinitions()
        let directives = try directives(isConstant: false)
        let selectionSet = try selectionSet()
        return OperationDefinition(
            description: description, operation: operation, name: name, variableDefinitions: variableDefinitions,
            directives: directives, selectionSet: selectionSet, range: range(from: start))
    }

    private mutating func variableDefinitions() throws(ParsingStopped) -> [VariableDefinition] {
        guard try skip(.leftParenthesis) else { return [] }
        var definitions: [VariableDefinition] = []
        repeat {
            let start = token.start
            let description = try self.description()
            let variable = try variable()
            try expect(.colon)
            let type = try typeReference()
            let defaultValue = try skip(.equals) ? try value(isConstant: true) : nil
            let directives = try directives(isConstant: true)
            definitions.append(
                VariableDefinition(
                    description: description, variable: variable, type: type, defaultValue: defaultValue,
                    directives: directives, range: range(from: start)))
        } while try !skip(.rightParenthesis)
        return definitions
    }

    private mutating func variable() throws(ParsingStopped) -> Variable {
        let start = token.start
        try expect(.dollar)
        let name = try name()
        return Variable(name: name, range: range(from: start))
    }

    /// Reads a selection set and what is nested in it, without recursion: the sets around the current one are on a list.
    mutating func selectionSet() throws(ParsingStopped) -> SelectionSet {
        var outer: [OuterSelectionSet] = []
        var selections: [Selection] = []
        selections.reserveCapacity(Self.usualSelections)
        var start = token.start
        try enterSelectionSet()
        while true {
            if token.kind == .spread {
                let selection = try fragmentSelection()
                if case .inlineFragment = selection {
                    outer.append(OuterSelectionSet(start: start, selections: selections, current: selection))
                    selections = []
                    selections.reserveCapacity(Self.usualSelections)
                    start = token.start
                    try enterSelectionSet()
                    continue
                }
                selections.append(selection)
            } else {
                let field = try field()
                if token.kind == .leftBrace {
                    outer.append(OuterSelectionSet(start: start, selections: selections, current: .field(field)))
                    selections = []
                    selections.reserveCapacity(Self.usualSelections)
                    start = token.start
                    try enterSelectionSet()
                    continue
                }
                selections.append(.field(field))
            }
            while try skip(.rightBrace) {
                leave()
                let selectionSet = SelectionSet(selections: selections, range: range(from: start))
                guard var set = outer.popLast() else { return selectionSet }
                start = set.start
                // Taken out rather than shared: to append to a shared array is to copy it.
                selections = []
                swap(&selections, &set.selections)
                selections.append(set.current.with(selectionSet, end: lastEnd))
            }
        }
    }

    /// Room for so many is made at once.
    private static var usualSelections: Int { 4 }

    private mutating func enterSelectionSet() throws(ParsingStopped) {
        if token.kind == .leftBrace { try enter() }
        try expect(.leftBrace)
    }

    /// A selection set around the one that is read.
    private struct OuterSelectionSet {
        let start: UInt32
        /// What was read of it.
        var selections: [Selection]
        /// The field or inline fragment whose selection set is read.
        let current: Selection
    }

    /// A field, as far as its selection set.
    private mutating func field() throws(ParsingStopped) -> Field {
        let start = token.start
        var name = try name()
        var alias: Name?
        if try skip(.colon) {
            alias = name
            name = try self.name()
        }
        let arguments = token.kind == .leftParenthesis ? try arguments(isConstant: false) : []
        let directives = token.kind == .at ? try directives(isConstant: false) : []
        return Field(
            alias: alias, name: name, arguments: arguments, directives: directives, range: range(from: start))
    }

    /// A fragment's spread, or an inline fragment as far as its selection set.
    private mutating func fragmentSelection() throws(ParsingStopped) -> Selection {
        let start = token.start
        try expect(.spread)
        let hasTypeCondition = try skip(keyword: "on")
        if !hasTypeCondition, token.kind == .name {
            let name = try name()
            let directives = try directives(isConstant: false)
            return .fragmentSpread(FragmentSpread(name: name, directives: directives, range: range(from: start)))
        }
        let typeCondition = hasTypeCondition ? try name() : nil
        let directives = try directives(isConstant: false)
        return .inlineFragment(
            InlineFragment(
                typeCondition: typeCondition, directives: directives, selectionSet: SelectionSet(selections: []),
                range: range(from: start)))
    }

    mutating func arguments(isConstant: Bool) throws(ParsingStopped) -> [Argument] {
        guard try skip(.leftParenthesis) else { return [] }
        var arguments: [Argument] = []
        repeat {
            let start = token.start
            let name = try name()
            try expect(.colon)
            let value = try value(isConstant: isConstant)
            arguments.append(Argument(name: name, value: value, range: range(from: start)))
        } while try !skip(.rightParenthesis)
        return arguments
    }

    mutating func directives(isConstant: Bool) throws(ParsingStopped) -> [Directive] {
        guard token.kind == .at else { return [] }
        var directives: [Directive] = []
        while token.kind == .at {
            let start = token.start
            try advance()
            let name = try name()
            let arguments = try arguments(isConstant: isConstant)
            directives.append(Directive(name: name, arguments: arguments, range: range(from: start)))
        }
        return directives
    }

    private mutating func fragment(
        description: StringLiteral?, start: UInt32
    ) throws(ParsingStopped) -> FragmentDefinition {
        try expect(keyword: "fragment")
        if isKeyword("on") { throw unexpected() }
        let name = try name()
        try expect(keyword: "on")
        let typeCondition = try self.name()
        let directives = try directives(isConstant: false)
        let selectionSet = try selectionSet()
        return FragmentDefinition(
            description: description, name: name, typeCondition: typeCondition, directives: directives,
            selectionSet: selectionSet, range: range(from: start))
    }
}

extension Selection {
    /// The selection together with its selection set, with which it ends.
    fileprivate func with(_ selectionSet: SelectionSet, end: UInt32) -> Selection {
        switch self {
        case .field(var field):
            field.selectionSet = selectionSet
            field.range.end = end
            return .field(field)
        case .inlineFragment(var fragment):
            fragment.selectionSet = selectionSet
            fragment.range.end = end
            return .inlineFragment(fragment)
        case .fragmentSpread: return self
        }
    }
}
