/// Compares two fields with the same response name.
struct FieldComparison {
    let table: SelectionTable
    let schema: Schema
    /// For each field, a number that identifies the canonical text of its arguments; -1 before it is computed.
    private var argumentNumbers: [Int32]
    private var numbers: [String: Int32] = ["": 0]

    init(table: SelectionTable, schema: Schema) {
        self.table = table
        self.schema = schema
        argumentNumbers = Array(repeating: -1, count: table.fields.count)
    }

    mutating func haveSameArguments(_ left: Int32, _ right: Int32) -> Bool {
        if !table.fields[Int(left)].hasArguments, !table.fields[Int(right)].hasArguments { return true }
        return argumentNumber(left) == argumentNumber(right)
    }

    private mutating func argumentNumber(_ field: Int32) -> Int32 {
        if argumentNumbers[Int(field)] >= 0 { return argumentNumbers[Int(field)] }
        var text = ""
        for argument in table.arguments[Int(field)].sorted(by: { $0.name.value < $1.name.value }) {
            text += argument.name.value + ":"
            argument.value.appendCanonicalText(to: &text)
            text += ","
        }
        let number = numbers[text] ?? Int32(numbers.count)
        numbers[text] = number
        argumentNumbers[Int(field)] = number
        return number
    }

    /// Returns true if the types of two fields have the same list and non-null wrappers around the same leaf type or
    /// around two composite types. This is SameResponseShape without the comparison of subfields, which follows later.
    func haveSameShape(_ left: Int32, _ right: Int32) -> Bool {
        guard let left = table.types[Int(left)], let right = table.types[Int(right)] else { return true }
        return haveSameShape(left, right)
    }

    private func haveSameShape(_ left: GraphQLType, _ right: GraphQLType) -> Bool {
        switch (left, right) {
        case (.list(let left), .list(let right)): return haveSameShape(left, right)
        case (.nonNull(let left), .nonNull(let right)): return haveSameShape(left, right)
        case (.named(let left), .named(let right)):
            if left.index == right.index { return true }
            guard let leftType = schema[left], let rightType = schema[right] else { return true }
            return !leftType.isLeaf && !rightType.isLeaf
        default: return false
        }
    }
}

extension Literal {
    /// Appends the canonical text of the literal. Literals with different values have different texts. The order of
    /// object fields does not affect the text.
    fileprivate func appendCanonicalText(to text: inout String) {
        switch kind {
        case .variable(let name): text += "$" + name.value
        case .int(let digits), .float(let digits): text += digits
        case .string(let value, let isBlock): text += (isBlock ? "block" : "") + StringPrinter.literal(value)
        case .boolean(let value): text += value ? "true" : "false"
        case .null: text += "null"
        case .enum(let name): text += name
        case .list(let items):
            text += "["
            for item in items {
                item.appendCanonicalText(to: &text)
                text += ","
            }
            text += "]"
        case .object(let fields):
            text += "{"
            for field in fields.sorted(by: { $0.name.value < $1.name.value }) {
                text += field.name.value + ":"
                field.value.appendCanonicalText(to: &text)
                text += ","
            }
            text += "}"
        }
    }
}
