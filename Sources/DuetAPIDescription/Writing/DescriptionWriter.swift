import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

/// Writes a description as YAML. The order of the members depends only on the description.
struct DescriptionWriter {
    private let catalogue: Catalogue
    private var lines: [String] = []
    /// The comments before the lines of resources, fields and relations, keyed by path: `orders/fields/total`.
    private let notes: [String: [String]]
    private static let maximumLineLength = 120

    /// Returns the text of a description.
    /// - Parameters:
    ///   - notes: The sentences for comments, keyed by the path of the member that they describe.
    ///   - header: The sentences for the top of the file.
    static func text(of description: APIDescription, notes: [String: [String]] = [:], header: [String] = []) -> String {
        var writer = DescriptionWriter(description.catalogue, notes: notes)
        for line in header { writer.lines.append("# \(line)") }
        writer.write(description)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private init(_ catalogue: Catalogue, notes: [String: [String]]) {
        self.catalogue = catalogue
        self.notes = notes
    }

    // MARK: Lines

    private mutating func line(_ depth: Int, _ text: String) {
        lines.append(String(repeating: "  ", count: depth) + text)
    }

    private mutating func comment(_ depth: Int, _ path: String) {
        for note in notes[path] ?? [] {
            var text = "#"
            for word in note.split(whereSeparator: \.isWhitespace) {
                if 2 * depth + text.count + 1 + word.count > Self.maximumLineLength, text != "#" {
                    line(depth, text)
                    text = "#"
                }
                text += " \(word)"
            }
            line(depth, text)
        }
    }

    /// Writes a member whose value is a mapping. If the member does not fit on one line, each member of the mapping has
    /// a line.
    private mutating func mapping(_ depth: Int, _ name: String, _ members: [(name: String, value: String)]) {
        let flow = "\(YAMLText.scalar(name)): \(YAMLText.flow(members))"
        guard 2 * depth + flow.count > Self.maximumLineLength else { return line(depth, flow) }
        line(depth, "\(YAMLText.scalar(name)):")
        for (name, value) in members { line(depth + 1, "\(YAMLText.scalar(name)): \(value)") }
    }

    private mutating func member(_ depth: Int, _ name: String, _ text: String) {
        line(depth, "\(name): \(YAMLText.scalar(text))")
    }

    private mutating func list(_ depth: Int, _ name: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        let flow = "\(name): \(YAMLText.list(texts))"
        guard 2 * depth + flow.count > Self.maximumLineLength else { return line(depth, flow) }
        line(depth, "\(name):")
        for text in texts { line(depth + 1, "- \(YAMLText.scalar(text))") }
    }

    // MARK: Description

    private mutating func write(_ description: APIDescription) {
        line(0, "duet: \(Mapping.version)")
        member(0, "description", description.catalogue.description)
        var formats = [(name: "dates", value: description.dates.rawValue)]
        if description.dates == .milliseconds { formats.append(("timeZone", YAMLText.scalar(description.timeZone))) }
        mapping(0, "formats", formats)
        if let cost = description.catalogue.maximumQueryCost { line(0, "maxQueryCost: \(cost)") }
        line(0, "resources:")
        for resource in description.catalogue.resources {
            lines.append("")
            let before = SchemaDescriber.before(resource.name)
            if notes[before] != nil {
                comment(1, before)
                lines.append("")
            }
            comment(1, resource.name)
            line(1, "\(YAMLText.scalar(resource.name)):")
            write(resource)
        }
    }

    private mutating func write(_ resource: Resource) {
        if resource.table != resource.name { member(2, "table", resource.table) }
        member(2, "singular", resource.singular)
        member(2, "type", resource.type)
        if resource.description != DefaultText.resource(resource.table) {
            member(2, "description", resource.description)
        }
        list(2, "key", resource.key)
        line(2, "fields:")
        for field in resource.fields {
            comment(3, "\(resource.name)/fields/\(field.name)")
            mapping(3, field.name, members(of: field))
        }
        comment(2, "\(resource.name)/hidden")
        list(2, "hidden", resource.hiddenColumns)
        if resource.defaultFields != resource.fields.map(\.name) { list(2, "defaultFields", resource.defaultFields) }
        list(2, "sort", resource.sortFields)
        list(2, "order", resource.order.map(\.orderText))
        if !resource.relations.isEmpty {
            line(2, "relations:")
            for relation in resource.relations {
                comment(3, "\(resource.name)/relations/\(relation.name)")
                write(relation)
            }
        }
        if !resource.filters.isEmpty {
            line(2, "filters:")
            for filter in resource.filters { mapping(3, filter.name, members(of: filter, resource)) }
        }
        switch resource.collection {
        case .pages(let size):
            if size != ResourceService.defaultPageSize { line(2, "pageSize: \(size)") }
        case .few(let typical):
            line(2, "list: whole")
            line(2, "typicalSize: \(typical)")
        case .none: line(2, "list: none")
        }
        if !resource.hasItems, resource.hasKey { line(2, "items: false") }
        if resource.entities != [Resource.Entity(resource.type, resource.key)] {
            mapping(2, "entities", resource.entities.map { ($0.type, YAMLText.list($0.fields)) })
        }
        if resource.maxAge > 0 { line(2, "maxAge: \(resource.maxAge)") }
    }

    // MARK: Fields

    private func members(of field: Field) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        func add(_ name: String, _ value: some CustomStringConvertible) { members.append((name, "\(value)")) }
        if field.column != field.name { add("column", YAMLText.scalar(field.column)) }
        if let relation = field.relation { add("of", YAMLText.scalar(relation)) }
        switch field.type {
        case .integer(let range):
            let isInt =
                FieldType.wholeNumbers.contains(range.lowerBound) && FieldType.wholeNumbers.contains(range.upperBound)
            let whole = isInt ? FieldType.wholeNumbers : FieldType.safeNumbers
            add("type", isInt ? "int" : "integer")
            if range.lowerBound != whole.lowerBound { add("minimum", range.lowerBound) }
            if range.upperBound != whole.upperBound { add("maximum", range.upperBound) }
        case .bigInteger(let isUnsigned, let form):
            add("type", isUnsigned ? "unsignedBigInteger" : "bigInteger")
            if form != .string { add("as", form.rawValue) }
        case .number: add("type", "number")
        case .decimal(let scale, let form):
            add("type", "decimal")
            if scale > 0 { add("scale", scale) }
            if form != .string { add("as", form.rawValue) }
        case .boolean: add("type", "boolean")
        case .text(let length):
            add("type", "text")
            if let length { add("maxLength", length) }
        case .identifier(let length):
            add("type", "key")
            add("maxLength", length)
        case .date: add("type", "date")
        case .dateTime(let isUTC, let storage):
            add("type", isUTC ? "timestamp" : "dateTime")
            if storage != .sql { add("stored", storage.rawValue) }
        case .time: add("type", "time")
        case .binary: add("type", "binary")
        case .json: add("type", "json")
        case .uuid: add("type", "uuid")
        case .any: add("type", "any")
        case .choice(let choice):
            add("type", "enum")
            add("name", choice.name)
            let hasDescriptions = choice.values.contains { $0.description != $0.name }
            add(
                "values",
                hasDescriptions
                    ? YAMLText.flow(choice.values.map { ($0.name, YAMLText.scalar($0.description)) })
                    : YAMLText.list(choice.values.map(\.name)))
            add("about", YAMLText.scalar(choice.description))
        }
        if field.isSingle { add("single", "true") }
        if field.isOrdinal { add("ordinal", "true") }
        if field.isStoredAsBytes { add("charset", TextCharset.utf8.rawValue) }
        if field.isNullable { add("nullable", "true") }
        if field.nullifiesMismatches { add("mismatch", "null") }
        if field.description != DefaultText.field(field.column) {
            add("description", YAMLText.scalar(field.description))
        }
        if let example = field.example { add("example", Self.value(example)) }
        return members
    }

