/// The fragments and variables that each operation and each fragment definition of a document uses. Names are
/// represented by numbers. The uses are recorded during the walk of the document, so that no other walk is needed to
/// find the fragments and variables that an operation reaches.
final class DocumentUsages {
    /// A fragment spread.
    struct Spread {
        /// The number of the fragment; -1 if no fragment has the name.
        let fragment: Int32
        let range: SourceRange
    }

    /// A variable in the position of a value.
    struct VariableUsage {
        /// The number of the name of the variable.
        let variable: Int32
        let range: SourceRange
        /// The required type of a value at the position.
        let type: GraphQLType?
        /// The type of the enclosing list or input object.
        let parentType: GraphQLType?
        /// True if the position has a default value, so that the variable can be omitted.
        let hasDefault: Bool
    }

    /// The spreads and variables that an operation or a fragment definition contains directly, as ranges of ``spreads``
    /// and ``variables``.
    struct Unit {
        var spreads: Range<Int>
        var variables: Range<Int>
    }

    struct Operation {
        let node: OperationDefinition
        let unit: Int
        /// The numbers of the names of the operation's variables, in the order of their definitions.
        let variables: [Int32]
        /// The number that determines the order of the operation's errors that are found after the walk; see
        /// ``ValidationContext/reservePlace()``.
        let place: UInt32
    }

    /// The names of variables by number.
    var variableNames: [String] { variableNumbers.names }

    private(set) var spreads: [Spread] = []
    private(set) var variables: [VariableUsage] = []
    private(set) var units: [Unit] = []
    private(set) var operations: [Operation] = []
    /// The fragments by name. If a name is repeated, the first fragment is used.
    private(set) var fragmentNumbers: [String: Int32] = [:]
    private(set) var fragments: [FragmentDefinition] = []
    /// For each fragment, the index of its unit.
    private(set) var fragmentUnits: [Int] = []
    private var variableNumbers = NameNumbers()
    /// The functions that rules add for each operation. They are called after the walk.
    var visitOperation: [(OperationScope) -> Void] = []

    /// Returns the usages that all rules of a walk share.
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
