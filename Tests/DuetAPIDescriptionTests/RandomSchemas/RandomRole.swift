import DuetJSON
import DuetResourceService
import SeededTesting
import TestSupport

/// A random role of an introspected schema, and the claims of a caller.
struct RandomRole: Sendable {
    private(set) var role: Role
    private(set) var claims: [String: JSONValue] = [:]
    /// The permissions in a description: the values of the member `resources`, keyed by resource.
    private(set) var permissions = JSONObject()
    /// The names of the fields that the role does not see, keyed by resource. It contains each visible resource.
    private(set) var hidden: [String: [String]] = [:]
    /// The conditions on the rows of the visible resources, by the names of the tables.
    private(set) var conditions: [String: RandomFilter] = [:]
    /// The tables of the resources that the role does not see.
    private(set) var concealed: Set<String> = []

    /// Creates a role that sees at least one resource.
    /// - Parameters:
    ///   - hidesKeys: True if the role can lack fields of keys. Otherwise it sees the key of each resource that it
    ///     sees.
    ///   - hidesReferences: True if the role can lack fields that refer to other rows.
    init(_ model: RandomModel, hidesKeys: Bool = false, hidesReferences: Bool = true, _ random: inout SplitMix64) throws
    {
        role = Role("random", reads: [:])
        let resources = model.catalogue.resources
        let given = resources.randomElement(using: &random)?.name
        for resource in resources {
            guard resource.name == given || Int.random(in: 0..<4, using: &random) > 0 else {
                concealed.insert(resource.table)
                continue
            }
            var hidden = hiddenFields(of: resource, hidesKeys: hidesKeys, &random)
            if !hidesReferences {
                let references = model.schema.table(resource.table)?.references.flatMap(\.columns) ?? []
                hidden.removeAll { name in resource.field(name).map { references.contains($0.column) } ?? false }
            }
            var read = Role.Read(fields: .except(hidden))
            var members: [(key: String, value: JSONValue)] = [("except", .array(hidden.map { .string($0) }))]
            if hidden.contains(where: resource.key.contains) {
                // Without the key, only an order by all fields determines the bytes of a list.
                let order = resource.fields.map(\.name).filter { !hidden.contains($0) }
                read.order = order.map { SortField($0) }
                members.append(("order", .array(order.map { .string($0) })))
            }
            if Bool.random(using: &random) {
                let filter = model.filter(resource, depth: 2, &random)
                conditions[resource.table] = filter
                if case .object(let object) = try JSONValue(parsing: filter.text(false).utf8) {
                    let withClaims = self.claims(object, &random)
                    read.condition = try model.catalogue.filter(withClaims, of: resource, readsClaims: true)
                    members.append(("where", .object(withClaims)))
                }
            }
            role.reads[resource.name] = read
            self.hidden[resource.name] = hidden
            permissions[resource.name] = .object(["read": .object(JSONObject(members))])
        }
    }

    /// Returns the names of random fields, but not of all fields.
    private func hiddenFields(of resource: Resource, hidesKeys: Bool, _ random: inout SplitMix64) -> [String] {
        let hidesKey = hidesKeys && Int.random(in: 0..<4, using: &random) == 0
        let hidden = resource.fields.map(\.name).filter { name in
            (hidesKey || !resource.key.contains(name)) && Int.random(in: 0..<3, using: &random) == 0
        }
        return hidden.count < resource.fields.count ? hidden : Array(hidden.dropFirst())
    }

    /// Returns a filter in which some operands are claims.
    private mutating func claims(_ filter: JSONObject, _ random: inout SplitMix64) -> JSONObject {
        var members: [(key: String, value: JSONValue)] = []
        for member in filter.members {
            let (name, value) = (member.key, member.value)
            switch value {
            case .object(let object): members.append((name, .object(claims(object, &random))))
            case .array(let elements) where name == "and" || name == "or":
                var filters: [JSONValue] = []
                for case .object(let object) in elements { filters.append(.object(claims(object, &random))) }
                members.append((name, .array(filters)))
            default:
                let isOperand = Comparison(rawValue: name) != nil
                guard isOperand, Bool.random(using: &random) else {
                    members.append((name, value))
                    continue
                }
                let claim = "claim\(claims.count)"
                claims[claim] = value
                members.append((name, ["claim": .string(claim)]))
            }
        }
        return JSONObject(members)
    }

    /// The role without conditions on rows.
    var seeingAllRows: RandomRole {
        var copy = self
        copy.conditions = [:]
        return copy
    }

    /// Returns true if the caller sees a row.
    /// - Parameter model: The model of the whole schema.
    func sees(_ row: [String: RandomValue], of table: String, _ model: RandomModel) -> Bool {
        guard !concealed.contains(table) else { return false }
        guard let condition = conditions[table],
            let resource = model.catalogue.resources.first(where: { $0.table == table })
        else { return true }
        return model.holds(condition, row, resource) == true
    }
}
