import DuetJSON

/// Prints the document of an operation from an ``ObjectMap``.
///
/// It processes the map twice. In the first pass, it collects the variables and assigns a number to each selection.
/// Equal selections have equal numbers. In the second pass, it prints the selections depth first. If a selection occurs
/// more than once, has at least three fields, and the map contains the name of its type, it is printed as a fragment.
public struct QueryBuilder {
    /// The text of a document and the variables that the document declares.
    public struct Result: Sendable, Hashable {
        /// The document, without unnecessary white space.
        public var text: String
        /// The variables in the order of their first use. Each has a name without `$` and a type.
        public var variables: [VariableDefinition]
    }

    /// Prints an operation.
    /// - Parameters:
    ///   - kind: The kind of the operation: query, mutation or subscription.
    ///   - name: The name of the operation; `nil` for an anonymous operation.
    ///   - map: The fields of the root type.
    /// - Throws: ``ModelError`` with the code `variableConflict`.
    public static func document(
        _ kind: OperationKind, name: String?, map: ObjectMap
    ) throws(ModelError) -> Result {
        var builder = QueryBuilder()
        let root = try builder.number(map)
        builder.nameFragments(except: root)
        builder.text = kind.rawValue
        if let name { builder.text += " " + name }
        builder.printVariables()
        builder.printBody(root)
        builder.printFragments()
        return Result(text: builder.text, variables: builder.variables)
    }

    /// A selection in which each nested selection is replaced by its number. A comparison of two shapes therefore does
    /// not compare the nested fields.
    private struct Shape: Hashable {
        var typeName: String?
        var fields: [FieldMap]
        var children: [Int?]
        var cases: [String]
        var caseShapes: [Int]
    }

    private var shapes: [Shape] = []
    private var modelNames: [String] = []
    private var numbers: [Shape: Int] = [:]
    private var variables: [VariableDefinition] = []
    private var fragmentNames: [Int: String] = [:]
    private var openFragments: [Int] = []
    private var text = ""

    /// The minimum number of fields of a fragment. With fewer fields, the repeated selections are shorter than the
    /// fragment definition and its spreads.
    private static let smallestFragment = 3

    // MARK: The first pass

    private mutating func number(_ map: ObjectMap) throws(ModelError) -> Int {
        // This copy is cheap: it shares the array of fields with the map until a field with a selection set is changed.
        var shape = Shape(typeName: map.typeName, fields: map.fields, children: [], cases: [], caseShapes: [])
        shape.children.reserveCapacity(map.fields.count)
        for index in map.fields.indices {
            for argument in map.fields[index].arguments.elements { try collect(argument.value) }
            for condition in map.fields[index].conditions { try declare(condition.variable, "Boolean!") }
            if let object = map.fields[index].object {
                shape.children.append(try number(object))
                shape.fields[index].object = nil
            } else {
                shape.children.append(nil)
            }
        }
        for typeCase in map.typeCases {
            shape.cases.append(typeCase.typeName)
            shape.caseShapes.append(try number(typeCase.object))
        }
        if let number = numbers[shape] { return number }
        let number = shapes.count
        numbers[shape] = number
        shapes.append(shape)
        modelNames.append(map.modelName)
        return number
    }

    private mutating func collect(_ value: ArgumentValue) throws(ModelError) {
        switch value {
        case .variable(let name, let type): try declare(name, type)
        case .list(let elements): for element in elements { try collect(element) }
        case .object(let fields): for field in fields.elements { try collect(field.value) }
        default: break
        }
    }

    private mutating func declare(_ name: String, _ type: String) throws(ModelError) {
        guard let declared = variables.first(where: { $0.name == name }) else {
            variables.append(VariableDefinition(name, type))
            return
        }
        guard declared.type == type else {
            throw ModelError(
                .variableConflict,
                "The variable $\(name) is used as \(declared.type) and as \(type). Use one type, or two variables.")
        }
    }

    private mutating func nameFragments(except root: Int) {
        var uses = [Int](repeating: 0, count: shapes.count)
        for shape in shapes {
            for child in shape.children { if let child { uses[child] += 1 } }
            for child in shape.caseShapes { uses[child] += 1 }
        }
        var taken: Set<String> = []
        for number in shapes.indices where number != root && uses[number] > 1 {
            let shape = shapes[number]
            guard let typeName = shape.typeName,
                shape.fields.count + shape.cases.count >= Self.smallestFragment
            else { continue }
            var name = Self.name(ofType: modelNames[number]) ?? typeName + "Fields"
            let base = name
            var suffix = 2
            while !taken.insert(name).inserted {
                name = "\(base)\(suffix)"
                suffix += 1
            }
            fragmentNames[number] = name
        }
    }

    /// Converts the name of a Swift type to a GraphQL name (specification, section 2.1.8). The characters that GraphQL
    /// names do not allow, such as those of a generic type, are removed.
    /// - Returns: The name, or `nil` if the remaining characters are not a name.
    static func name(ofType name: String) -> String? {
        let name = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return name.isEmpty || name.first?.isNumber == true ? nil : name
    }

    // MARK: The second pass

    private mutating func printVariables() {
        guard !variables.isEmpty else { return }
        text += "("
        for (index, variable) in variables.enumerated() {
            if index > 0 { text += "," }
            text += "$\(variable.name):\(variable.type)"
        }
        text += ")"
    }

    private mutating func printSelection(_ number: Int) {
        guard let name = fragmentNames[number] else { return printBody(number) }
        if !openFragments.contains(number) { openFragments.append(number) }
        text += "{...\(name)}"
    }

    private mutating func printBody(_ number: Int) {
        let shape = shapes[number]
        text += "{"
        for (index, field) in shape.fields.enumerated() {
            if index > 0 { text += " " }
            if let alias = field.alias { text += alias + ":" }
            text += field.name
            printArguments(field.arguments)
            for condition in field.conditions {
                text += condition.selects ? "@include" : "@skip"
                text += "(if:$\(condition.variable))"
            }
            if let child = shape.children[index] { printSelection(child) }
        }
        for (index, typeName) in shape.cases.enumerated() {
            if index > 0 || !shape.fields.isEmpty { text += " " }
            text += "... on \(typeName)"
            printSelection(shape.caseShapes[index])
        }
        text += "}"
    }

    /// Prints the fragments in the order of their first use. If a fragment uses other fragments, printing this fragment
    /// appends the others to ``openFragments``.
    private mutating func printFragments() {
        var index = 0
        while index < openFragments.count {
            let number = openFragments[index]
            index += 1
            guard let name = fragmentNames[number], let typeName = shapes[number].typeName else { continue }
            text += " fragment \(name) on \(typeName)"
            printBody(number)
        }
    }

    private mutating func printArguments(_ arguments: Arguments) {
        guard !arguments.elements.isEmpty else { return }
        text += "("
        printMembers(arguments)
        text += ")"
    }

    private mutating func printMembers(_ arguments: Arguments) {
        for (index, element) in arguments.elements.enumerated() {
            if index > 0 { text += "," }
            text += element.name + ":"
            printValue(element.value)
        }
    }

    private mutating func printValue(_ value: ArgumentValue) {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        case .double(let double): text += double.description
        // Every JSON escape sequence is also valid in GraphQL (specification, section 2.10.4).
        case .string(let string): CanonicalJSON.append(.string(string), to: &text)
        case .enumeration(let name): text += name
        case .variable(let name, _): text += "$" + name
        case .list(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                printValue(element)
            }
            text += "]"
        case .object(let fields):
            text += "{"
            printMembers(fields)
            text += "}"
        }
    }
}
