/// The cost of an operation as a function of its variables. The part that does not depend on variables is one number.
/// The other part is a tree of nodes for lists whose length depends on variables. The cost of a request is therefore
/// computed with a few multiplications.
struct CostFormula: Sendable {
    /// The length of a list, if it depends on variables. The length is the largest value of the *slicing arguments*,
    /// such as `first`.
    struct Size: Sendable {
        /// The variables that provide slicing arguments, each with the number that is used if the variable has no
        /// value.
        var variables: [(name: String, fallback: Double?)] = []
        /// The number of slicing arguments whose values do not depend on variables.
        var given = 0
        /// The largest of the values that do not depend on variables.
        var largest = 0.0
        /// The length if no slicing argument has a value.
        var assumed = 0.0
        /// The error if the number of slicing arguments with a value is not one; nil if any number is allowed.
        var problem: GraphQLError?
    }

    /// A list field whose length depends on variables, or a part of the operation that encloses such a field.
    struct Node: Sendable {
        /// The cost of one value, without the child nodes.
        var constant: Double
        /// The part of the multiplier that does not depend on variables.
        var factor: Double
        /// The index of the list's length in ``CostFormula/sizes``; -1 if the length does not depend on variables.
        var size: Int32
        /// The index of the enclosing node, which is greater than the index of this node; -1 for the operation.
        var parent: Int32 = -1
        /// True if only the most expensive child counts, because the children are the possible types of an object.
        var isChoice = false
    }

    /// A variable whose value contains fields of input objects.
    struct Input: Sendable {
        let variable: String
        /// The name of the type of the argument or field that has the value.
        let type: String
        /// The index of the node whose cost is that of the value.
        let node: Int32
    }

    /// The maximum cost. The product of two such numbers is finite and sufficiently exact.
    static let maximum = 1e15

    var constant = 0.0
    /// The nodes. Child nodes precede the enclosing node.
    var nodes: [Node] = []
    var sizes: [Size] = []
    var inputs: [Input] = []
    /// The costs of the fields of input objects.
    var weights = InputWeights()

    /// Returns the cost with coerced variables.
    /// - Throws: An error if the slicing arguments of a field do not determine the length of its list.
    func cost(_ variables: ObjectValue) throws(GraphQLError) -> Int {
        var total = constant
        if !nodes.isEmpty {
            var lengths: [Double] = []
            lengths.reserveCapacity(sizes.count)
            for size in sizes { lengths.append(try size.length(variables)) }
            var sums = nodes.map(\.constant)
            for input in inputs {
                sums[Int(input.node)] += variables[input.variable].map { weights.weight(of: $0, input.type) } ?? 0
            }
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
