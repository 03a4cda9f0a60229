/// A selection of a parsed document, as ``DocumentNodes`` stores it. It contains only numbers. Therefore it needs no
/// reference counting, and one call releases all selections of a document. ``selection(in:)`` converts it to a
/// ``Selection``.
struct StoredSelection {
    enum Kind: UInt8 {
        case field
        case fragmentSpread
        case inlineFragment
    }

    /// A name, as its index in ``DocumentNodes/names``.
    struct StoredName {
        var number: UInt32
        var start: UInt32
    }

    /// Adjacent nodes in ``DocumentNodes``.
    struct StoredList {
        var start: UInt32 = 0
        var count: UInt32 = 0

        init() {}

        init(_ start: Int, upTo end: Int) {
            self.start = UInt32(truncatingIfNeeded: start)
            count = UInt32(truncatingIfNeeded: end - start)
        }

        @inline(__always)
        func list<Element>(in nodes: DocumentNodes) -> NodeList<Element> {
            count == 0 ? NodeList() : NodeList(nodes: nodes, start: Int(start), count: Int(count))
        }
    }

    var kind: Kind
    var hasAlias = false
    /// True if the selection has a name or, for an inline fragment, a type condition.
    var hasName = true
    var hasSelectionSet = false
    /// The alias of a field.
    var alias = StoredName(number: 0, start: 0)
    var name = StoredName(number: 0, start: 0)
    var arguments = StoredList()
    var directives = StoredList()
    var selections = StoredList()
    /// The range of the selection set in the source text.
    var selectionSetRange = SourceRange.none
    var range: SourceRange

    @inline(__always)
    func selection(in nodes: DocumentNodes) -> Selection {
        switch kind {
        case .field:
            .field(
                Field(
                    alias: hasAlias ? nodes.name(alias) : nil, name: nodes.name(name),
                    arguments: arguments.list(in: nodes), directives: directives.list(in: nodes),
                    selectionSet: hasSelectionSet ? selectionSet(in: nodes) : nil, range: range))
        case .fragmentSpread:
            .fragmentSpread(
                FragmentSpread(name: nodes.name(name), directives: directives.list(in: nodes), range: range))
        case .inlineFragment:
            .inlineFragment(
                InlineFragment(
                    typeCondition: hasName ? nodes.name(name) : nil, directives: directives.list(in: nodes),
                    selectionSet: selectionSet(in: nodes), range: range))
        }
    }

    @inline(__always)
    private func selectionSet(in nodes: DocumentNodes) -> SelectionSet {
        SelectionSet(selections: selections.list(in: nodes), range: selectionSetRange)
    }
}

extension DocumentNodes {
    @inline(__always)
    fileprivate func name(_ name: StoredSelection.StoredName) -> Name {
        Name(names[Int(name.number)], start: name.start)
    }
}
