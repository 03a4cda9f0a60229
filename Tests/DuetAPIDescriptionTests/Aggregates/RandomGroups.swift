import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import SeededTesting

/// A random request for groups and aggregates of ``RandomSales``.
struct RandomGroups: Sendable {
    /// A key: a column of the sales, or of their shops, or a part of a date.
    struct Key: Hashable, Sendable {
        let column: Int
        var isOfShop = false
        var part: DatePart?

        var source: SaleColumn { isOfShop ? RandomSales.shopColumns[column] : RandomSales.columns[column] }
        var name: String { (isOfShop ? "shop." : "") + source.name + (part.map { ".\($0.rawValue)" } ?? "") }
    }

    /// An aggregate; without a column, the number of rows.
    struct Aggregate: Hashable, Sendable {
        let function: AggregateFunction
        var column: Int?

        var source: SaleColumn? { column.map { RandomSales.columns[$0] } }
        var name: String { (source.map { "\($0.name)." } ?? "") + function.rawValue }
    }

    enum Term: Hashable, Sendable {
        case key(Int)
        case aggregate(Int)
    }

    /// A condition on the rows, or on the groups. The names are those of columns or aggregates.
    indirect enum Condition: Sendable {
        case compare(String, Comparison, [SaleValue])
        case isNull(String, Bool)
        case all([Condition])
        case any([Condition])
        case not(Condition)
    }

    var keys: [Key] = []
    var aggregates: [Aggregate] = []
    var filter: Condition?
    var having: Condition?
    var order: [(term: Term, descending: Bool)] = []
    var size = 1
    var zone = "UTC"

    // MARK: Generation

    static let zones = ["UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu"]

    init(_ random: inout SplitMix64) {
        let keys = Self.allKeys.shuffled(using: &random)
        self.keys = Array(keys.prefix(random.below(5)))
        let all = Self.allAggregates.shuffled(using: &random)
        aggregates = Array(all.prefix(random.within((keys.isEmpty ? 1 : 0)...5)))
        if self.keys.isEmpty, aggregates.isEmpty { aggregates = [Aggregate(function: .count)] }
        if random.chance(perThousand: 600) { filter = Self.filter(depth: 2, &random) }
        size = random.within(1...6)
        zone = Self.zones[random.below(Self.zones.count)]
        guard !self.keys.isEmpty else { return }
        if !aggregates.isEmpty, random.chance(perThousand: 400) { having = havingCondition(depth: 2, &random) }
        var terms = self.keys.indices.map { Term.key($0) }
        // Sums of floating-point numbers can differ in their last digits.
        terms += aggregates.indices.filter { !aggregates[$0].isRounded }.map { .aggregate($0) }
        order = terms.shuffled(using: &random).prefix(random.below(4)).map {
            ($0, random.chance(perThousand: 500))
        }
    }

    private static let allKeys: [Key] =
        RandomSales.columns.indices.flatMap { index -> [Key] in
            switch RandomSales.columns[index].kind {
            case .double: return []
            case .date, .timestamp:
                let isDate = if case .date = RandomSales.columns[index].kind { true } else { false }
                let parts = DatePart.allCases.filter { !isDate || $0 != .hour }
                return [Key(column: index)] + parts.map { Key(column: index, part: $0) }
            default: return [Key(column: index)]
            }
        } + RandomSales.shopColumns.indices.map { Key(column: $0, isOfShop: true) }

    private static let allAggregates: [Aggregate] =
        [Aggregate(function: .count)]
        + RandomSales.columns.indices.flatMap { index -> [Aggregate] in
            let functions: [AggregateFunction] =
                switch RandomSales.columns[index].kind {
                case .integer, .bigInteger, .decimal, .double: AggregateFunction.allCases
                case .boolean: [.count, .countDistinct, .sum]
                case .text, .choice, .date, .timestamp, .time: [.count, .countDistinct, .min, .max]
                }
            return functions.map { Aggregate(function: $0, column: index) }
        }

    private static func filter(depth: Int, _ random: inout SplitMix64) -> Condition {
        switch random.below(depth > 0 ? 7 : 4) {
        case 4: return .all((0..<2).map { _ in filter(depth: depth - 1, &random) })
        case 5: return .any((0..<2).map { _ in filter(depth: depth - 1, &random) })
        case 6: return .not(filter(depth: depth - 1, &random))
        default:
            // SQLite compares decimal numbers in a column of texts as texts.
            let columns = RandomSales.columns.filter { $0.name != "wide" }
            let column = columns[random.below(columns.count)]
            return comparison(column.name, column, &random)
        }
    }

    private func havingCondition(depth: Int, _ random: inout SplitMix64) -> Condition {
        switch random.below(depth > 0 ? 7 : 4) {
        case 4: return .all((0..<2).map { _ in havingCondition(depth: depth - 1, &random) })
        case 5: return .any((0..<2).map { _ in havingCondition(depth: depth - 1, &random) })
        case 6: return .not(havingCondition(depth: depth - 1, &random))
        default:
            let aggregate = aggregates[random.below(aggregates.count)]
            guard let source = aggregate.source, ![.count, .countDistinct].contains(aggregate.function),
                aggregate.function != .sum || !source.isBoolean
            else {
                let comparison = Self.comparisons[random.below(Self.comparisons.count)]
                let count = comparison == .in ? 2 : 1
                return .compare(
                    aggregate.name, comparison, (0..<count).map { _ in .number(Int128(random.below(4)), scale: 0) })
            }
            // A value at a distance from all averages of floating-point numbers.
            if aggregate.isRounded {
                return .compare(aggregate.name, [.less, .greater][random.below(2)], [.double(0.3333)])
            }
            return Self.comparison(aggregate.name, source, &random)
        }
    }

    private static let comparisons: [Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in,
    ]

    private static func comparison(
        _ name: String, _ column: SaleColumn, _ random: inout SplitMix64
    ) -> Condition {
        if random.chance(perThousand: 150) { return .isNull(name, random.chance(perThousand: 500)) }
        let comparisons: [Comparison] =
            switch column.kind {
            case .boolean: [.equal, .notEqual]
            case .choice: [.equal, .notEqual, .in]
            default: Self.comparisons
            }
        let comparison = comparisons[random.below(comparisons.count)]
        var values: [SaleValue] = []
        while values.count < (comparison == .in ? 2 : 1) {
            let value = column.value(&random)
            if value != .null { values.append(value) }
        }
        return .compare(name, comparison, values)
    }
}

extension RandomGroups.Aggregate {
    /// True if the result is a rounded floating-point number.
    var isRounded: Bool {
        guard case .double? = source?.kind else { return false }
        return function == .sum || function == .avg
    }
}

extension SaleColumn {
    var isBoolean: Bool { if case .boolean = kind { true } else { false } }
}
