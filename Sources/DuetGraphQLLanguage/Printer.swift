/// Prints nodes as text in a uniform layout. The parser reads the text of a document as the same document.
public struct Printer {
    private var text = ""
    private var level = 0
    private static let longestArgumentLine = 80

    private init() {}

    /// Prints a document. An empty line separates the definitions.
    public static func print(_ document: Document) -> String {
        var printer = Printer()
        for (index, definition) in document.definitions.enumerated() {
            if index > 0 { printer.text += "\n\n" }
            printer.definition(definition)
        }
        return printer.text
    }

    /// Prints one definition.
    public static func print(_ definition: Definition) -> String {
        var printer = Printer()
        printer.definition(definition)
        return printer.text
    }

    /// Prints a selection set on several lines.
    public static func print(_ selectionSet: SelectionSet) -> String {
        var printer = Printer()
        printer.selectionSet(selectionSet)
        return printer.text
    }

    /// Prints a value on one line, unless it contains block strings.
    public static func print(_ literal: Literal) -> String {
        var printer = Printer()
        printer.literal(literal)
        return printer.text
    }

    /// Prints a directive.
    public static func print(_ directive: Directive) -> String {
        var printer = Printer()
        printer.directive(directive)
        return printer.text
    }
}

// MARK: - Pieces

extension Printer {
    private mutating func newline() {
        text += "\n"
        for _ in 0..<level { text += "  " }
    }

    /// Appends text that may have several lines. Each line after the first is indented to the current level.
    private mutating func write(_ lines: String) {
        guard level > 0, lines.utf8.contains(0x0A) else {
            text += lines
            return
        }
        var start = lines.startIndex
        while let end = lines.utf8[start...].firstIndex(of: 0x0A) {
            text += lines[start..<end]
            newline()
            start = lines.utf8.index(after: end)
        }
        text += lines[start...]
    }

    /// Returns the output of `body`, without indentation.
    private func separately(_ body: (inout Printer) -> Void) -> String {
        var printer = Printer()
        body(&printer)
        return printer.text
    }

    private mutating func block<Item>(_ items: some Collection<Item>, _ body: (inout Printer, Item) -> Void) {
        beginBlock()
        for item in items {
            newline()
            body(&self, item)
        }
        endBlock()
    }

    private mutating func beginBlock() {
        text += "{"
        level += 1
    }

    private mutating func endBlock() {
        level -= 1
        newline()
        text += "}"
    }

    private mutating func list<Item>(
        _ items: some Collection<Item>, separator: String, _ body: (inout Printer, Item) -> Void
    ) {
        for (index, item) in items.enumerated() {
            if index > 0 { text += separator }
            body(&self, item)
        }
    }

    private mutating func description(_ description: StringLiteral?) {
        guard let description else { return }
        write(description.isBlock ? BlockString.literal(description.value) : StringPrinter.literal(description.value))
        newline()
    }

    private mutating func directives(_ directives: NodeList<Directive>) {
        for directive in directives {
            text += " "
            self.directive(directive)
        }
    }

    private mutating func directive(_ directive: Directive) {
        text += "@\(directive.name.value)"
        guard !directive.arguments.isEmpty else { return }
        text += "("
        list(directive.arguments, separator: ", ") { $0.argument($1) }
        text += ")"
    }

    private mutating func argument(_ argument: Argument) {
        text += "\(argument.name.value): "
        literal(argument.value)
    }

    /// Prints a literal without recursion. An array contains the enclosing lists and objects.
    private mutating func literal(_ literal: Literal) {
        var open: [OpenLiteral] = []
        begin(literal, &open)
        while let last = open.indices.last {
            let place = open[last].next
            open[last].next += 1
            if place > 0, place < open[last].count { text += ", " }
            switch open[last].literal.kind {
            case .list(let items) where place < items.count: begin(items[place], &open)
            case .object(let fields) where place < fields.count:
                text += "\(fields[place].name.value): "
                begin(fields[place].value, &open)
            case .list:
                text += "]"
                open.removeLast()
            default:
                text += "}"
                open.removeLast()
            }
        }
    }

