/// Executable definitions (specification, sections 2.2 to 2.9).
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

    /// Reads a selection set and its nested sets without recursion. ``Parser/openSelections`` contains the selections
    /// of all open sets. The parent selection of a set directly precedes the first selection of the set.
    mutating func selectionSet() throws(ParsingStopped) -> SelectionSet {
        var outer = NodeBuffer<OpenSelectionSet>(capacity: 8)
        var current = OpenSelectionSet(start: token.start, first: openSelections.count)
        try enterSelectionSet()
        while true {
            if token.kind == .spread {
                try fragmentSelection()
            } else {
                try field()
            }
            let last = openSelections.count - 1
            // An inline fragment always has a selection set.
            if openSelections[last].kind == .inlineFragment
                || token.kind == .leftBrace && openSelections[last].kind == .field
            {
                outer.append(current)
                current = OpenSelectionSet(start: token.start, first: openSelections.count)
                try enterSelectionSet()
                continue
            }
            while token.kind == .rightBrace {
                try advance()
                leave()
                let first = selections.count
                selections.move(openSelections.count - current.first, from: &openSelections)
                let list = StoredSelection.StoredList(first, upTo: selections.count)
                let range = range(from: current.start)
                guard outer.count > 0 else { return SelectionSet(selections: list.list(in: nodes), range: range) }
                let last = openSelections.count - 1
                openSelections[last].hasSelectionSet = true
                openSelections[last].selections = list
                openSelections[last].selectionSetRange = range
                openSelections[last].range.end = lastEnd
                current = outer.removeLast()
            }
        }
    }

    private mutating func enterSelectionSet() throws(ParsingStopped) {
        if token.kind == .leftBrace { try enter() }
        try expect(.leftBrace)
    }

    /// A selection set that is not closed yet.
    struct OpenSelectionSet {
        let start: UInt32
        /// The index of the set's first selection in ``Parser/openSelections``.
        let first: Int
    }

    /// Reads a field up to its selection set.
    @inline(__always)
    private mutating func field() throws(ParsingStopped) {
        var field = StoredSelection(kind: .field, range: SourceRange(start: token.start, end: token.end))
        field.name = try storedName()
        if token.kind == .colon {
            try advance()
            field.hasAlias = true
            field.alias = field.name
            field.name = try storedName()
        }
        if token.kind == .leftParenthesis { field.arguments = try argumentList(isConstant: false) }
        if token.kind == .at { field.directives = try directiveList(isConstant: false) }
        field.range.end = lastEnd
        openSelections.append(field)
    }

    /// Reads a fragment spread, or an inline fragment up to its selection set.
    private mutating func fragmentSelection() throws(ParsingStopped) {
        var fragment = StoredSelection(kind: .inlineFragment, range: SourceRange(start: token.start, end: token.end))
        try expect(.spread)
        let hasTypeCondition = try skip(keyword: "on")
        fragment.hasName = hasTypeCondition || token.kind == .name
        if fragment.hasName { fragment.name = try storedName() }
        if fragment.hasName, !hasTypeCondition { fragment.kind = .fragmentSpread }
        if token.kind == .at { fragment.directives = try directiveList(isConstant: false) }
        fragment.range.end = lastEnd
        openSelections.append(fragment)
    }

    /// Reads arguments in parentheses. No argument contains another argument, so the arguments of a list are adjacent.
    private mutating func argumentList(isConstant: Bool) throws(ParsingStopped) -> StoredSelection.StoredList {
        let first = arguments.count
        try expect(.leftParenthesis)
        repeat {
            let start = token.start
            let name = try name()
            try expect(.colon)
            let value = try value(isConstant: isConstant)
            arguments.append(Argument(name: name, value: value, range: range(from: start)))
        } while try !skip(.rightParenthesis)
        return StoredSelection.StoredList(first, upTo: arguments.count)
    }

    /// Reads directives, if any.
    private mutating func directiveList(isConstant: Bool) throws(ParsingStopped) -> StoredSelection.StoredList {
        let first = directives.count
        while token.kind == .at {
            let start = token.start
            try advance()
            let name = try name()
            var arguments = NodeList<Argument>()
            if token.kind == .leftParenthesis {
                let list = try argumentList(isConstant: isConstant)
                arguments = NodeList(nodes: nil, start: Int(list.start), count: Int(list.count))
            }
            directives.append(Directive(name: name, arguments: arguments, range: range(from: start)))
        }
        return StoredSelection.StoredList(first, upTo: directives.count)
    }

    /// Reads the directives of a definition, if any.
    mutating func directives(isConstant: Bool) throws(ParsingStopped) -> NodeList<Directive> {
        token.kind == .at ? try directiveList(isConstant: isConstant).list(in: nodes) : NodeList()
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
