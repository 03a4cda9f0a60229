/// Which fragments and variables each operation and fragment definition of a document uses, by number, written down as the document
/// is walked through. What is reachable from an operation is then found without looking at the document again.
final class DocumentUsages {
    /// A fragment's spread.
    struct Spread {
        /// The fragment's number; -1 if there is none of that name.
        let fragment: Int32
        let range: SourceRange
    }

    /// A variable in the place of a value.
    struct VariableUsage {
        /// The number of the variable's name.
        let variable: Int32
        let range: SourceRange
        /// The type that a value must have there.
        let type: GraphQLType?
        /// The type of the list or input object around it.
        let parentType: GraphQLType?
        /// Whether the place has a default value, so that the variable may be left out.
        let hasDefault: Bool
    }

    /// What an operation or a fragment definition itself contains.
    struct Unit {
        var spreads: Range<Int>
        var variables: Range<Int>
    }

    struct Operation {
        let node: OperationDefinition
        let unit: Int
        /// The numbers of its variables' names, in the order of their definitions.
        let variables: [Int32]
        /// Where errors about it stand that are found at the end.
        let place: UInt32
    }

    /// The names of variables by number.
    var variableNames: [String] { variableNumbers.names }

    private(set) var spreads: [Spread] = []
    private(set) var variables: [VariableUsage] = []
    private(set) var units: [Unit] = []
    private(set) var operations: [Operation] = []
    /// The fragments by name; of two with one name, the first.
    private(set) var fragmentNumbers: [String: Int32] = [:]
    private(set) var fragments: [FragmentDefinition] = []
    /// For each fragment, its unit.
    private(set) var fragmentUnits: [Int] = []
    private var variableNumbers = NameNumbers()
    /// What rules do for each operation once the whole document is known.
    var visitOperation: [(OperationScope) -> Void] = []

    /// The one record that all rules of a walk share.
    static func shared(in visitor: inout DocumentVisitor, context: ValidationContext) -> DocumentUsages {
        if let usages = context.sharedUsages { return usages }
        let usages = DocumentUsages(context.document)
        context.sharedUsages = usages
        usages.register(in: &visitor, context: context)
        return usages
    }

    private init(_ document: Document) {
        for definition in document.definitions {
            guard case .fragment(let fragment) = definition else { continue }
            if fragmentNumbers[fragment.name.value] == nil {
                fragmentNumbers[fragment.name.value] = Int32(fragments.count)
                fragments.append(fragment)
            }
        }
        fragmentUnits = Array(repeating: -1, count: fragments.count)
    }

    private func register(in visitor: inout DocumentVisitor, context: ValidationContext) {
        visitor.enterOperation.append { [self] _ in begin() }
        visitor.enterFragment.append { [self] fragment in
            begin()
            if let number = fragmentNumbers[fragment.name.value], fragmentUnits[Int(number)] < 0 {
                fragmentUnits[Int(number)] = units.count - 1
            }
        }
        visitor.enterFragmentSpread.append { [self] spread in
            spreads.append(Spread(fragment: fragmentNumbers[spread.name.value] ?? -1, range: spread.range))
            units[units.count - 1].spreads = units[units.count - 1].spreads.lowerBound..<spreads.count
        }
        visitor.enterLiteral.append { [self] literal in
            guard case .variable(let name) = literal.kind, !units.isEmpty else { return }
            variables.append(
                VariableUsage(
                    variable: variableNumbers.number(of: name.value), range: literal.range, type: context.inputType,
                    parentType: context.parentInputType, hasDefault: context.defaultValue != nil))
            units[units.count - 1].variables = units[units.count - 1].variables.lowerBound..<variables.count
        }
        visitor.leaveOperation.append { [self] operation in
            operations.append(
                Operation(
                    node: operation, unit: units.count - 1,
                    variables: operation.variableDefinitions.map { variableNumbers.number(of: $0.variable.name.value) },
                    place: context.reservePlace()))
        }
        visitor.leaveDocument.append { [self] in
            guard !visitOperation.isEmpty else { return }
            let scope = OperationScope(self)
            for index in operations.indices {
                guard scope.enter(operations[index], context) else { return }
                for visit in visitOperation { visit(scope) }
            }
        }
    }

    private func begin() {
        units.append(
            Unit(spreads: spreads.count..<spreads.count, variables: variables.count..<variables.count))
    }
}