    private struct OpenLiteral {
        let literal: Literal
        let count: Int
        var next = 0
    }

    /// Prints a literal. For a list or an object, prints only the opening bracket, and appends the literal to `open`.
    private mutating func begin(_ literal: Literal, _ open: inout [OpenLiteral]) {
        switch literal.kind {
        case .variable(let name): text += "$\(name.value)"
        case .int(let digits), .float(let digits): text += digits
        case .string(let value, true): write(BlockString.literal(value))
        case .string(let value, false): text += StringPrinter.literal(value)
        case .boolean(let value): text += value ? "true" : "false"
        case .null: text += "null"
        case .enum(let name): text += name
        case .list(let items):
            text += "["
            open.append(OpenLiteral(literal: literal, count: items.count))
        case .object(let fields):
            text += "{"
            open.append(OpenLiteral(literal: literal, count: fields.count))
        }
    }
}

// MARK: - Executable definitions

extension Printer {
    private mutating func definition(_ definition: Definition) {
        switch definition {
        case .operation(let operation): self.operation(operation)
        case .fragment(let fragment): self.fragment(fragment)
        case .schema(let schema): self.schema(schema, isExtension: false)
        case .schemaExtension(let schema): self.schema(schema, isExtension: true)
        case .type(let type): self.type(type, isExtension: false)
        case .typeExtension(let type): self.type(type, isExtension: true)
        case .directive(let directive): directiveDefinition(directive)
        }
    }

    private mutating func operation(_ operation: OperationDefinition) {
        // After `type A`, a shorthand selection set would be parsed as the fields of the type.
        let followsBlock = text.isEmpty || text.hasSuffix("}\n\n")
        description(operation.description)
        let isShorthand =
            operation.operation == .query && operation.name == nil && operation.variableDefinitions.isEmpty
            && operation.directives.isEmpty
        if !isShorthand || operation.description != nil || !followsBlock {
            text += operation.operation.rawValue
            if operation.name != nil || !operation.variableDefinitions.isEmpty { text += " " }
            text += operation.name?.value ?? ""
            variableDefinitions(operation.variableDefinitions)
            directives(operation.directives)
            text += " "
        }
        selectionSet(operation.selectionSet)
    }

    private mutating func variableDefinitions(_ definitions: [VariableDefinition]) {
        guard !definitions.isEmpty else { return }
        let lines = definitions.map { definition in
            separately { printer in
                printer.description(definition.description)
                printer.text += "$\(definition.variable.name.value): \(definition.type)"
                if let value = definition.defaultValue {
                    printer.text += " = "
                    printer.literal(value)
                }
                printer.directives(definition.directives)
            }
        }
        let isSpread = lines.contains { $0.utf8.contains(0x0A) }
        text += isSpread ? "(\n" : "("
        text += lines.joined(separator: isSpread ? "\n" : ", ")
        text += isSpread ? "\n)" : ")"
    }

    /// Prints a selection set without recursion. An array contains the enclosing sets.
    private mutating func selectionSet(_ selectionSet: SelectionSet) {
        var open = [OpenSelectionSet(selections: selectionSet.selections)]
        beginBlock()
        while let last = open.indices.last {
            guard open[last].next < open[last].selections.count else {
                endBlock()
                open.removeLast()
                continue
            }
            newline()
            let inner = selection(open[last].selections[open[last].next])
            open[last].next += 1
            if let inner {
                text += " "
                beginBlock()
                open.append(OpenSelectionSet(selections: inner))
            }
        }
    }

    private struct OpenSelectionSet {
        let selections: NodeList<Selection>
        var next = 0
    }

    /// Prints a selection without its selection set, and returns the selections of that set.
    private mutating func selection(_ selection: Selection) -> NodeList<Selection>? {
        switch selection {
        case .field(let field):
            self.field(field)
            return field.selectionSet?.selections
        case .fragmentSpread(let spread):
            text += "...\(spread.name.value)"
            directives(spread.directives)
            return nil
        case .inlineFragment(let fragment):
            text += "..."
            if let type = fragment.typeCondition { text += " on \(type.value)" }
            directives(fragment.directives)
            return fragment.selectionSet.selections
        }
    }

