import DuetSQLDatabase

/// The right side of a comparison: known values, or a parameter whose value becomes known when the plan is executed.
struct Comparand {
    private enum Source {
        case values([SQLValue])
        case parameter(String)
    }

    let field: Field
    private let source: Source
    private let comparison: Comparison
    private let resource: Resource
    private let planner: Planner
    /// The spellings of the known values; see ``StoredSpellings``.
    let spellings: [String]

    /// - Parameter resource: The resource that has the field.
    /// - Throws: ``CatalogueError`` for operands that are neither known values nor one parameter. If some of them were
    ///   ignored, a negated comparison would match more rows.
    init(
        _ operands: [Operand], _ comparison: Comparison, _ field: Field, of resource: Resource, _ planner: Planner
    ) throws(CatalogueError) {
        let areValues = operands.allSatisfy { $0.value != nil }
        guard operands.count == 1 || (comparison == .in && areValues) else {
            throw CatalogueError(
                "\(resource.name): the comparison of \(field.name) by \(comparison.rawValue) needs one operand")
        }
        if case .parameter(let name)? = operands.first {
            source = .parameter(name)
            spellings = []
        } else {
            let values = operands.compactMap(\.value)
            let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
            source = .values(values)
            spellings =
                planner.dialect.storesTimesAsTexts && texts.count == values.count
                ? StoredSpellings(texts, field.type)?.texts ?? [] : []
        }
        (self.field, self.comparison, self.resource, self.planner) = (field, comparison, resource, planner)
    }

    private init(_ value: SQLValue, in other: Comparand) {
        source = .values([value])
        spellings = []
        (field, comparison, resource, planner) = (other.field, other.comparison, other.resource, other.planner)
    }

    var isParameter: Bool { if case .parameter = source { true } else { false } }

    /// The known values as separate comparands.
    var elements: [Comparand] { values.map { Comparand($0, in: self) } }

    private var values: [SQLValue] { if case .values(let values) = source { values } else { [] } }

    // MARK: Texts

    /// True if the database can contain the value in several spellings; see ``StoredSpellings``.
    var hasSpellings: Bool {
        guard planner.dialect.storesTimesAsTexts, !field.type.isComparedInUTC else { return false }
        return isParameter ? StoredSpellings([], field.type) != nil : !spellings.isEmpty
    }

    /// The collation of the field's column if a value may contain a character that the column cannot store; otherwise
    /// nil.
    var narrowCollation: NarrowCollation? {
        !isParameter && values.allSatisfy(\.isASCII) ? nil : planner.catalogue.narrowCollation(of: field, resource)
    }

    /// The pattern of a known value.
    private var pattern: TextPattern? {
        if case .text(let text)? = values.first { TextPattern(text) } else { nil }
    }

    /// The text of a known pattern without wildcards; nil for any other pattern and for a parameter.
    var literal: Comparand? {
        guard let pattern, !pattern.hasWildcard else { return nil }
        return Comparand(.text(pattern.literal), in: self)
    }

    // MARK: Arguments

    /// Binds an argument to a parameter of the statement.
    /// - Returns: The parameter, such as `:p1_hireDate`.
    func bind(_ form: PlanParameter.Form, _ scope: inout StatementScope) -> String {
        switch source {
        case .values: return scope.bind(argument(form), to: field.name)
        case .parameter(let name):
            return scope.bind(
                PlanParameter(
                    name: name, field: field, resource: resource.name, isList: comparison == .in, form: form))
        }
    }

    private func argument(_ form: PlanParameter.Form) -> Arguments.Argument {
        switch form {
        case .value: .value(field.bound(values.first ?? .null))
        case .list, .plainList, .otherList: field.list(values)
        case .spellings: .list(spellings.map { .text($0) })
        case .firstSpelling: .value(spellings.first.map { .text($0) } ?? .null)
        case .isNotEmpty: .value(.integer(values.isEmpty ? 0 : 1))
        case .pattern: .value(pattern?.argument(for: field, planner.dialect) ?? .null)
        }
    }
}

extension Field {
    /// Returns the argument of a comparison with a list of values.
    func list(_ values: [SQLValue]) -> Arguments.Argument {
        var values = values.map(bound)
        // A list of consecutive integers would be compared as a range, which can contain numbers with a fraction.
        if type.hasFractions, values.count > 1 { values.append(values[0]) }
        return .list(values)
    }
}

extension TextPattern {
    /// Returns the argument of the comparison with a field: the pattern of `GLOB` or `LIKE`.
    func argument(for field: Field, _ dialect: Dialect) -> SQLValue {
        switch dialect.patternOperator {
        case .glob: .text(glob)
        case .like: field.bound(.text(like))
        }
    }
}
