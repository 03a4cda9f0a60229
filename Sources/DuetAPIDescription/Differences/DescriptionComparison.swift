import DuetResourceService

import struct DuetGraphQL.OperationLimits

/// Compares two descriptions of an API from the point of view of clients. Documentation texts are ignored.
struct DescriptionComparison {
    private(set) var differences: [DescriptionDifference] = []
    /// The name of the resource that is being compared.
    private var resource: String?

    private mutating func breaking(_ kind: DescriptionDifference.Kind, _ member: String? = nil, _ message: String) {
        differences.append(.init(isBreaking: true, kind, resource: resource, member: member, message: message))
    }

    private mutating func harmless(_ kind: DescriptionDifference.Kind, _ member: String? = nil, _ message: String) {
        differences.append(.init(isBreaking: false, kind, resource: resource, member: member, message: message))
    }

    mutating func compare(_ old: APIDescription, _ new: APIDescription) {
        if old.dates != new.dates {
            breaking(.changed, nil, "the format of dates is \(new.dates.rawValue), not \(old.dates.rawValue)")
        } else if old.dates == .milliseconds, old.timeZone != new.timeZone {
            breaking(.changed, nil, "the time zone of dates is \(new.timeZone), not \(old.timeZone)")
        }
        compareQueryCosts(old.catalogue, new.catalogue)
        let pairs = Self.pairs(
            old.catalogue.resources, new.catalogue.resources, name: \.name, same: { $0.table == $1.table })
        for (old, new) in pairs {
            resource = old?.name ?? new?.name
            switch (old, new) {
            case (let old?, let new?): compare(old, new)
            case (_?, nil): breaking(.removed, nil, "the resource was removed")
            case (nil, let new?): harmless(.added, nil, "the resource was added (table \(new.table))")
            case (nil, nil): break
            }
        }
    }

    private mutating func compareQueryCosts(_ old: Catalogue, _ new: Catalogue) {
        // Without a setting, the server uses the limit of the engine.
        let costs = [old, new].map { $0.maximumQueryCost ?? OperationLimits().cost }
        guard costs[0] != costs[1] else { return }
        let text = "the maximum cost of a query is \(costs[1]), not \(costs[0])"
        if costs[1] < costs[0] { breaking(.changed, nil, text) } else { harmless(.changed, nil, text) }
    }

    /// Returns the pairs of matching elements of two lists. Elements with equal names match. If an old element has no
    /// such match, it matches the first remaining new element for which `same` returns true. An element without a match
    /// is paired with nil. The pairs are in the order of the old list. The new elements without a match follow.
    static func pairs<Element>(
        _ old: [Element], _ new: [Element], name: KeyPath<Element, String>, same: (Element, Element) -> Bool
    ) -> [(Element?, Element?)] {
        let newByName = Dictionary(new.map { ($0[keyPath: name], $0) }, uniquingKeysWith: { first, _ in first })
        let oldNames = Set(old.map { $0[keyPath: name] })
        var rest = new.filter { !oldNames.contains($0[keyPath: name]) }
        var pairs: [(Element?, Element?)] = []
        for element in old {
            if let other = newByName[element[keyPath: name]] {
                pairs.append((element, other))
            } else if let index = rest.firstIndex(where: { same(element, $0) }) {
                pairs.append((element, rest.remove(at: index)))
            } else {
                pairs.append((element, nil))
            }
        }
        return pairs + rest.map { (nil, $0) }
    }

    // MARK: Resources