    /// Prints a field without its selection set. Long arguments are printed on separate lines.
    private mutating func field(_ field: Field) {
        let name = (field.alias.map { "\($0.value): " } ?? "") + field.name.value
        text += name
        if !field.arguments.isEmpty {
            let arguments = field.arguments.map { argument in separately { $0.argument(argument) } }
            let length = name.utf16.count + arguments.reduce(0) { $0 + $1.utf16.count + 2 }
            if length > Self.longestArgumentLine {
                text += "("
                level += 1
                for argument in arguments {
                    newline()
                    write(argument)
                }
                level -= 1
                newline()
            } else {
                text += "("
                write(arguments.joined(separator: ", "))
            }
            text += ")"
        }
        directives(field.directives)
    }

    private mutating func fragment(_ fragment: FragmentDefinition) {
        description(fragment.description)
        text += "fragment \(fragment.name.value) on \(fragment.typeCondition.value)"
        directives(fragment.directives)
        text += " "
        selectionSet(fragment.selectionSet)
    }
}

// MARK: - Type-system definitions

extension Printer {
    private mutating func schema(_ schema: SchemaDefinition, isExtension: Bool) {
        description(schema.description)
        text += isExtension ? "extend schema" : "schema"
        directives(schema.directives)
        guard !schema.operationTypes.isEmpty else { return }
        text += " "
        block(schema.operationTypes) { $0.text += "\($1.operation.rawValue): \($1.type.value)" }
    }

    private mutating func type(_ type: TypeDefinition, isExtension: Bool) {
        description(type.description)
        if isExtension { text += "extend " }
        text += "\(type.kind.keyword) \(type.name.value)"
        if !type.interfaces.isEmpty {
            text += " implements " + type.interfaces.map(\.value).joined(separator: " & ")
        }
        directives(type.directives)
        if !type.memberTypes.isEmpty { text += " = " + type.memberTypes.map(\.value).joined(separator: " | ") }
        if !type.fields.isEmpty {
            text += " "
            block(type.fields) { $0.fieldDefinition($1) }
        }
        if !type.values.isEmpty {
            text += " "
            block(type.values) { printer, value in
                printer.description(value.description)
                printer.text += value.name.value
                printer.directives(value.directives)
            }
        }
        if !type.inputFields.isEmpty {
            text += " "
            block(type.inputFields) { $0.inputValue($1) }
        }
    }

    private mutating func fieldDefinition(_ field: FieldDefinition) {
        description(field.description)
        text += field.name.value
        argumentsDefinition(field.arguments)
        text += ": \(field.type)"
        directives(field.directives)
    }

    private mutating func argumentsDefinition(_ arguments: [InputValueDefinition]) {
        guard !arguments.isEmpty else { return }
        let lines = arguments.map { argument in separately { $0.inputValue(argument) } }
        text += "("
        if lines.contains(where: { $0.utf8.contains(0x0A) }) {
            level += 1
            for line in lines {
                newline()
                write(line)
            }
            level -= 1
            newline()
        } else {
            text += lines.joined(separator: ", ")
        }
        text += ")"
    }

    private mutating func inputValue(_ value: InputValueDefinition) {
        description(value.description)
        text += "\(value.name.value): \(value.type)"
        if let defaultValue = value.defaultValue {
            text += " = "
            literal(defaultValue)
        }
        directives(value.directives)
    }

    private mutating func directiveDefinition(_ directive: DirectiveDefinition) {
        description(directive.description)
        text += "directive @\(directive.name.value)"
        argumentsDefinition(directive.arguments)
        if directive.isRepeatable { text += " repeatable" }
        text += " on " + directive.locations.map(\.rawValue).joined(separator: " | ")
    }
}

extension TypeKind {
    /// The keyword of a definition.
    package var keyword: String {
        switch self {
        case .scalar: "scalar"
        case .object: "type"
        case .interface: "interface"
        case .union: "union"
        case .enum: "enum"
        case .inputObject: "input"
        }
    }
}
