/// Values and types (specification, sections 2.10 to 2.12).
extension Parser {
    /// Reads a value and its nested values without recursion. An array contains the open lists and objects.
    mutating func value(isConstant: Bool) throws(ParsingStopped) -> Literal {
        guard token.kind == .leftBracket || token.kind == .leftBrace else { return try leaf(isConstant: isConstant) }
        var open: [OpenLiteral] = []
        while true {
            var value: Literal
            if token.kind == .leftBracket || token.kind == .leftBrace {
                open.append(OpenLiteral(isList: token.kind == .leftBracket, start: token.start))
                try enter()
                try advance()
                guard let closed = try closed(&open) else { continue }
                value = closed
            } else {
                value = try leaf(isConstant: isConstant)
            }
            // The value completes an item or a field, and possibly the enclosing list or object.
            while true {
                guard !open.isEmpty else { return value }
                open[open.count - 1].append(value, end: lastEnd)
                guard let closed = try closed(&open) else { break }
                value = closed
            }
        }
    }

    /// A list or an object that is not closed yet.
    private struct OpenLiteral {
        let isList: Bool
        let start: UInt32
        var items: [Literal] = []
        var fields: [LiteralField] = []
        /// The name of the field whose value follows.
        var fieldName = Name("")

        mutating func append(_ value: Literal, end: UInt32) {
            if isList {
                items.append(value)
            } else {
                fields.append(
                    LiteralField(name: fieldName, value: value, range: SourceRange(start: fieldName.start, end: end)))
            }
        }
    }

    /// Returns the innermost open literal if the current token closes it; otherwise nil. If the literal is an object
    /// and remains open, reads the name of the next field.
    private mutating func closed(_ open: inout [OpenLiteral]) throws(ParsingStopped) -> Literal? {
        guard let last = open.last else { return nil }
        if try skip(last.isList ? .rightBracket : .rightBrace) {
            leave()
            open.removeLast()
            return Literal(last.isList ? .list(last.items) : .object(last.fields), range: range(from: last.start))
        }
        if !last.isList {
            open[open.count - 1].fieldName = try name()
            try expect(.colon)
        }
        return nil
    }

    private mutating func leaf(isConstant: Bool) throws(ParsingStopped) -> Literal {
        let start = token
        let kind: Literal.Kind
        switch token.kind {
        case .dollar: return try variable(isConstant: isConstant)
        case .int: kind = .int(text(of: token))
        case .float: kind = .float(text(of: token))
        case .string: kind = .string(lexer.value(of: token), isBlock: false)
        case .blockString: kind = .string(lexer.value(of: token), isBlock: true)
        case .name:
            kind =
                if isKeyword("true") {
                    .boolean(true)
                } else if isKeyword("false") {
                    .boolean(false)
                } else if isKeyword("null") {
                    .null
                } else {
                    .enum(nameText())
                }
        default: throw unexpected()
        }
        try advance()
        return Literal(kind, range: SourceRange(start: start.start, end: start.end))
    }

    private mutating func variable(isConstant: Bool) throws(ParsingStopped) -> Literal {
        let dollar = token
        try advance()
        if isConstant {
            guard token.kind == .name else { throw unexpected(dollar) }
            throw fail("Unexpected variable \"$\(text(of: token))\" in constant value.", at: dollar.start)
        }
        let name = try name()
        return Literal(.variable(name), range: range(from: dollar.start))
    }

    /// Reads a type without recursion: counts the opening brackets, then reads the name and the closing brackets.
    mutating func typeReference() throws(ParsingStopped) -> TypeReference {
        guard token.kind == .leftBracket else { return try nonNull(.named(try name())) }
        var starts: [UInt32] = []
        while token.kind == .leftBracket {
            starts.append(token.start)
            try advance()
            try enter()
        }
        var type = try nonNull(.named(try name()))
        while let start = starts.popLast() {
            try expect(.rightBracket)
            leave()
            type = try nonNull(.list(type, range(from: start)))
        }
        return type
    }

    private mutating func nonNull(_ type: TypeReference) throws(ParsingStopped) -> TypeReference {
        guard token.kind == .bang else { return type }
        let start = type.range.start
        try advance()
        return .nonNull(type, range(from: start))
    }
}
