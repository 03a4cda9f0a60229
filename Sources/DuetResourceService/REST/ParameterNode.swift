import DuetJSON
import DuetSQLDatabase

/// The query parameters for one resource in a REST request. The root node contains the parameters for the requested
/// rows. Its child nodes contain the parameters for *attached* relations: those that the parameter `details` adds to
/// the response.
///
/// The name of a parameter for a relation begins with the name of the relation and a dot: `titles.first=3`,
/// `employees.salaries.current=true`.
final class ParameterNode {
    private let resource: Resource
    /// The relation that leads to the rows; nil if the rows are requested by the resource's path.
    private let relation: Relation?
    /// True if at most one row is requested, so that filters and orders are not valid.
    private let isItem: Bool
    /// True if the rows are those of a change with a filter, so that only filters and `max` are valid.
    private let isBulk: Bool
    /// The names of the relations from the root node to this node, each followed by a dot.
    private let prefix: String
    private let filters: FilterReader
    private var fields: [String]?
    private var details: [(name: String, node: ParameterNode)] = []
    private var conditions: [Filter] = []
    private var order: [RowOrder] = []
    private var first: Int?
    private var after: String?
    private var isPage = false
    private var groups: GroupParameters
    private(set) var isCounted = false
    /// The maximum number of rows that a change with a filter changes.
    private(set) var maximum = ParameterNode.defaultMaximum

    /// The value of `max` if a request does not contain it.
    static let defaultMaximum = 100

