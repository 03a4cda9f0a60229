/// The variables that an operation defines, and the variables that are used in the operation and in all fragments that
/// it reaches. One object is used for the operations of a document, one after the other.
final class OperationScope {
    private let usages: DocumentUsages
    private(set) var operation: DocumentUsages.Operation
    /// The indices in ``DocumentUsages/units`` of the operation and the fragments, in the order of error reports.
    private var units: [Int] = []
    /// For each fragment, the number (from 1) of the last operation that reached it. ``defined`` and ``used`` contain
    /// the number of the last operation that defined or used each variable.
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

    /// Changes the scope to another operation.
    /// - Returns: True if validation continues.
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

    /// Calls a function with each use of a variable in the operation and its fragments.
    func forEachUsage(_ body: (DocumentUsages.VariableUsage) -> Void) {
        for unit in units {
            for position in usages.units[unit].variables { body(usages.variables[position]) }
        }
    }

    /// Returns the index of the variable definition in the operation. If there are several definitions, returns the
    /// index of the last definition.
    func definitionIndex(of variable: Int32) -> Int? {
        defined[Int(variable)] == generation ? definitionIndices[Int(variable)] : nil
    }

    /// Returns true if the operation or one of its fragments uses the variable.
    func uses(_ variable: Int32) -> Bool { used[Int(variable)] == generation }

    /// Returns the name of a variable.
    func name(of variable: Int32) -> String { usages.variableNames[Int(variable)] }
}
