import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// Compares the description with the default description of a database. Introspection creates the default
    /// description, which counts as the new description. The comparison uses the names of tables and columns, not the
    /// names that the description assigns to them.
    /// - Parameters:
    ///   - schema: The schema of the database.
    ///   - contents: Rows of the database; see ``validate(against:contents:)``.
    /// - Returns: The differences by resource, in the order of the description. The breaking differences of a resource
    ///   come first. A type or a relation that differs from the default is not reported if it fits the database.
    /// - Throws: `CatalogueError` if the schema has no table that can be described.
    public func differences(
        to schema: DatabaseSchema, contents: DatabaseContents = DatabaseContents()
    ) throws -> [DescriptionDifference] {
        let isFolding = schema.dialect.foldsNames
        func folded(_ name: String) -> String { isFolding ? name.lowercased() : name }
        let current = try IntrospectedDescription(of: schema, contents: contents).api.catalogue
        let byTable = Dictionary(
            current.resources.map { (folded($0.table), $0) }, uniquingKeysWith: { first, _ in first })
        var findings: [String?: [DescriptionDifference]] = [:]
        for difference in validate(against: schema, contents: contents).compactMap(DescriptionDifference.init) {
            findings[difference.resource, default: []].append(difference)
        }
        var differences: [DescriptionDifference] = []
        var described = Set(catalogue.resources.flatMap(\.relations).flatMap(\.joins).map { folded($0.table) })
        for resource in catalogue.resources {
            described.insert(folded(resource.table))
            differences += findings[resource.name] ?? []
            guard let new = byTable[folded(resource.table)] else { continue }
            differences += additions(to: resource, from: new, in: current)
        }
        for resource in current.resources where !described.contains(folded(resource.table)) {
            differences.append(
                .init(
                    isBreaking: false, .added, resource: resource.name,
                    message: "the table \(resource.table) is not described"))
        }
        return differences.grouped
    }

    private func additions(to old: Resource, from new: Resource, in current: Catalogue) -> [DescriptionDifference] {
        var known = Set(
            old.fields.filter { $0.relation == nil }.map { $0.column.lowercased() }
                + old.hiddenColumns.map { $0.lowercased() })
        for relation in old.relations {
            known.formUnion((relation.joins.first?.columns ?? relation.columns).map { $0.from.lowercased() })
        }
        var additions: [DescriptionDifference] = []
        for field in new.fields where !known.contains(field.column.lowercased()) {
            let nullable = field.isNullable ? ", nullable" : ""
            additions.append(
                .init(
                    isBreaking: false, .added, resource: old.name, member: field.name,
                    message: "the column \(field.column) is not described (\(field.type.typeName.rawValue)\(nullable))")
            )
        }
        let paths = Set(old.relations.map { path(of: $0, in: catalogue) })
        for relation in new.relations where !paths.contains(path(of: relation, in: current)) {
            let target = current[relation.target]?.table ?? relation.target
            let columns = (relation.joins.first?.columns ?? relation.columns).map(\.from).joined(separator: ", ")
            let through = relation.joins.map { " through \($0.table)" }.joined()
            additions.append(
                .init(
                    isBreaking: false, .added, resource: old.name, member: relation.name,
                    message: "the relation to \(target)\(through) by \(columns) is not described"))
        }
        return additions
    }

    /// Returns the names of the columns and tables that a relation joins, in lower case and in the order of the joins.
    private func path(of relation: Relation, in catalogue: Catalogue) -> [String] {
        var path: [String] = []
        for join in relation.joins { path += join.columns.map { "\($0.from)=\($0.to)" }.sorted() + [join.table] }
        path += relation.columns.map { "\($0.from)=\($0.to)" }.sorted() + [catalogue[relation.target]?.table ?? ""]
        return path.map { $0.lowercased() }
    }
}

extension DescriptionDifference {
    /// Creates the difference for a finding; nil for a note, and for a warning about anything but a type or a missing
    /// column. A note is about an element that the description lacks, and the comparison finds such an element
    /// separately. The default description would cause the omitted warnings, too.
    fileprivate init?(_ finding: SchemaFinding) {
        switch (finding.severity, finding.kind) {
        case (.error, _), (.warning, .type), (.warning, .missingColumn): break
        default: return nil
        }
        let isMissing = [SchemaFinding.Kind.missingTable, .missingColumn, .unreadableTable].contains(finding.kind)
        var message = finding.message
        for owner in finding.resource.map({ ["\($0): ", "\($0)."] }) ?? [] where message.hasPrefix(owner) {
            message.removeFirst(owner.count)
        }
        self.init(
            isBreaking: finding.severity == .error, isMissing ? .removed : .changed, resource: finding.resource,
            member: finding.member, message: message)
    }
}