    private mutating func compare(_ old: Resource, _ new: Resource) {
        if old.name != new.name {
            breaking(.changed, nil, "the resource was renamed to \(new.name), which changes its path and its lists")
        }
        if old.type != new.type { breaking(.changed, nil, "the GraphQL type \(old.type) was renamed to \(new.type)") }
        if old.singular != new.singular {
            if old.hasItems {
                breaking(.changed, nil, "the GraphQL field \(old.singular) was renamed to \(new.singular)")
            } else {
                harmless(.changed, nil, "the name of one row is \(new.singular), not \(old.singular)")
            }
        }
        if old.table != new.table { harmless(.changed, nil, "the rows are from \(new.table), not \(old.table)") }
        if old.key != new.key {
            breaking(
                .changed, nil,
                "the key is \(Self.list(new.key)), not \(Self.list(old.key)): addresses and cursors change")
        }
        switch (old.hasItems, new.hasItems) {
        case (true, false): breaking(.removed, nil, "single rows no longer have an address")
        case (false, true): harmless(.added, nil, "single rows have an address")
        default: break
        }
        compareLists(old, new)
        compareFields(old, new)
        compareWrites(old, new)
        // Only fields of both descriptions are compared here, because removed and added fields are already reported.
        let both = Set(old.fields.map(\.name)).intersection(new.fields.map(\.name))
        compareNames(old.sortFields.filter(both.contains), new.sortFields.filter(both.contains), "the sort field")
        for name in old.defaultFields where both.contains(name) && !new.defaultFields.contains(name) {
            breaking(.removed, name, "REST returns the field \(name) only if a request selects it")
        }
        for name in new.defaultFields where both.contains(name) && !old.defaultFields.contains(name) {
            harmless(.added, name, "REST returns the field \(name) by default")
        }
        if old.order != new.order { harmless(.changed, nil, "the default order of lists is different") }
        for (old, new) in Self.pairs(old.relations, new.relations, name: \.name, same: { Self.isSame($0, $1) }) {
            compare(old, new)
        }
        for (old, new) in Self.pairs(old.filters, new.filters, name: \.name, same: { $0.meaning == $1.meaning }) {
            compare(old, new)
        }
        switch (old.isAggregated, new.isAggregated) {
        case (true, false): breaking(.removed, nil, "clients can no longer request aggregates and groups")
        case (false, true): harmless(.added, nil, "clients can request aggregates and groups")
        default: break
        }
        if old.maxAge != new.maxAge {
            harmless(.changed, nil, "responses can be cached for \(new.maxAge) s, not \(old.maxAge) s")
        }
        if old.maximumScan != new.maximumScan {
            harmless(.changed, nil, "the maximum number of examined rows is different")
        }
    }

    private static func list(_ names: [String]) -> String { "(\(names.joined(separator: ", ")))" }

    private mutating func compareLists(_ old: Resource, _ new: Resource) {
        switch (old.collection, new.collection) {
        case (.none, .none): break
        case (.pages(let size), .pages(let other)):
            if size != other { harmless(.changed, nil, "the list has pages of \(other) rows, not \(size)") }
        case (.few(let size), .few(let other)):
            if size != other { harmless(.changed, nil, "the typical size of the list is \(other), not \(size)") }
        case (.none, _): harmless(.added, nil, "a list of all rows was added")
        case (_, .none): breaking(.removed, nil, "the list of all rows was removed")
        case (.pages, .few): breaking(.changed, nil, "the GraphQL list has all rows, not pages")
        case (.few, .pages): breaking(.changed, nil, "the GraphQL list has pages, not all rows")
        }
    }

    private mutating func compareNames(_ old: [String], _ new: [String], _ noun: String) {
        for name in old where !new.contains(name) { breaking(.removed, name, "\(noun) \(name) was removed") }
        for name in new where !old.contains(name) { harmless(.added, name, "\(noun) \(name) was added") }
    }

    // MARK: Fields

    private mutating func compareFields(_ old: Resource, _ new: Resource) {
        let pairs = Self.pairs(
            old.fields, new.fields, name: \.name, same: { $0.column == $1.column && $0.relation == $1.relation })
        for (old, new) in pairs {
            switch (old, new) {
            case (let old?, let new?): compare(old, new)
            case (let old?, nil): breaking(.removed, old.name, "the field \(old.name) was removed")
            case (nil, let new?): harmless(.added, new.name, "the field \(new.name) was added")
            case (nil, nil): break
            }
        }
    }

    private mutating func compare(_ old: Field, _ new: Field) {
        let name = old.name
        if old.name != new.name { breaking(.changed, name, "the field \(name) was renamed to \(new.name)") }
        for change in TypeComparison.changes(from: old.type, to: new.type) {
            differences.append(
                .init(
                    isBreaking: change.isBreaking, .changed, resource: resource, member: name,
                    message: "the field \(name) \(change.text)"))
        }
        if old.isStoredAsBytes != new.isStoredAsBytes, old.type.typeName == new.type.typeName {
            harmless(
                .changed, name,
                "the field \(name) is stored as \(new.isStoredAsBytes ? "bytes, not as text" : "text, not as bytes")")
        }
        switch (old.isNullable, new.isNullable) {
        case (false, true): breaking(.changed, name, "the field \(name) can be null")
        case (true, false): harmless(.changed, name, "the field \(name) is never null")
        default: break
        }
        if (old.column, old.relation) != (new.column, new.relation) {
            func column(_ field: Field) -> String { (field.relation.map { "\($0)." } ?? "") + field.column }
            harmless(.changed, name, "the field \(name) shows the column \(column(new)), not \(column(old))")
        }
    }

    // MARK: Writes

