import DuetGraphQL
import DuetJSON
import SeededTesting

/// The variables of a random query. The value of an argument is written in the query itself or passed in a variable. A
/// variable can be declared in several ways.
struct RandomVariables {
    private struct Variable {
        let name: String
        let type: String
        let initial: String?
        let value: Value?
        let others: [Value]
    }

    private var all: [Variable] = []

    /// The declarations of the variables, or an empty text if there are no variables.
    var declarations: String {
        guard !all.isEmpty else { return "" }
        let texts = all.map { "$\($0.name): \($0.type)" + ($0.initial.map { " = \($0)" } ?? "") }
        return "(\(texts.joined(separator: ", ")))"
    }

    /// Returns the variables of two successive requests, with some values omitted. If both requests have the same
    /// values, returns only one of them.
    func values(_ random: inout SplitMix64) -> [JSONValue] {
        var requests = [JSONObject(), JSONObject()]
        for variable in all {
            let other = random.chance(60) ? random.element(of: variable.others) : nil
            requests[0][variable.name] = variable.value.map { JSONValue($0) }
            requests[1][variable.name] = (other ?? variable.value).map { JSONValue($0) }
        }
        return requests.prefix(requests[0] == requests[1] ? 1 : 2).map { .object($0) }
    }

    /// Returns a value as the text of an argument.
    /// - Parameters:
    ///   - type: The type of the argument, without an exclamation mark.
    ///   - isNullable: True if the argument can be null.
    ///   - others: The values that another request can have instead.
    mutating func text(
        of value: Value, _ type: String, isNullable: Bool, others: [Value], _ random: inout SplitMix64
    ) -> String {
        switch random.below(10) {
        case 0: variable("\(type)!", nil, value, others)
        case 1: variable("\(type)!", value.description, nil, others)
        case 2 where isNullable: variable(type, nil, value, others)
        case 3: variable(type, value.description, nil, others)
        case 4 where isNullable: variable(type, "null", value, others)
        case 5: known("\(type)!", value, others) ?? value.description
        default: value.description
        }
    }

    /// Returns the text for an argument without a value, or nil to omit the argument.
    mutating func nothing(
        _ type: String, isNullable: Bool, others: [Value], _ random: inout SplitMix64
    ) -> String? {
        switch random.below(6) {
        case 0: variable(type, nil, nil, others)
        case 1 where isNullable: variable(type, nil, .null, others)
        case 2 where isNullable: variable(type, "null", nil, others)
        case 3 where isNullable: "null"
        default: nil
        }
    }

    private func known(_ type: String, _ value: Value, _ others: [Value]) -> String? {
        all.first { $0.type == type && $0.value == value && $0.others == others }.map { "$\($0.name)" }
    }

    private mutating func variable(_ type: String, _ initial: String?, _ value: Value?, _ others: [Value]) -> String {
        let name = "v\(all.count)"
        all.append(Variable(name: name, type: type, initial: initial, value: value, others: others))
        return "$\(name)"
    }
}
