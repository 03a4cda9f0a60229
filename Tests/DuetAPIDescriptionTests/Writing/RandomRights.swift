import DuetJSON
import DuetResourceService
import SeededTesting
import TestSupport

/// The rights of the callers of a random role: the rows and fields that they see, and the changes that they may make.
struct RandomRights: Sendable {
    /// The rules for one kind of change.
    struct Rule: Sendable {
        /// The columns that a request can set.
        var columns: [String] = []
        /// The values that the service sets, by column.
        var set: [String: RandomValue] = [:]
        /// The condition on the row before the change.
        var condition: RandomFilter?
        /// The condition on the row after the change.
        var check: RandomFilter?
    }

    /// The rules for a table.
    struct Rules: Sendable {
        var create: Rule?
        var update: Rule?
        var delete: Rule?
    }

    private(set) var role: RandomRole
    /// The catalogue without roles. The conditions are evaluated with all rows.
    let whole: Catalogue
    private(set) var rules: [String: Rules] = [:]
    private let form: Form
    /// The claims of a caller.
    private(set) var claims: [String: JSONValue]
    /// The roles in a description.
    private(set) var roles: JSONValue = .null

    /// The forms of the rules for changes.
    enum Form {
        /// Rules with conditions and values that can concern hidden rows and fields.
        case any
        /// Rules whose conditions and values concern only what the role sees.
        case visible
        /// The permission to make all changes of the visible rows and fields.
        case all
    }

    init(_ schema: RandomSchema, _ whole: Catalogue, _ form: Form, _ random: inout SplitMix64) throws {
        var model = RandomModel(schema: schema, catalogue: whole)
        self.whole = whole
        self.form = form
        // Related rows in an input need the fields that refer to them, even if the role does not see the fields.
        role = try RandomRole(model, hidesReferences: form == .any, &random)
        if form != .any { model = RandomModel(schema: schema, catalogue: try role.reduced(whole)) }
        claims = role.claims
        var permissions = role.permissions
        for resource in model.catalogue.resources {
            guard let hidden = role.hidden[resource.name], let table = schema.table(resource.table),
                isGiven(in: 5, &random), case .object(var members)? = permissions[resource.name]
            else { continue }
            let visible = resource.fields.filter { !hidden.contains($0.name) }
            var rules = Rules()
            if isGiven(in: 5, &random) {
                if let (rule, text) = try rule(model, resource, table, visible, hasCondition: false, &random) {
                    rules.create = rule
                    members["create"] = text
                }
            }
            if isGiven(in: 5, &random) {
                let others = visible.filter { !resource.key.contains($0.name) }
                if let (rule, text) = try rule(model, resource, table, others, hasCondition: true, &random) {
                    rules.update = rule
                    members["update"] = text
                }
            }
            if isGiven(in: 3, &random) {
                let condition = condition(model, resource, &random)
                rules.delete = Rule(condition: condition)
                members["delete"] = .object(try Self.members([("where", condition)]))
            }
            self.rules[resource.table] = rules
            permissions[resource.name] = .object(members)
        }
        roles = ["random": ["resources": .object(permissions)]]
    }

    /// Returns true if the role has a permission: always, or in all but one of a number of cases.
    private func isGiven(in count: Int, _ random: inout SplitMix64) -> Bool {
        form == .all || Int.random(in: 0..<count, using: &random) > 0
    }

    private func condition(
        _ model: RandomModel, _ resource: Resource, _ random: inout SplitMix64
    ) -> RandomFilter? {
        form != .all && Int.random(in: 0..<3, using: &random) == 0 ? model.filter(resource, depth: 1, &random) : nil
    }

    private static func members(_ filters: [(String, RandomFilter?)]) throws -> JSONObject {
        JSONObject(
            try filters.compactMap { name, filter in
                try filter.map { (name, try JSONValue(parsing: $0.text(false).utf8)) }
            })
    }

    /// Returns a rule, and its form in a description; nil if a request could set no field.
    private mutating func rule(
        _ model: RandomModel, _ resource: Resource, _ table: RandomTable, _ fields: [Field], hasCondition: Bool,
        _ random: inout SplitMix64
    ) throws -> (rule: Rule, text: JSONValue)? {
        var rule = Rule()
        rule.condition = hasCondition ? condition(model, resource, &random) : nil
        rule.check = condition(model, resource, &random)
        var object = try Self.members([("where", rule.condition), ("check", rule.check)])
        let settable = resource.fields.filter { !resource.key.contains($0.name) }
        if form != .all, Int.random(in: 0..<3, using: &random) == 0, let field = settable.randomElement(using: &random),
            let column = table.columns.first(where: { $0.name == field.column })
        {
            let value = column.type.value(&random)
            rule.set[column.name] = value
            var operand = try JSONValue(parsing: value.json.utf8)
            if Bool.random(using: &random) {
                let claim = "set\(claims.count)"
                claims[claim] = operand
                operand = ["claim": .string(claim)]
            }
            object["set"] = .object(JSONObject([(field.name, operand)]))
        }
        var permitted = fields.filter { rule.set[$0.column] == nil }
        if form != .all, Bool.random(using: &random) {
            permitted.removeAll { _ in Int.random(in: 0..<6, using: &random) == 0 }
        }
        guard !permitted.isEmpty else { return nil }
        rule.columns = permitted.map(\.column)
        object["fields"] = .array(permitted.map { .string($0.name) })
        return (rule, .object(object))
    }

    /// The rights without conditions on the visible rows.
    var seeingAllRows: RandomRights {
        var copy = self
        copy.role = role.seeingAllRows
        return copy
    }

    /// Returns true if the caller sees a row.
    func sees(_ row: [String: RandomValue], of table: String, in schema: RandomSchema) -> Bool {
        role.sees(row, of: table, RandomModel(schema: schema, catalogue: whole))
    }

    /// Returns true if a row satisfies a condition of a rule.
    func holds(
        _ condition: RandomFilter?, _ row: [String: RandomValue], of table: String, in schema: RandomSchema
    ) -> Bool {
        guard let condition, let resource = whole.resources.first(where: { $0.table == table }) else { return true }
        return RandomModel(schema: schema, catalogue: whole).holds(condition, row, resource) == true
    }
}
