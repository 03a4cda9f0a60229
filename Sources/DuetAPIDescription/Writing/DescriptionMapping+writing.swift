import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

extension RootMapping {
    /// Creates the mapping of a description, without its resources.
    init(_ description: APIDescription) {
        duet = .plain("\(Self.version)")
        self.description = description.catalogue.description
        formats = .mapping(FormatsMapping(description).yaml)
        maxQueryCost = description.catalogue.maximumQueryCost.map(Int64.init)
    }
}

extension FormatsMapping {
    fileprivate init(_ description: APIDescription) {
        dates = description.dates
        if description.dates == .milliseconds { timeZone = description.timeZone }
    }
}

extension ResourceMapping {
    init(_ resource: Resource, _ catalogue: Catalogue) {
        func listed(_ texts: [String]) -> [String]? { texts.isEmpty ? nil : texts }
        if resource.table != resource.name { table = resource.table }
        singular = resource.singular
        type = resource.type
        if resource.description != DefaultText.resource(resource.table) { description = resource.description }
        key = listed(resource.key)
        fields = .block(resource.fields.map { ($0.name, FieldMapping($0).yaml) })
        hidden = listed(resource.hiddenColumns)
        if resource.defaultFields != resource.fields.map(\.name) { defaultFields = listed(resource.defaultFields) }
        sort = listed(resource.sortFields)
        order = listed(resource.order.map(\.orderText))
        if !resource.relations.isEmpty {
            relations = .block(resource.relations.map { ($0.name, RelationMapping($0).yaml) })
        }
        if !resource.filters.isEmpty {
            filters = .block(resource.filters.map { ($0.name, FilterMapping($0, of: resource, catalogue).yaml) })
        }
        switch resource.collection {
        case .pages(let size): if size != ResourceService.defaultPageSize { pageSize = Int64(size) }
        case .few(let typical):
            list = .whole
            typicalSize = Int64(typical)
        case .none: list = List.none
        }
        if !resource.hasItems, resource.hasKey { items = false }
        if resource.entities != [Resource.Entity(resource.type, resource.key)] {
            entities = .mapping(resource.entities.map { ($0.type, YAMLFlow.list($0.fields)) })
        }
        if resource.maxAge > 0 { maxAge = Int64(resource.maxAge) }
        if !resource.isAggregated { aggregates = false }
        maxScan = resource.maximumScan.map(Int64.init)
        if !resource.writes.isEmpty { writes = resource.writes.kinds }
    }
}

extension FieldMapping {
    fileprivate init(_ field: Field) {
        if field.column != field.name { column = field.column }
        of = field.relation
        type = field.type.typeName
        addParameters(of: field.type)
        if field.isSingle { single = true }
        if field.isOrdinal { ordinal = true }
        if field.isStoredAsBytes { charset = .utf8 }
        if field.isNullable { nullable = true }
        if field.nullifiesMismatches { mismatch = .plain("null") }
        if !field.isWritable { writable = false }
        absent = field.databaseValue
        if !field.isAggregated { aggregates = false }
        if field.description != DefaultText.field(field.column) { description = field.description }
        example = field.example.map { .plain($0.yaml) }
    }

    private mutating func addParameters(of type: FieldType) {
        switch type {
        case .integer(let range):
            let whole = type.typeName == .int ? FieldType.wholeNumbers : FieldType.safeNumbers
            if range.lowerBound != whole.lowerBound { minimum = range.lowerBound }
            if range.upperBound != whole.upperBound { maximum = range.upperBound }
        case .bigInteger(_, let form): if form != .string { self.form = form }
        case .decimal(let scale, let form):
            if scale > 0 { self.scale = Int64(scale) }
            if form != .string { self.form = form }
        case .text(let length): maxLength = length.map(Int64.init)
        case .identifier(let length): maxLength = Int64(length)
        case .dateTime(_, let storage): if storage != .sql { stored = storage }
        case .choice(let choice):
            name = choice.name
            let hasDescriptions = choice.values.contains { $0.description != $0.name }
            values =
                hasDescriptions
                ? .mapping(choice.values.map { ($0.name, YAMLFlow.scalar($0.description)) })
                : .texts(choice.values.map(\.name))
            about = choice.description
        case .number, .boolean, .date, .time, .binary, .json, .uuid, .any: break
        }
    }
}

