/// The selection sets of a document by number, with the types of their fields, so that merging them compares numbers.
struct SelectionTable {
    /// A selection set; inline fragments have one of their own.
    struct SelectionSetRecord {
        /// The first and last selection, as positions in ``SelectionTable/selections``; -1 if there is none.
        var first: Int32 = -1
        var last: Int32 = -1
        /// Where errors about it stand.
        let place: UInt32
        /// The type its fields belong to, by its place in the schema; -1 if it is not known.
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
        /// The number of the field, of the inline fragment's selection set, or of the fragment.
        var number: Int32
        /// The next selection of the same set; -1 if there is none.
        var next: Int32 = -1
    }

    struct FieldRecord {
        /// The response name's number.
        let key: Int32
        /// The name's number.
        let name: Int32
        let parentType: Int32
        let isParentObject: Bool
        let hasArguments: Bool
        /// Its own selection set; -1 if there is none.
        var selectionSet: Int32 = -1
        let range: SourceRange
    }

    /// What the selection set that comes next belongs to.
    private enum Owner {
        case operation
        case fragment(Int)
        case field(Int)
        case inlineFragment(Int)
    }

    /// The response names and names of fields by number.
    var names: [String] { numbers.names }

    private let usages: DocumentUsages
    private(set) var selectionSets: [SelectionSetRecord] = []
    private(set) var selections: [SelectionRecord] = []
    private(set) var fields: [FieldRecord] = []
    private(set) var types: [GraphQLType?] = []
    private(set) var arguments: [NodeList<Argument>] = []
    /// The selection sets of the operations.
    private(set) var operations: [Int32] = []
    /// The selection sets of the fragments; -1 for one that was not walked through.
    private(set) var fragments: [Int32]
    /// For each fragment, whether it is spread anywhere.
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
                isParentObject: set.isObject, hasArguments: !field.arguments.isEmpty, range: field.range))
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