    /// Reads the parameters of a request.
    /// - Throws: ``ServiceError`` for an unknown parameter, a repeated parameter or an invalid value. The error
    ///   contains the valid names or values.
    convenience init(
        _ resource: Resource, by relation: Relation?, isItem: Bool, isBulk: Bool = false, _ filters: FilterReader,
        _ query: RESTStyle.Query
    ) throws {
        self.init(resource, relation, isItem: isItem, isBulk: isBulk, filters, prefix: "")
        guard !query.isEmpty else { return }
        var parameters: [(name: String, values: [String])] = []
        for (name, value) in query {
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                parameters[index].values.append(value)
            } else {
                parameters.append((name, [value]))
            }
        }
        // The parameter `details` is read first, because other parameters may belong to the relations in it.
        let hasDetails = !resource.relations.isEmpty && !isBulk
        for parameter in parameters where parameter.name == "details" && hasDetails {
            do {
                for text in parameter.values { try attach(text) }
            } catch let error as ServiceError {
                throw suggestingOperator(error, parameter.name, parameter.name)
            }
        }
        guard detailCount <= Self.maximumDetails else {
            throw ServiceError(
                .invalidParameter, "details attaches at most \(Self.maximumDetails) relations", parameter: "details")
        }
        // The values of `sort` are those of rows or of groups.
        if !isItem, !isBulk, resource.isAggregated,
            parameters.contains(where: { $0.name != "timeZone" && resource.isGroupParameter($0.name) })
        {
            isGrouped = true
            try refuseRowParameters(parameters.map(\.name))
        }
        for parameter in parameters where parameter.name != "details" || !hasDetails {
            let path = parameter.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            try read(path[...], parameter.name, parameter.values)
        }
        if groups.texts["timeZone"] != nil, groups.texts["group"] == nil {
            let error = ServiceError(
                .invalidParameter,
                "timeZone requires group, because it is the time zone of parts of dates in group; remove timeZone",
                parameter: "timeZone")
            throw suggestingOperator(error, "timeZone", "timeZone")
        }
    }

    private init(
        _ resource: Resource, _ relation: Relation?, isItem: Bool, isBulk: Bool = false, _ filters: FilterReader,
        prefix: String
    ) {
        self.resource = resource
        self.relation = relation
        self.isItem = isItem
        self.isBulk = isBulk
        self.filters = filters
        self.prefix = prefix
        groups = GroupParameters(prefix: prefix)
    }

    // MARK: Relations

    /// The maximum number of attached relations in a request. Each relation requires an SQL statement.
    private static let maximumDetails = 20

    /// The number of attached relations at any depth.
    private var detailCount: Int { details.reduce(details.count) { $0 + $1.node.detailCount } }

    private func attach(_ text: String) throws {
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            var node = self
            for name in item.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
                node = try node.detail(name)
            }
        }
    }

    /// Returns the node of an attached relation. The function creates the node if necessary.
    private func detail(_ name: String) throws -> ParameterNode {
        if let known = details.first(where: { $0.name == name }) { return known.node }
        guard let relation = resource.relation(name) else {
            let allowed = resource.relations.map(\.name)
            let wrong =
                name.isEmpty
                ? "details has an empty value"
                : "the value '\(prefix)\(name)' of the parameter 'details' is not a relation"
            let rest =
                allowed.isEmpty
                ? "\(resource.name) have no relations"
                : "valid relations are \(allowed.map { prefix + $0 }.joined(separator: ", "))"
            throw ServiceError(
                .invalidParameter, "\(wrong); \(rest)", parameter: "details", allowed: allowed.map { prefix + $0 })
        }
        let node = ParameterNode(
            try filters.catalogue.target(of: relation), relation, isItem: !relation.isToMany, filters,
            prefix: "\(prefix)\(name).")
        details.append((name, node))
        return node
    }

    // MARK: Parameters

    /// Reads a parameter.
    /// - Parameters:
    ///   - path: The dot-separated parts of the name that remain to be read.
    ///   - name: The complete name of the parameter.
    private func read(_ path: ArraySlice<String>, _ name: String, _ values: [String]) throws {
        guard let first = path.first else { throw unknown(name) }
        if path.count > 1, let relation = resource.relation(first) {
            try refuseFilter(by: relation, path.dropFirst(), name, values)
            guard !isBulk else { throw unknown(name) }
            guard let node = details.first(where: { $0.name == first })?.node else {
                throw ServiceError(
                    .invalidParameter,
                    "\(name) requires details=\(prefix)\(relation.name), which attaches \(relation.name)",
                    parameter: name)
            }
            return try node.read(path.dropFirst(), name, values)
        }
        if path.count == 2, let field = resource.field(first), !isItem, let operation = path.last {
            if operation != "in" { try requireSingle(name, values) }
            conditions.append(try filters.compare(field, operation, values, name))
            return
        }
        guard path.count == 1, isParameter(first) else { throw unknown(name) }
        do {
            if first == "fields" {
                fields = try fieldNames(values, name)
                return
            }
            try requireSingle(name, values)
            try read(first, name, values[0])
        } catch let error as ServiceError {
            throw suggestingOperator(error, first, name)
        }
    }

    /// Adds a suggestion to an error of a parameter, if a field has the name of the parameter.
    private func suggestingOperator(_ error: ServiceError, _ parameter: String, _ name: String) -> ServiceError {
        isItem ? error : error.suggestingOperator(for: parameter, of: resource, name)
    }

    /// The fields that have the names of other parameters. A filter by such a field needs an operator.
    private var fieldsWithOperatorOnly: [String] {
        resource.fields.map(\.name).filter { resource.isListParameter($0) || isBulk && $0 == "max" }
    }

    private func read(_ parameter: String, _ name: String, _ text: String) throws {
        switch parameter {
        case "first": first = try size(text, name)
        case "after": after = text
        case _ where resource.isGroupParameter(parameter): groups.set(parameter, text)
        case "sort" where isGrouped: groups.set(parameter, text)
        case "sort":
            order = try SortParameter(resource: resource, catalogue: filters.catalogue, name: name).order(text)
        case "page": isPage = try filters.flag(text, name)
        case "count": isCounted = try filters.flag(text, name)
        case "filter": conditions.append(try filter(text, name))
        case "max" where isBulk: maximum = try Change.maximum(ValueReader.integer(text), name)
        default:
            if let named = resource.filter(parameter) {
                conditions.append(try filters.filter(named, text, of: resource, name))
            } else if let field = resource.field(parameter) {
                conditions.append(try filters.compare(field, "eq", [text], name))
            }
        }
    }

    /// The names of the valid parameters of this node, without those that contain an operator.
    private var parameters: [String] {
        isBulk
            ? Self.bulkParameters(of: resource)
            : Self.parameters(of: resource, by: relation, isItem: isItem, isAttached: !prefix.isEmpty)
    }

    /// Returns true if ``parameters`` contains the name. The list is created only for error messages, because a
    /// resource can have many fields.
    private func isParameter(_ name: String) -> Bool {
        let general =
            isBulk
            ? Self.generalBulkParameters
            : Self.generalParameters(of: resource, by: relation, isItem: isItem, isAttached: !prefix.isEmpty)
        return general.contains(name)
            || !isItem && resource.filter(name) != nil
            || !isItem && !resource.isListParameter(name) && resource.field(name) != nil
    }

    /// Returns the names of the valid parameters of a resource, without those that contain an operator.
    /// - Parameters:
    ///   - relation: The relation that leads to the rows; nil if the rows are requested by the resource's path.
    ///   - isItem: True if at most one row is requested.
    ///   - isAttached: True if the parameter `details` attaches the rows.
    static func parameters(
        of resource: Resource, by relation: Relation?, isItem: Bool, isAttached: Bool = false
    ) -> [String] {
        let names = generalParameters(of: resource, by: relation, isItem: isItem, isAttached: isAttached)
        guard !isItem else { return names }
        return names + resource.filters.map(\.name)
            + resource.fields.map(\.name).filter { !resource.isListParameter($0) }
    }

    private static let generalBulkParameters = ["filter", "max"]

    /// Returns the names of the valid parameters of a change with a filter, without those that contain an operator.
    static func bulkParameters(of resource: Resource) -> [String] {
        generalBulkParameters + resource.filters.map(\.name).filter { $0 != "max" }
            + resource.fields.map(\.name).filter { !resource.isListParameter($0) && $0 != "max" }
    }

    /// Returns the names of the valid parameters that are not names of filters or fields.
    private static func generalParameters(
        of resource: Resource, by relation: Relation?, isItem: Bool, isAttached: Bool
    ) -> [String] {
        var names = ["fields"]
        if !isAttached, !resource.relations.isEmpty { names.append("details") }
        guard !isItem else { return names }
        names.append("first")
        let isPaged: Bool = if isAttached, case .few = relation?.size { false } else { true }
        if isPaged, resource.hasKey || !isAttached && resource.isAggregated { names.append("after") }
        if resource.isSortable || !isAttached && resource.isAggregated { names.append("sort") }
        if isPaged, isAttached { names.append("page") }
        if isPaged { names.append("count") }
        names.append("filter")
        let ofGroups = isAttached ? ["aggregate"] : GroupParameters.names
        names += ofGroups.filter(resource.isGroupParameter)
        return names
    }

    private func unknown(_ name: String) -> ServiceError {
        let allowed = (parameters + (isItem ? [] : fieldsWithOperatorOnly.map { "\($0).eq" })).map { prefix + $0 }
        let operators =
            isItem ? "" : "; a field may have an operator, as in \(prefix)\(resource.fields[0].name).ne"
        return ServiceError(
            .unknownParameter,
            "there is no parameter \(name) here; valid parameters are \(allowed.joined(separator: ", "))\(operators)",
            parameter: name, allowed: allowed)
    }

    /// Rejects a parameter that would filter the row of a to-one relation. The error contains the equivalent filter of
    /// the parent rows.
    private func refuseFilter(
        by relation: Relation, _ path: ArraySlice<String>, _ name: String, _ values: [String]
    ) throws {
        let target = try filters.catalogue.target(of: relation)
        let operation = path.dropFirst().first ?? Comparison.equal.rawValue
        guard !isItem, !relation.isToMany, path.count <= 2, path.first != "fields",
            let field = path.first.flatMap(target.field), filters.operators(of: field).contains(operation)
        else { return }
        let operands = values.map { text -> JSONValue in
            switch field.type {
            case .integer, .number, .boolean: (try? JSONValue(parsing: text.utf8)) ?? .string(text)
            default: .string(text)
            }
        }
        let operand: JSONValue = operation == Comparison.in.rawValue ? .array(operands) : operands[0]
        let comparison = JSONValue.object(JSONObject([(operation, operand)]))
        let object = JSONValue.object(JSONObject([(relation.name, .object(JSONObject([(field.name, comparison)])))]))
        throw ServiceError(
            .unknownParameter,
            "there is no parameter \(name), because \(relation.name) is one row; use \(prefix)filter=\(object.compactText) to filter the \(resource.name) by this row",
            parameter: name)
    }

    private func requireSingle(_ name: String, _ values: [String]) throws {
        guard values.count > 1 else { return }
        throw ServiceError(.repeatedParameter, "the parameter \(name) must be given only once", parameter: name)
    }

    // MARK: Values

    /// Returns the distinct names of a comma-separated list of fields in their order.
    private func fieldNames(_ texts: [String], _ name: String) throws -> [String] {
        var list: [String] = []
        for text in texts {
            for item in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
                guard resource.field(item) != nil else {
                    let allowed = resource.fields.map(\.name)
                    let wrong = item.isEmpty ? "\(name) has an empty value" : "\(name) has no value \(item)"
                    throw ServiceError(
                        .invalidParameter, "\(wrong); valid values are \(allowed.joined(separator: ", "))",
                        parameter: name,
                        allowed: allowed)
                }
                if !list.contains(item) { list.append(item) }
            }
        }
        return list
    }

    private func size(_ text: String, _ name: String) throws -> Int {
        // Without rows, a relation has only its aggregates.
        let least: Int64 = prefix.isEmpty || !resource.isAggregated ? 1 : 0
        guard let number = ValueReader.integer(text),
            (least...Int64(ResourceService.maximumPageSize)).contains(number)
        else {
            throw ServiceError(
                .invalidParameter, "\(name) must be a whole number from \(least) to \(ResourceService.maximumPageSize)",
                parameter: name)
        }
        return Int(number)
    }

    private func filter(_ text: String, _ name: String) throws -> Filter {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text.utf8)
        } catch {
            throw ServiceError(
                .invalidParameter, "\(name) must be a JSON object, as in {\"or\":[…]}: \(error)", parameter: name)
        }
        guard case .object(let object) = value else {
            throw ServiceError(
                .invalidParameter, "\(name) must be a JSON object, not \(value.typeName)", parameter: name)
        }
        return try filters.filter(object, of: resource, name)
    }

    // MARK: Groups

    /// True if the request contains a parameter that only groups have.
    private(set) var isGrouped = false

    /// Rejects the parameters that select members of rows, because groups have no rows.
    private func refuseRowParameters(_ names: [String]) throws {
        guard let name = names.first(where: { ["fields", "details", "page"].contains($0) }) else { return }
        throw ServiceError(
            .invalidParameter,
            "\(name) selects members of rows, and cannot be combined with group or aggregate; remove \(name)",
            parameter: name)
    }

    /// Returns the groups that the request asks for; nil if it asks for rows.
    /// - Parameter defaultSize: The default maximum number of groups; nil for all groups.
    func groups(defaultSize: Int?) throws -> Question.Form? {
        guard isGrouped else { return nil }
        var (aggregation, members) = try groups.aggregation(of: resource, filters)
        guard !aggregation.keys.isEmpty else {
            if let name = ["first", "after", "count", "sort"].first(where: has) {
                throw ServiceError(
                    .invalidParameter,
                    "\(name) requires group, because the aggregates of all rows are one object; remove \(name)",
                    parameter: name)
            }
            return .groups(aggregation, .object(members))
        }
        aggregation.first = first ?? defaultSize
        aggregation.after = after
        return .groups(aggregation, .array(members))
    }

    /// Returns true if the request contains a parameter of a list.
    private func has(_ parameter: String) -> Bool {
        switch parameter {
        case "first": first != nil
        case "after": after != nil
        case "count": isCounted
        default: groups.texts[parameter] != nil
        }
    }

    // MARK: Question

    /// The filter of a change.
    /// - Throws: ``ServiceError`` with the code `filter-required` if it has no condition.
    var bulkFilter: Filter {
        get throws { try Filter.all(conditions).requiringCondition() }
    }

    /// Returns the ``Window`` of the list: the requested part, and the order.
    func window(defaultSize: Int?) throws -> Window {
        let isShort = if case .few = relation?.size { true } else { false }
        if isCounted, prefix.isEmpty, first == nil, defaultSize == nil, !isShort {
            throw ServiceError(
                .invalidParameter, "count counts the rows of all pages; set first, or remove count",
                parameter: "count")
        }
        return Window(
            filter: conditions.count == 1 ? conditions[0] : .all(conditions), order: order,
            first: first ?? defaultSize, after: after)
    }

    /// The members of each row: first the fields, then the relations.
    var selection: Selection {
        get throws {
            let fields =
                fields ?? relation.map { resource.defaultFields(of: $0) } ?? resource.defaultFields
            return Selection(
                fields.map { .field(name: $0, $0) }
                    + (try details.flatMap { name, node in try node.members(name, in: resource) }))
        }
    }

    /// Returns the members of a parent row for an attached relation: the rows, and their aggregates.
    private func members(_ name: String, in parent: Resource) throws -> [Selection.Member] {
        guard !isItem else { return [.item(name: name, relation: name, try selection)] }
        let size: Int? = if case .many(let size) = relation?.size { size } else { nil }
        let window = try window(defaultSize: size)
        let rows = Selection.Member.list(name: name, relation: name, window, try form)
        guard groups.isRequested else {
            guard first != 0 else {
                throw ServiceError(
                    .invalidParameter,
                    "\(prefix)first is 0, which requires \(prefix)aggregate; to read no rows, remove \(name) from details",
                    parameter: prefix + "first")
            }
            return [rows]
        }
        let member = relation?.aggregateName ?? name
        guard parent.field(member) == nil, parent.relation(member) == nil else {
            throw ServiceError(
                .invalidParameter,
                "\(parent.singular) has a member \(member), so \(prefix)aggregate is not available; request \(name) by their path",
                parameter: prefix + "aggregate")
        }
        try refuseParametersOfRows()
        let aggregates = try groups.aggregation(of: resource, filters).members
        let aggregate = Selection.Member.aggregate(name: member, relation: name, window.filter, aggregates)
        return first == 0 ? [aggregate] : [rows, aggregate]
    }

    /// Rejects the parameters of rows if the response contains only their aggregates.
    private func refuseParametersOfRows() throws {
        guard first == 0 else { return }
        let given = [
            ("fields", fields != nil), ("sort", !order.isEmpty), ("after", after != nil), ("page", isPage),
            ("count", isCounted),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw ServiceError(
                .invalidParameter,
                "\(prefix)\(name) requires rows, but \(prefix)first is 0; remove \(prefix)\(name), or set \(prefix)first to 1 or more",
                parameter: prefix + name)
        }
        if let name = details.first?.name {
            throw ServiceError(
                .invalidParameter,
                "\(prefix)\(name) in details requires rows, but \(prefix)first is 0; remove it, or set \(prefix)first to 1 or more",
                parameter: "details")
        }
    }

    private var form: ListForm {
        get throws {
            guard isPage || isCounted else { return .array(try selection) }
            let info: [PageInfoMember] = [
                .hasNextPage(name: "hasNextPage"), .hasPreviousPage(name: "hasPreviousPage"),
                .startCursor(name: "startCursor"), .endCursor(name: "endCursor"),
            ]
            return .page(
                [.nodes(name: "nodes", try selection), .pageInfo(name: "pageInfo", info)]
                    + (isCounted ? [.totalCount(name: "totalCount")] : []))
        }
    }
}

extension ServiceError {
    /// Adds a suggestion to an error of a parameter, if a field has the name of the parameter.
    /// - Parameter name: The complete name of the parameter.
    func suggestingOperator(for parameter: String, of resource: Resource, _ name: String) -> ServiceError {
        guard resource.isListParameter(parameter), resource.field(parameter) != nil else { return self }
        var error = self
        error.detail += "; to compare the field \(parameter), write \(name).eq="
        return error
    }
}