extension SQLValue {
    fileprivate var yaml: String {
        switch self {
        case .null, .blob: "null"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .text(let text), .decimal(let text): YAMLFlow.scalar(text)
        case .date(let date): "\(date)"
        }
    }
}

// MARK: Relations

extension RelationMapping {
    fileprivate init(_ relation: Relation) {
        to = relation.target
        switch relation.size {
        case .one(let isOptional): one = isOptional ? .optional : .required
        case .few(let typical): few = Int64(typical)
        case .many(let size): many = Int64(size)
        }
        if !relation.joins.isEmpty {
            through = .plain(
                "[\(relation.joins.map { YAMLFlow.mapping(JoinMapping($0).yaml) }.joined(separator: ", "))]")
        }
        columns = relation.columns.columns
        collations = relation.columns.collations
        if !relation.order.isEmpty {
            order = relation.order.yaml
        }
        equality = relation.equality
        if relation.description != DefaultText.relation(to: relation.target, relation.joins, relation.columns) {
            description = relation.description
        }
    }
}

extension JoinMapping {
    fileprivate init(_ join: Relation.Join) {
        table = join.table
        columns = join.columns.columns
        collations = join.columns.collations
        var equal: [(name: String, value: String)] = []
        var differing: [(name: String, value: String)] = []
        for condition in join.conditions {
            switch condition {
            case .equal(let column, let value): equal.append((column, value.yaml))
            case .differs(let column, let other): differing.append((column, YAMLFlow.scalar(other)))
            }
        }
        if !equal.isEmpty { conditions = .mapping(equal) }
        if !differing.isEmpty { differs = .mapping(differing) }
        if !join.isEnforced { enforced = false }
    }
}

extension [Relation.ColumnPair] {
    fileprivate var columns: YAMLValue { .mapping(map { ($0.from, YAMLFlow.scalar($0.to)) }) }

    fileprivate var collations: YAMLValue? {
        let collations: [(name: String, value: String)] = compactMap { pair in
            pair.collation.map { (pair.from, YAMLFlow.scalar($0)) }
        }
        return collations.isEmpty ? nil : .mapping(collations)
    }
}

extension [Relation.Order] {
    var yaml: YAMLValue { .plain("[\(map(\.yaml).joined(separator: ", "))]") }
}

extension Relation.Order {
    fileprivate var yaml: String {
        switch self {
        case .field(let name, let descending): return YAMLFlow.scalar(SortField(name, descending: descending).orderText)
        case .join(let index, let column, let descending):
            var order = JoinOrderMapping()
            order.through = Int64(index + 1)
            order.column = column
            if descending { order.descending = true }
            return YAMLFlow.mapping(order.yaml)
        }
    }
}

// MARK: Filters

extension FilterMapping {
    fileprivate init(_ filter: NamedFilter, of resource: Resource, _ catalogue: Catalogue) {
        let texts = FilterText(catalogue: catalogue)
        func text(_ filter: Filter, _ resource: Resource?) -> YAMLValue { .plain(texts.text(filter, resource)) }
        description = filter.description
        switch filter.meaning {
        case .compare(let fields, let comparison):
            compare = fields
            self.comparison = comparison
        case .flag(let whenTrue, let whenFalse):
            self.whenTrue = text(whenTrue, resource)
            self.whenFalse = text(whenFalse, resource)
        case .some(let relation, let field, let other):
            self.relation = relation
            self.field = field
            if other != .everything {
                and = text(other, resource.relation(relation).flatMap { catalogue[$0.target] })
            }
        }
    }
}
