/// Creates the formula from the plan of an operation. The selections of a plan are merged, so a field that two
/// fragments select counts once.
struct CostFormulaBuilder {
    private let model: CostModel
    private let schema: Schema
    private let source: Source
    private var formula = CostFormula()

    /// The cost of a part of the operation: a number, and nodes that have no enclosing node yet.
    private struct Sum {
        var constant = 0.0
        var nodes: [Int] = []
    }

    /// The length of a list.
    private enum Length {
        case constant(Double)
        /// The index in ``CostFormula/sizes`` of a length that depends on variables.
        case size(Int)
    }

    /// The length that a field specifies for list fields of its type, with `sizedFields` of `@listSize`.
    private struct SizedFields {
        let names: [String]
        let length: Length
    }

    static func formula(
        of plan: OperationPlan, model: CostModel, schema: Schema, source: Source
    ) throws(GraphQLError) -> CostFormula {
        var builder = CostFormulaBuilder(model: model, schema: schema, source: source)
        builder.formula.weights = model.inputs
        builder.formula.constant = try builder.sum(of: plan.root, nil).constant
        return builder.formula
    }

    private init(model: CostModel, schema: Schema, source: Source) {
        self.model = model
        self.schema = schema
        self.source = source
    }

    private mutating func sum(of selection: PlannedSelection, _ sized: SizedFields?) throws(GraphQLError) -> Sum {
        var sum = Sum()
        for field in selection.fields { try add(field, sized, to: &sum) }
        for deferred in selection.deferred {
            for field in deferred.selection.fields { try add(field, sized, to: &sum) }
        }
        return sum
    }

    private mutating func add(
        _ field: PlannedField, _ sized: SizedFields?, to sum: inout Sum
    ) throws(GraphQLError) {
        if field.name.hasPrefix("__") { return }
        let cost = model.cost(of: field.field, on: field.parentType)
        var call = cost.weight
        if !cost.argumentWeights.isEmpty {
            for argument in field.nodes[0].arguments { call += cost.argumentWeights[argument.name.value] ?? 0 }
        }
        call += addInputs(of: field, to: &sum)
        sum.constant += max(0, call)

        let declared: Length? =
            if let listSize = cost.listSize { try length(of: field, listSize) } else { nil }
        var below: SizedFields?
        var length = Length.constant(Double(model.assumedListSize))
        if let declared, let names = cost.listSize?.sizedFields, !names.isEmpty {
            below = SizedFields(names: names, length: declared)
        } else if let declared {
            length = declared
        } else if let sized, sized.names.contains(field.name) {
            length = sized.length
        }
        guard case .list(var item) = field.output.kind else {
            let value = try self.sum(of: field.output, below)
            return add(value, factor: 1, .constant(1), to: &sum)
        }
        var factor = 1.0
        while case .list(let inner) = item.kind {
            factor *= Double(model.assumedListSize)
            item = inner
        }
        add(try self.sum(of: item, below), factor: factor, length, to: &sum)
    }

    /// Returns the cost of the input fields in the arguments of a field, and adds a node for each variable in them.
    private mutating func addInputs(of field: PlannedField, to sum: inout Sum) -> Double {
        guard !model.inputs.isEmpty else { return 0 }
        var constant = 0.0
        for argument in field.nodes[0].arguments {
            guard let type = field.field.arguments[argument.name.value]?.type.typeName.name else { continue }
            var variables: [(name: String, type: String)] = []
            constant += model.inputs.weight(of: argument.value, type, &variables)
            for variable in variables {
                let node = node(around: Sum(), factor: 1)
                formula.inputs.append(
                    CostFormula.Input(variable: variable.name, type: variable.type, node: Int32(node)))
                sum.nodes.append(node)
            }
        }
        return constant
    }

