/// An operation together with all fragments it reaches: what its variables are and where they are used.
final class OperationScope {
    private let usages: DocumentUsages
    private(set) var operation: DocumentUsages.Operation
    /// The units of the operation and of the fragments, in the order in which errors are reported.
    private var units: [Int] = []
    /// Which operation, counted from 1, last reached a fragment, defined a variable or used it.
    private var reached: [Int32]
    private var defined: [Int32]
    private var used: [Int32]
    private var definitionIndices: [Int]
    private var generation: Int32 = 0

    init(_ usages: DocumentUsages) {
        self.usages = usages
        operation = DocumentUsages.Operation(
            node: OperationDefinition(selectionSet: SelectionSet(selections: [])), unit: 0, variables: [], place: 0)
        reached = Array(repeating: 0, count: usages.fragments.count)
        defined = Array(repeating: 0, count: usages.variableNames.count)
        used = defined
        definitionIndices = Array(repeating: 0, count: usages.variableNames.count)
    }

    /// Makes this the scope of that operation.
    /// - Returns: whether validation goes on.
    func enter(_ operation: DocumentUsages.Operation, _ context: ValidationContext) -> Bool {
        self.operation = operation
        generation += 1
        for (index, variable) in operation.variables.enumerated() {
            defined[Int(variable)] = generation
            definitionIndices[Int(variable)] = index
        }
        units.removeAll(keepingCapacity: true)
        units.append(operation.unit)
        var pending = [operation.unit]
        while let index = pending.popLast() {
            let unit = usages.units[index]
            guard context.spend(1 + unit.spreads.count + unit.variables.count) else { return false }
            for position in unit.variables { used[Int(usages.variables[position].variable)] = generation }
            for position in unit.spreads {
                let fragment = Int(usages.spreads[position].fragment)
                guard fragment >= 0, reached[fragment] != generation else { continue }
                reached[fragment] = generation
                units.append(usages.fragmentUnits[fragment])
                pending.append(usages.fragmentUnits[fragment])
            }
        }
        return true
    }

    /// Goes through the places where the operation and its fragments use variables.
    func forEachUsage(_ body: (DocumentUsages.VariableUsage) -> Void) {
        for unit in units {
            for position in usages.units[unit].variables { body(usages.variables[position]) }
        }
    }

    /// Which of the operation's variable definitions defines a variable; of two, the last.
    func definitionIndex(of variable: Int32) -> Int? {
        defined[Int(variable)] == generation ? definitionIndices[Int(variable)] : nil
    }

    /// Whether the operation or one of its fragments uses the variable.
    func uses(_ variable: Int32) -> Bool { used[Int(variable)] == generation }

    /// A variable's name.
    func name(of variable: Int32) -> String { usages.variableNames[Int(variable)] }
}
