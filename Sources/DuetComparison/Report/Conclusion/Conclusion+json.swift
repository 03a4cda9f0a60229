import DuetJSON

extension Conclusion {
    /// The conclusion in the format that `--format json` prints.
    var json: JSONValue {
        func name(_ style: ComparisonReport.StyleReport?) -> JSONValue {
            style.map { .string($0.style.rawValue) } ?? .null
        }
        return [
            "text": .string(text), "rest": name(contenders.rest), "graphql": name(contenders.graphQL),
            "measures": .array(findings.map(\.json)),
        ]
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        [
            "name": .string(measure.name), "rest": rest.json, "graphql": graphQL.json, "outcome": .string(outcome.name),
            "reason": reason.map { .string($0) } ?? .null,
        ]
    }
}
