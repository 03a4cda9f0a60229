import DuetJSON
import DuetResourceService
import Yams

extension DescriptionReader {
    /// Reads a named filter.
    /// - Parameter catalogue: The catalogue of all resources, without named filters.
    func filter(_ member: YAMLObject.Member, of resource: Resource, _ catalogue: Catalogue) -> NamedFilter? {
        let path = "\(resource.name).\(member.name)"
        guard let object = object(member.value, path, FilterMapping.self) else { return nil }
        let description = read(\.description, of: object) ?? "The filter \(member.name)."
        switch alternative(object, path)?.required.first {
        case object.name(of: \.compare):
            guard let fields = object[\.compare].flatMap(texts), let comparison = read(\.comparison, of: object) else {
                return nil
            }
            let names = Set(resource.fields.map(\.name))
            for (field, mark) in fields { checkName(field, mark, "\(path): \(resource.name)", "field", among: names) }
            return NamedFilter(member.name, .compare(fields.map(\.text), comparison), description: description)
        case object.name(of: \.whenTrue):
            guard let whenTrue = condition(\.whenTrue, of: object, on: resource, catalogue, path),
                let whenFalse = condition(\.whenFalse, of: object, on: resource, catalogue, path)
            else { return nil }
            return NamedFilter(member.name, .flag(whenTrue: whenTrue, whenFalse: whenFalse), description: description)
        case object.name(of: \.relation): return some(object, member.name, of: resource, catalogue, path, description)
        default: return nil
        }
    }

    private func some(
        _ object: MappedObject<FilterMapping>, _ name: String, of resource: Resource, _ catalogue: Catalogue,
        _ path: String, _ description: String
    ) -> NamedFilter? {
        guard let relation = read(\.relation, of: object), let field = read(\.field, of: object) else { return nil }
        guard let target = resource.relation(relation).flatMap({ catalogue[$0.target] }) else {
            checkName(
                relation, object[\.relation]?.value.mark, "\(path): \(resource.name)", "relation",
                among: Set(resource.relations.map(\.name)))
            return nil
        }
        checkName(
            field, object[\.field]?.value.mark, "\(path): \(target.name)", "field",
            among: Set(target.fields.map(\.name)))
        var other = Filter.everything
        if object[\.and] != nil {
            guard let condition = condition(\.and, of: object, on: target, catalogue, path) else { return nil }
            other = condition
        }
        return NamedFilter(
            name, .some(relation: relation, field: field, and: other), description: description)
    }

    /// Reads a filter in the JSON format of requests.
    private func condition(
        _ property: PartialKeyPath<FilterMapping>, of object: MappedObject<FilterMapping>, on resource: Resource,
        _ catalogue: Catalogue, _ path: String
    ) -> Filter? {
        guard let member = object[property], case .object(let json) = json(member.value) else {
            report(
                object.mark,
                "\(path): \(object.name(of: property)) must be a filter such as {toDate: {eq: 9999-01-01}}")
            return nil
        }
        do {
            return try catalogue.filter(json, of: resource)
        } catch let error as ServiceError {
            report(member.value.mark, "\(path): \(error.detail)")
        } catch {
            report(member.value.mark, "\(path): \(error)")
        }
        return nil
    }
}
