import DuetGraphQL
import SeededTesting

/// Writes the arguments of one field of a random query.
struct ArgumentWriter {
    var variables: RandomVariables
    var random: SplitMix64
    private var texts: [String] = []

    init(variables: RandomVariables, random: SplitMix64) {
        self.variables = variables
        self.random = random
    }

    /// All arguments in parentheses, or an empty text if the field has no arguments.
    var text: String { texts.isEmpty ? "" : "(\(texts.joined(separator: ", ")))" }

    /// - Parameters:
    ///   - value: The value. Nil means an absent value, which has several notations.
    ///   - others: The values that a variable can have in another request.
    mutating func add(_ name: String, _ value: Value?, _ type: String, isNullable: Bool, others: [Value]) {
        guard let text = text(of: value, type, isNullable: isNullable, others: others) else { return }
        texts.insert("\(name): \(text)", at: random.below(texts.count + 1))
    }

    mutating func addSize(_ size: Int?, isNullable: Bool) {
        add("first", size.map { .int(Int64($0)) }, "Int", isNullable: isNullable, others: [1, 2, 3])
    }

    /// - Parameter limit: The maximum number of rows.
    /// - Returns: The page size.
    mutating func addPageSize(_ limit: Int) -> Int {
        // The default page size is 100.
        let size = limit >= 100 && random.chance(20) ? nil : 1 + random.below(max(1, min(limit, 8)))
        addSize(size, isNullable: false)
        return size ?? 100
    }

    /// Adds an input object as one value, or field by field.
    mutating func addObject(
        _ name: String, _ object: ObjectValue, _ type: String, others: [Value],
        _ fields: (String) -> (type: String, isNullable: Bool, others: [Value])
    ) {
        guard !object.isEmpty, random.chance(60) else {
            return add(name, object.isEmpty ? .none : .object(object), type, isNullable: true, others: others)
        }
        let members = object.compactMap { member, value in
            let (type, isNullable, others) = fields(member)
            return text(of: value, type, isNullable: isNullable, others: others)
                .map { "\(member): \($0)" }
        }
        texts.append("\(name): {\(members.joined(separator: ", "))}")
    }

    private mutating func text(of value: Value?, _ type: String, isNullable: Bool, others: [Value]) -> String? {
        guard let value else { return variables.nothing(type, isNullable: isNullable, others: others, &random) }
        return variables.text(of: value, type, isNullable: isNullable, others: others, &random)
    }
}
