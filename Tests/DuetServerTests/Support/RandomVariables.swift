import DuetGraphQL
import DuetJSON

/// The variables of a random query: an argument's value stands in the query itself, or is given by one of the many ways of a variable.
struct RandomVariables {
    private struct Variable {
        let name: String
        let type: String
        let initial: String?
        let value: Value?
        let others: [Value]
    }

    private var all: [Variable] = []

    /// How the operation declares them; empty without any.
    var declarations: String {
        guard !all.isEmpty else { return "" }
        let texts = all.map { "$\($0.name): \($0.type)" + ($0.initial.map { " = \($0)" } ?? "") }
        return "(\(texts.joined(separator: ", ")))"
    }

    /// What requests give for them, one after the other, with some left out; one request is enough without any.
    func values(_ random: inout SeededRandom) -> [JSONValue] {
        var requests = [JSONObject(), JSONObject()]
        for variable in all {
            let other = random.chance(60) ? random.element(of: variable.others) : nil
            requests[0][variable.name] = variable.value.map { JSONValue($0) }
            requests[1][variable.name] = (other ?? variable.value).map { JSONValue($0) }
        }
        return requests.prefix(requests[0] == requests[1] ? 1 : 2).map { .object($0) }
    }

    /// A value as an argument has it.
    /// - Parameters:
    ///   - type: the argument's, without a mark.
    ///   - isNullable: whether it could be null.
    ///   - others: what another request could give in its place.
    mutating func text(
        of value: Value, _ type: String, isNullable: Bool, others: [Value], _ random: inout SeededRandom
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

    /// No value, as an argument says it; nil to leave the argument out.
    mutating func nothing(
        _ type: String, isNullable: Bool, others: [Value], _ random: inout SeededRandom
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
