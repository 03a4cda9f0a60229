/// The selection sets of a document and their fields, in arrays. Names, fields and selection sets are represented by
/// numbers, so that the merge check compares numbers.
struct SelectionTable {
    /// A selection set. Each inline fragment has its own selection set.
    struct SelectionSetRecord {
        /// The positions of the first and last selection in ``SelectionTable/selections``; -1 if there is none.
        var first: Int32 = -1
        var last: Int32 = -1
        /// The number that determines the order of errors about the selection set; see
        /// ``ValidationContext/reservePlace()``.
        let place: UInt32
        /// The schema's index of the type from which the fields are selected; -1 if the type is unknown.
        let parentType: Int32
        let isObject: Bool
    }

    struct SelectionRecord {
        enum Kind: UInt8 {
            case field
            case inlineFragment
            case spread
        }

        let kind: Kind
        /// The number of the field, of the selection set of the inline fragment, or of the spread fragment.
        var number: Int32
        /// The position of the next selection in the same set; -1 if there is none.
        var next: Int32 = -1
    }

    struct FieldRecord {
        /// The number of the response name.
        let key: Int32
        /// The number of the field's name.
        let name: Int32
        let parentType: Int32
        let isParentObject: Bool
        let hasArguments: Bool
        let isStreamed: Bool
        /// The selection set of the field; -1 if there is none.
        var selectionSet: Int32 = -1
        let range: SourceRange
    }

    /// The element to which the next selection set belongs.
    private enum Owner {
        case operation
        case fragment(Int)
        case field(Int)
        case inlineFragment(Int)
    }

    /// The response names and names of fields, by number.
    var names: [String] { numbers.names }

    private let usages: DocumentUsages
    private(set) var selectionSets: [SelectionSetRecord] = []
    private(set) var selections: [SelectionRecord] = []
    private(set) var fields: [FieldRecord] = []
    private(set) var types: [GraphQLType?] = []
    private(set) var arguments: [NodeList<Argument>] = []
    /// The numbers of the operations' selection sets.
    private(set) var operations: [Int32] = []
    /// The numbers of the fragments' selection sets; -1 for a fragment that was not visited.
    private(set) var fragments: [Int32]
    /// For each fragment, true if the document spreads it.
    private(set) var isSpread: [Bool]
    private var numbers = NameNumbers()
    private var open: [Int32] = []
    private var owner = Owner.operation

    init(usages: DocumentUsages) {
        self.usages = usages
        fragments = Array(repeating: -1, count: usages.fragments.count)
        isSpread = Array(repeating: false, count: usages.fragments.count)
    }

    mutating func enterDefinition(fragment: String?) {
        guard let fragment else {
            owner = .operation
            return
        }
        owner = .fragment(usages.fragmentNumbers[fragment].map(Int.init) ?? 0)
    }

    mutating func enterSelectionSet(parentType: Int32, isObject: Bool, place: UInt32) {
        let number = Int32(selectionSets.count)
        selectionSets.append(SelectionSetRecord(place: place, parentType: parentType, isObject: isObject))
        open.append(number)
        switch owner {
        case .operation: operations.append(number)
        case .fragment(let fragment): if fragments[fragment] < 0 { fragments[fragment] = number }
        case .field(let field): fields[field].selectionSet = number
        case .inlineFragment(let selection): selections[selection].number = number
        }
    }

    mutating func leaveSelectionSet() { open.removeLast() }

    mutating func enterField(_ field: Field, definition: SchemaField?) {
        let set = selectionSets[Int(open[open.count - 1])]
        let name = numbers.number(of: field.name.value)
        var key = name
        if let alias = field.alias { key = numbers.number(of: alias.value) }
        if field.selectionSet != nil { owner = .field(fields.count) }
        add(.field, Int32(fields.count))
        fields.append(
            FieldRecord(
                key: key, name: name, parentType: set.parentType,
                isParentObject: set.isObject, hasArguments: !field.arguments.isEmpty,
                isStreamed: field.directives.contains { $0.name.value == "stream" }, range: field.range))
        types.append(definition?.type)
        arguments.append(field.arguments)
    }

    mutating func enterInlineFragment() {
        owner = .inlineFragment(selections.count)
        add(.inlineFragment, -1)
    }

    mutating func addSpread(_ name: String) {
        guard let fragment = usages.fragmentNumbers[name] else { return }
        isSpread[Int(fragment)] = true
        add(.spread, fragment)
    }

    private mutating func add(_ kind: SelectionRecord.Kind, _ number: Int32) {
        let position = Int32(selections.count)
        selections.append(SelectionRecord(kind: kind, number: number))
        let set = Int(open[open.count - 1])
        if selectionSets[set].last >= 0 {
            selections[Int(selectionSets[set].last)].next = position
        } else {
            selectionSets[set].first = position
        }
        selectionSets[set].last = position
    }
}