    private static func value(_ value: SQLValue) -> String {
        switch value {
        case .null, .blob: "null"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .text(let text), .decimal(let text): YAMLText.scalar(text)
        case .date(let date): "\(date)"
        }
    }

    // MARK: Relations

    private mutating func write(_ relation: Relation) {
        var members: [(name: String, value: String)] = [("to", YAMLText.scalar(relation.target))]
        switch relation.size {
        case .one(let isOptional): members.append(("one", isOptional ? "optional" : "required"))
        case .few(let typical): members.append(("few", "\(typical)"))
        case .many(let size): members.append(("many", "\(size)"))
        }
        if !relation.joins.isEmpty {
            members.append(("through", "[\(relation.joins.map(Self.text).joined(separator: ", "))]"))
        }
        members += Self.members(of: relation.columns)
        if !relation.order.isEmpty {
            members.append(("order", "[\(relation.order.map(Self.text).joined(separator: ", "))]"))
        }
        if let equality = relation.equality { members.append(("equality", equality.rawValue)) }
        if relation.description != DefaultText.relation(to: relation.target, relation.joins, relation.columns) {
            members.append(("description", YAMLText.scalar(relation.description)))
        }
        mapping(3, relation.name, members)
    }

    private static func members(of pairs: [Relation.ColumnPair]) -> [(name: String, value: String)] {
        let collations = pairs.compactMap { pair in pair.collation.map { (pair.from, YAMLText.scalar($0)) } }
        return [("columns", YAMLText.flow(pairs.map { ($0.from, YAMLText.scalar($0.to)) }))]
            + (collations.isEmpty ? [] : [("collations", YAMLText.flow(collations))])
    }

