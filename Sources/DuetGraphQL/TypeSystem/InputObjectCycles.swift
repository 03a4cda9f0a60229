/// Finds input objects that have no finite value, because a chain of non-null fields leads back to the input object
/// (specification, section 3.10). Each type is visited once, without recursion.
struct InputObjectCycles {
    private var visited: Set<String> = []
    private var path: [SchemaInputValue] = []
    /// For each type on the path, the index in ``path`` of the field through which the path leaves the type.
    private var places: [String: Int] = [:]

    mutating func errors(from type: InputObjectType, in schema: Schema) -> [GraphQLError] {
        guard visited.insert(type.name).inserted else { return [] }
        var errors: [GraphQLError] = []
        var open: [(type: InputObjectType, next: Int)] = [(type, 0)]
        places[type.name] = 0
        while let last = open.indices.last {
            let (type, next) = open[last]
            guard next < type.fields.count else {
                open.removeLast()
                places[type.name] = nil
                if !path.isEmpty { path.removeLast() }
                continue
            }
            open[last].next += 1
            let field = type.fields[next]
            guard case .nonNull(.named(let name)) = field.type, case .inputObject(let target)? = schema[name] else {
                continue
            }
            if let place = places[target.name] {
                errors.append(error(target, cycle: path[place...] + [field]))
            } else if visited.insert(target.name).inserted {
                path.append(field)
                places[target.name] = path.count
                open.append((target, 0))
            }
        }
        return errors
    }

    private func error(_ type: InputObjectType, cycle: ArraySlice<SchemaInputValue>) -> GraphQLError {
        GraphQLError(
            "Cannot reference Input Object \"\(type.name)\" within itself through a series of non-null "
                + "fields: \"\(cycle.map(\.name).joined(separator: "."))\".",
            locations: cycle.compactMap { $0.definition?.location(\.range) })
    }
}
