/// What an operation costs, as far as it is known without its variables. What does not depend on them is one number; for the rest
/// there is a node per field, so that a request costs a few multiplications.
struct CostFormula: Sendable {
    /// The length of a list, which depends on variables.
    struct Size: Sendable {
        /// A slicing argument that is given by a variable, and its value if there is none.
        var variables: [(name: String, fallback: Double?)] = []
        /// How many other slicing arguments have a value.
        var given = 0
        /// The largest of their values.
        var largest = 0.0
        /// The length if none has a value.
        var assumed = 0.0
        /// What is said if not exactly one has a value; nil if that may be.
        var problem: GraphQLError?
    }

    /// A field with a list whose length depends on variables, or something around such a field.
    struct Node: Sendable {
        /// What the field's value costs besides its children.
        var constant: Double
        /// How often that is, if it does not depend on variables.
        var factor: Double
        /// The place of the list's length; -1 if it is 1.
        var size: Int32
        /// The place of the node around it, which is greater than its own; -1 for the operation.
        var parent: Int32 = -1
        /// Whether of its children only the most expensive counts, as an object has only one type.
        var isChoice = false
    }

    /// The largest cost. Products of two such numbers are exact enough and finite.
    static let maximum = 1e15

    var constant = 0.0
    /// Children come before the node around them.
    var nodes: [Node] = []
    var sizes: [Size] = []

    /// The cost with coerced variables.
    /// - Throws: if a field's slicing arguments do not say how long its list is.
    func cost(_ variables: ObjectValue) throws(GraphQLError) -> Int {
        var total = constant
        if !nodes.isEmpty {
            var lengths: [Double] = []
            lengths.reserveCapacity(sizes.count)
            for size in sizes { lengths.append(try size.length(variables)) }
            var sums = nodes.map(\.constant)
            for (index, node) in nodes.enumerated() {
                let length = node.size < 0 ? 1 : lengths[Int(node.size)]
                let cost = min(min(sums[index], Self.maximum) * min(node.factor * length, Self.maximum), Self.maximum)
                if node.parent < 0 {
                    total += cost
                } else if nodes[Int(node.parent)].isChoice {
                    sums[Int(node.parent)] = max(sums[Int(node.parent)], cost)
                } else {
                    sums[Int(node.parent)] += cost
                }
            }
        }
        return Int(min(total, Self.maximum).rounded(.up))
    }
}

extension CostFormula.Size {
    func length(_ variables: ObjectValue) throws(GraphQLError) -> Double {
        var given = given
        var largest = largest
        for (name, fallback) in self.variables {
            let value: Double?
            switch variables[name] {
            case .int(let number): value = Double(number)
            case nil: value = fallback
            default: value = nil
            }
            guard let value else { continue }
            given += 1
            largest = max(largest, value)
        }
        if let problem, given != 1 { throw problem }
        return given > 0 ? largest : assumed
    }
}