    /// Returns the cost of one value that is not a list.
    private mutating func sum(of output: PlannedOutput, _ sized: SizedFields?) throws(GraphQLError) -> Sum {
        switch output.kind {
        case .scalar(let type): return Sum(constant: model.weight(of: type.name, isComposite: false))
        case .enum(let type): return Sum(constant: model.weight(of: type.name, isComposite: false))
        case .list: return Sum()
        case .object(let selection): return try object(selection, sized)
        case .abstract(let abstract):
            var choices: [Sum] = []
            for type in schema.possibleTypes(of: abstract.type) {
                choices.append(try object(try abstract.selection(for: type), sized))
            }
            return mostExpensive(of: choices)
        }
    }

    private mutating func object(_ selection: PlannedSelection, _ sized: SizedFields?) throws(GraphQLError) -> Sum {
        var sum = try sum(of: selection, sized)
        sum.constant += model.weight(of: selection.type.name, isComposite: true)
        return sum
    }
}

// MARK: - Nodes

extension CostFormulaBuilder {
    private mutating func add(_ value: Sum, factor: Double, _ length: Length, to sum: inout Sum) {
        switch length {
        case .constant(let length):
            if value.nodes.isEmpty {
                sum.constant = min(
                    sum.constant + value.constant * min(factor * length, CostFormula.maximum), CostFormula.maximum)
            } else {
                sum.nodes.append(node(around: value, factor: factor * length))
            }
        case .size(let size): sum.nodes.append(node(around: value, factor: factor, size: size))
        }
    }

    private mutating func node(around value: Sum, factor: Double, size: Int = -1, isChoice: Bool = false) -> Int {
        let place = formula.nodes.count
        for child in value.nodes { formula.nodes[child].parent = Int32(place) }
        formula.nodes.append(
            CostFormula.Node(
                constant: value.constant, factor: min(factor, CostFormula.maximum), size: Int32(size),
                isChoice: isChoice))
        return place
    }

    private mutating func mostExpensive(of choices: [Sum]) -> Sum {
        var most = Sum()
        for choice in choices {
            if choice.nodes.isEmpty {
                most.constant = max(most.constant, choice.constant)
            } else {
                most.nodes.append(node(around: choice, factor: 1))
            }
        }
        if most.nodes.isEmpty { return most }
        return Sum(nodes: [node(around: most, factor: 1, isChoice: true)])
    }
}

// MARK: - Lengths

extension CostFormulaBuilder {
    /// Returns the length that the slicing arguments of a field specify, or the assumed length.
    private mutating func length(
        of field: PlannedField, _ listSize: CostModel.ListSize
    ) throws(GraphQLError) -> Length {
        let node = field.nodes[0]
        var size = CostFormula.Size()
        size.assumed = Double(max(0, listSize.assumedSize ?? model.assumedListSize))
        for name in listSize.slicingArguments {
            guard let definition = field.field.arguments[name] else { continue }
            let fallback: Double? =
                if case .int(let number)? = definition.defaultValue { Double(number) } else { nil }
            let value: Double?
            switch node.arguments.first(where: { $0.name.value == name })?.value.kind {
            case nil: value = fallback
            case .int(let digits): value = Double(digits)
            case .variable(let variable):
                size.variables.append((variable.value, fallback))
                continue
            default: value = nil
            }
            guard let value else { continue }
            size.given += 1
            size.largest = max(size.largest, min(value, CostFormula.maximum))
        }
        if listSize.requiresOneSlicingArgument, !listSize.slicingArguments.isEmpty {
            size.problem = problem(field, listSize.slicingArguments)
        }
        if size.variables.isEmpty { return .constant(try size.length([:])) }
        formula.sizes.append(size)
        return .size(formula.sizes.count - 1)
    }

    private func problem(_ field: PlannedField, _ arguments: [String]) -> GraphQLError {
        let names = arguments.map { "\"\($0)\"" }.joined(separator: ", ")
        return GraphQLError(
            "Field \"\(field.name)\" needs a value for "
                + (arguments.count == 1 ? "the argument \(names)" : "exactly one of the arguments \(names)")
                + ", which limits the length of its list.",
            locations: [source.location(of: field.nodes[0].range)],
            extensions: ["code": "SLICING_ARGUMENT_REQUIRED"])
    }
}