    private static func text(_ join: Relation.Join) -> String {
        var members: [(name: String, value: String)] = [("table", YAMLText.scalar(join.table))]
        members += self.members(of: join.columns)
        var equal: [(name: String, value: String)] = []
        var differs: [(name: String, value: String)] = []
        for condition in join.conditions {
            switch condition {
            case .equal(let column, let value): equal.append((column, Self.value(value)))
            case .differs(let column, let other): differs.append((column, YAMLText.scalar(other)))
            }
        }
        if !equal.isEmpty { members.append(("where", YAMLText.flow(equal))) }
        if !join.isEnforced { members.append(("enforced", "false")) }
        if !differs.isEmpty { members.append(("differs", YAMLText.flow(differs))) }
        return YAMLText.flow(members)
    }

    private static func text(_ order: Relation.Order) -> String {
        switch order {
        case .field(let name, let descending): return YAMLText.scalar(SortField(name, descending: descending).orderText)
        case .join(let index, let column, let descending):
            var members: [(name: String, value: String)] = [
                ("through", "\(index + 1)"), ("column", YAMLText.scalar(column)),
            ]
            if descending { members.append(("descending", "true")) }
            return YAMLText.flow(members)
        }
    }

    // MARK: Filters

    private func members(of filter: NamedFilter, _ resource: Resource) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        switch filter.meaning {
        case .compare(let fields, let comparison):
            members = [("compare", YAMLText.list(fields)), ("operator", comparison.rawValue)]
        case .flag(let whenTrue, let whenFalse):
            members = [("whenTrue", text(whenTrue, resource)), ("whenFalse", text(whenFalse, resource))]
        case .some(let relation, let field, let other):
            members = [("some", YAMLText.scalar(relation)), ("field", YAMLText.scalar(field))]
            if other != .everything {
                let target = resource.relation(relation).flatMap { catalogue[$0.target] }
                members.append(("and", text(other, target)))
            }
        }
        return members + [("description", YAMLText.scalar(filter.description))]
    }

    /// Returns a filter in the JSON format of requests. Only the whole filter can be empty.
    private func text(_ filter: Filter, _ resource: Resource?) -> String {
        filter == .everything ? "{}" : json(filter, resource).compactText
    }

    /// - Parameter resource: The resource of the rows; nil if it is unknown.
    private func json(_ filter: Filter, _ resource: Resource?) -> JSONValue {
        switch filter {
        case .compare(let field, let comparison, let operands):
            let type = comparison == .like ? nil : resource?.field(field)?.type
            // The filters of a description contain no parameters.
            let operands = operands.compactMap { operand in
                if case .value(let value) = operand { Self.json(value, type) } else { nil }
            }
            return [field: [comparison.rawValue: comparison == .in ? .array(operands) : operands.first ?? .null]]
        case .isNull(let field, let isNull): return [field: ["null": .bool(isNull)]]
        // `or` without elements is false for every row.
        case .all([]): return ["not": ["or": []]]
        case .all(let filters):
            let objects = filters.map { json($0, resource) }
            return Self.merged(objects) ?? ["and": .array(objects)]
        case .any(let filters): return ["or": .array(filters.map { json($0, resource) })]
        case .not(let filter): return ["not": json(filter, resource)]
        case .related(let name, let exists, let filter):
            let relation = resource?.relation(name)
            let condition = json(filter, relation.flatMap { catalogue[$0.target] })
            guard relation?.isToMany == false else { return [name: [exists ? "some" : "none": condition]] }
            // The condition on a to-one relation is the filter of the related row.
            return exists ? [name: condition] : ["not": [name: condition]]
        }
    }

    /// Returns one object with the members of several filters, so that a filter has no more nested objects than when it
    /// was read; nil if several filters have the same member.
    private static func merged(_ filters: [JSONValue]) -> JSONValue? {
        var members: [(key: String, value: JSONValue)] = []
        for case .object(let filter) in filters { members += filter.members.map { ($0.key, $0.value) } }
        guard filters.count > 1, Set(members.map(\.key)).count == members.count else { return nil }
        return .object(JSONObject(members))
    }

    /// Returns a value as a request has it.
    /// - Parameter type: The type of the field; nil for a pattern.
    private static func json(_ value: SQLValue, _ type: FieldType?) -> JSONValue {
        switch (type, value) {
        case (.boolean, .integer(let integer)): return .bool(integer != 0)
        case (.dateTime(isUTC: true, let form), _):
            if let instant = form.instant(value) { return .string(instant.text + "Z") }
            if case .text(let text) = value { return .string(text.hasSuffix("Z") ? text : text + "Z") }
        default: break
        }
        return switch value {
        case .null: .null
        case .blob: .string(value.keyText)
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): .string(String(integer))
        case .double(let double): .double(double)
        case .text(let text), .decimal(let text): .string(text)
        case .date(let date): .string(date.description)
        }
    }
}

extension APIDescription {
    /// The description as YAML.
    public var yaml: String { DescriptionWriter.text(of: self) }
}
