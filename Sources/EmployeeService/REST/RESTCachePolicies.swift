import DuetGraphQL

/// How long the answers of REST may be kept: as long as those of GraphQL with the same data, by the same hints.
final class RESTCachePolicies: Sendable {
    /// Reads of rows of one type.
    struct Rows: Sendable {
        /// What restricts them whatever is shown.
        private var always: CachePolicy
        /// What restricts them if it is shown; of most fields nothing is said.
        private var fields: [String: CachePolicy] = [:]
        private var details: [String: CachePolicy] = [:]

        /// The policy of rows with those fields and relations.
        func showing(_ fields: [String], details: [String] = []) -> CachePolicy {
            var policy = always
            if !self.fields.isEmpty {
                for field in fields { if let other = self.fields[field] { policy.restrict(other) } }
            }
            for detail in details { if let other = self.details[detail] { policy.restrict(other) } }
            return policy
        }

        func showing(_ selection: Selection) -> CachePolicy {
            showing(selection.fields, details: selection.details)
        }
    }

    let employee: Rows
    let employees: Rows
    let department: Rows
    /// Those who work in a department.
    let staff: Rows
    private let collections: [String: Rows]
    private let relations: [String: Rows]

    /// Those of the schema that GraphQL has.
    /// - Throws: nothing but an error in this module's own schema, which a test would have found.
    static let own = Result { RESTCachePolicies(try CacheControl(DuetGraphQL.Schema(sdl: GraphQLFace.sdl))) }

    private init(_ hints: CacheControl) {
        func root(_ field: String) -> CachePolicy { hints.restriction(ofField: field, on: "Query", isRoot: true) }
        let nodes = hints.restriction(ofField: "nodes", on: "EmployeeConnection")
        employee = Rows(.employee, [root("employee")], hints)
        employees = Rows(.employee, [root("employees"), nodes], hints)
        department = Rows(.department, [root("department")], hints)
        staff = Rows(
            .employee, [root("department"), hints.restriction(ofField: "employees", on: "Department"), nodes], hints)
        var collections: [String: Rows] = [:]
        for (resource, entity) in EntityType.ofResource {
            collections[resource] = Rows(entity, [hints.restriction(ofType: entity.name)], hints)
        }
        collections[Resource.employees.name] = employees
        collections[Resource.departments.name] = Rows(.department, [root("departments")], hints)
        self.collections = collections
        var relations: [String: Rows] = [:]
        for (name, link) in EntityType.employee.links {
            guard let target = EntityType.all[link.target] else { continue }
            let field = hints.restriction(ofField: name, on: EntityType.employee.name)
            relations[link.relation.name] = Rows(target, [root("employee"), field], hints)
        }
        self.relations = relations
    }

    /// All rows of a resource.
    func collection(_ resource: Resource) -> Rows { collections[resource.name] ?? .unknown }

    /// What belongs to one employee.
    func related(_ relation: Relation) -> Rows { relations[relation.name] ?? .unknown }
}

extension RESTCachePolicies.Rows {
    /// Of what GraphQL does not have, nothing is to be kept.
    fileprivate static let unknown = Self(always: CachePolicy(maxAge: 0))

    /// - Parameter path: the restrictions of the fields by which a query comes to the rows.
    fileprivate init(_ entity: EntityType, _ path: [CachePolicy], _ hints: CacheControl) {
        always = path.reduce(into: .unrestricted) { $0.restrict($1) }
        for name in entity.columns.keys {
            let policy = hints.restriction(ofField: name, on: entity.name)
            if policy != .unrestricted { fields[name] = policy }
        }
        for (name, link) in entity.links {
            // All fields of what is attached are shown.
            details[link.relation.name] = link.relation.fields.reduce(
                into: hints.restriction(ofField: name, on: entity.name)
            ) { $0.restrict(hints.restriction(ofField: $1.name, on: link.target)) }
        }
    }
}