    private mutating func compareWrites(_ old: Resource, _ new: Resource) {
        for kind in WriteRules.Kind.allCases {
            switch (old.writes.kinds.contains(kind), new.writes.kinds.contains(kind)) {
            case (true, false): breaking(.removed, nil, "clients can no longer \(kind.rawValue) rows")
            case (false, true): harmless(.added, nil, "clients can \(kind.rawValue) rows")
            default: break
            }
        }
        let pairs = Self.pairs(
            old.fields, new.fields, name: \.name, same: { $0.column == $1.column && $0.relation == $1.relation })
        if let oldRules = old.writes.create, let newRules = new.writes.create {
            compareWritable(pairs, oldRules.fields, newRules.fields, "in new rows")
            for case (let old, let new?) in pairs where new.isRequiredForCreate && old?.isRequiredForCreate != true {
                breaking(.changed, old?.name ?? new.name, "new rows need a value of the field \(new.name)")
            }
            for case (let old?, let new?) in pairs where old.isRequiredForCreate && !new.isRequiredForCreate {
                harmless(.changed, old.name, "new rows no longer need a value of the field \(new.name)")
            }
        }
        if let oldRules = old.writes.update, let newRules = new.writes.update {
            compareWritable(pairs, oldRules.fields, newRules.fields, "in existing rows")
        }
    }

    /// Reports the fields of both descriptions that requests can set according to only one of them.
    /// - Parameters:
    ///   - old: The names of the fields that requests can set.
    ///   - new: Those of the new description.
    private mutating func compareWritable(
        _ pairs: [(Field?, Field?)], _ old: [String], _ new: [String], _ place: String
    ) {
        for case (let oldField?, let newField?) in pairs {
            switch (old.contains(oldField.name), new.contains(newField.name)) {
            case (true, false):
                breaking(.changed, oldField.name, "the field \(oldField.name) can no longer be set \(place)")
            case (false, true): harmless(.changed, oldField.name, "the field \(newField.name) can be set \(place)")
            default: break
            }
        }
    }

    // MARK: Relations and filters

    private static func isSame(_ old: Relation, _ new: Relation) -> Bool {
        old.target == new.target && old.joins == new.joins && old.columns == new.columns
    }

    private mutating func compare(_ old: Relation?, _ new: Relation?) {
        guard let old else { return new.map { harmless(.added, $0.name, "the relation \($0.name) was added") } ?? () }
        let name = old.name
        guard let new else { return breaking(.removed, name, "the relation \(name) was removed") }
        if old.name != new.name { breaking(.changed, name, "the relation \(name) was renamed to \(new.name)") }
        if old.target != new.target {
            breaking(.changed, name, "the relation \(name) refers to \(new.target), not \(old.target)")
        }
        switch (old.size, new.size) {
        case (.one(false), .one(true)): breaking(.changed, name, "the relation \(name) can be null")
        case (.one(true), .one(false)): harmless(.changed, name, "the relation \(name) is never null")
        case (.one, .one): break
        case (.few(let size), .few(let other)):
            if size != other {
                harmless(.changed, name, "the relation \(name) has typically \(other) rows, not \(size)")
            }
        case (.many(let size), .many(let other)):
            if size != other {
                harmless(.changed, name, "the relation \(name) has pages of \(other) rows, not \(size)")
            }
        default: breaking(.changed, name, "the relation \(name) is \(Self.noun(new.size)), not \(Self.noun(old.size))")
        }
        if old.joins != new.joins || old.columns != new.columns {
            harmless(.changed, name, "the relation \(name) joins different tables or columns")
        } else if old.order != new.order {
            harmless(.changed, name, "the relation \(name) has a different order")
        }
    }

    private static func noun(_ size: Relation.Size) -> String {
        switch size {
        case .one: "one row"
        case .few: "a list"
        case .many: "pages"
        }
    }

    private mutating func compare(_ old: NamedFilter?, _ new: NamedFilter?) {
        guard let old else { return new.map { harmless(.added, $0.name, "the filter \($0.name) was added") } ?? () }
        guard let new else { return breaking(.removed, old.name, "the filter \(old.name) was removed") }
        if old.name != new.name {
            return breaking(.changed, old.name, "the filter \(old.name) was renamed to \(new.name)")
        }
        if old.meaning != new.meaning { breaking(.changed, old.name, "the filter \(old.name) has a different meaning") }
    }
}

extension APIDescription {
    /// Compares the description with an older description. Roles are compared by what their callers see.
    /// - Returns: The differences by resource, in the order of the old description. The breaking differences of a
    ///   resource come first.
    public func differences(from old: APIDescription) -> [DescriptionDifference] {
        var comparison = DescriptionComparison()
        comparison.compare(old, self)
        var roles = RoleComparison(old, self)
        roles.compare()
        return (comparison.differences + roles.differences).grouped
    }
}
