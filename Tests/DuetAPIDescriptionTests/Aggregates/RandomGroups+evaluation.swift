import DuetJSON
import DuetResourceService
import DuetSQLDatabase
import Foundation

/// A group in memory: the values of its keys and aggregates.
struct ExpectedGroup {
    /// The keys, without differences that their collation ignores.
    var folded: [SaleValue]
    var keys: [SaleValue]
    var aggregates: [SaleValue]
    /// The members of the response, in their order.
    var members: [(name: String, value: JSONValue)] = []
}

/// The evaluation of a request on the rows in memory, with exact arithmetic.
extension RandomGroups {
    /// Returns all groups that match the request, in their order.
    func groups(of sales: RandomSales) -> [ExpectedGroup] {
        let rows = sales.rows.filter { row in filter.map { holds($0) { (row[$0] ?? .null, $0) } == true } ?? true }
        var groups: [[SaleValue]: [RandomSales.Row]] = [:]
        for row in rows { groups[keys.map { folded($0, row, sales) }, default: []].append(row) }
        if keys.isEmpty { groups[[]] = rows }
        let found = groups.map { folded, rows in
            ExpectedGroup(
                folded: folded, keys: keys.map { representative($0, rows, sales) },
                aggregates: aggregates.map { value(of: $0, rows) })
        }
        return found.filter { group in
            having.map { condition in
                holds(condition) { name in
                    let index = aggregates.firstIndex { $0.name == name } ?? 0
                    return (
                        group.aggregates[index], aggregates[index].column.map { RandomSales.columns[$0].name } ?? ""
                    )
                } == true
            } ?? true
        }.sorted(by: precedes).map { group in
            var group = group
            group.members = zip(keys, group.keys).map { ($0.name, json($0, $1)) }
            group.members += zip(aggregates, group.aggregates).map { ($0.name, json($0, $1)) }
            return group
        }
    }

    private func precedes(_ left: ExpectedGroup, _ right: ExpectedGroup) -> Bool {
        let rest = keys.indices.map { (term: Term.key($0), descending: false) }
        for (term, descending) in order + rest {
            let (first, second) = (value(of: term, left), value(of: term, right))
            if first.precedes(second) { return !descending }
            if second.precedes(first) { return descending }
        }
        return false
    }

    /// Returns the value by which groups are compared.
    private func value(of term: Term, _ group: ExpectedGroup) -> SaleValue {
        switch term {
        case .key(let index): group.folded[index]
        case .aggregate(let index): folded(aggregates[index], group.aggregates[index])
        }
    }

    // MARK: Keys

    private func stored(_ key: Key, _ row: RandomSales.Row, _ sales: RandomSales) -> SaleValue {
        key.isOfShop ? sales.shop(of: row)?[key.source.name] ?? .null : row[key.source.name] ?? .null
    }

    private func folded(_ key: Key, _ row: RandomSales.Row, _ sales: RandomSales) -> SaleValue {
        let value = stored(key, row, sales)
        return key.part.map { part(of: value, $0, key.source) } ?? key.source.folded(value)
    }

    /// The text with the smallest bytes represents the texts that are equal in their collation.
    private func representative(_ key: Key, _ rows: [RandomSales.Row], _ sales: RandomSales) -> SaleValue {
        guard key.part == nil else { return rows.first.map { folded(key, $0, sales) } ?? .null }
        return rows.map { stored(key, $0, sales) }.min { $0.precedes($1) } ?? .null
    }

    private func json(_ key: Key, _ value: SaleValue) -> JSONValue {
        switch (value, key.part) {
        case (.null, _): .null
        case (.number(let number, _), .some): .integer(Int64(number))
        case (.text(let text), .some): .string(text)
        default: key.source.json(value)
        }
    }

    /// Returns a part of a date with Foundation's calendars.
    private func part(of value: SaleValue, _ part: DatePart, _ column: SaleColumn) -> SaleValue {
        guard case .text(let text) = value else { return .null }
        let isDate = if case .date = column.kind { true } else { false }
        let utc = TimeZone(identifier: "UTC") ?? .gmt
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) } + [0, 0, 0]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = utc
        let time = DateComponents(
            year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
            second: numbers[5])
        guard let date = calendar.date(from: time) else { return .null }
        calendar.timeZone = isDate ? utc : TimeZone(identifier: zone) ?? utc
        let found = calendar.dateComponents([.year, .month, .day, .hour, .weekday], from: date)
        func digits(_ number: Int?, _ count: Int = 2) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let year = digits(found.year, 4)
        let day = "\(year)-\(digits(found.month))-\(digits(found.day))"
        switch part {
        case .year: return .number(Int128(found.year ?? 0), scale: 0)
        case .quarter: return .text("\(year)-Q\(((found.month ?? 1) + 2) / 3)")
        case .month: return .text("\(year)-\(digits(found.month))")
        case .week:
            var weeks = Calendar(identifier: .iso8601)
            weeks.timeZone = calendar.timeZone
            let week = weeks.dateComponents([.yearForWeekOfYear, .weekOfYear], from: date)
            return .text("\(digits(week.yearForWeekOfYear, 4))-W\(digits(week.weekOfYear))")
        case .day: return .text(day)
        case .hour: return .text("\(day)T\(digits(found.hour))")
        case .weekday: return .number(Int128(((found.weekday ?? 1) + 5) % 7 + 1), scale: 0)
        }
    }

    // MARK: Aggregates

    private func value(of aggregate: Aggregate, _ rows: [RandomSales.Row]) -> SaleValue {
        guard let column = aggregate.source else { return .number(Int128(rows.count), scale: 0) }
        let values = rows.compactMap { $0[column.name] }.filter { $0 != .null }
        switch aggregate.function {
        case .count: return .number(Int128(values.count), scale: 0)
        case .countDistinct: return .number(Int128(Set(values.map(column.folded)).count), scale: 0)
        case .min: return values.min { column.folded($0).precedes(column.folded($1)) } ?? .null
        case .max: return values.max { column.folded($0).precedes(column.folded($1)) } ?? .null
        case .sum, .avg:
            switch column.kind {
            case .boolean: return .number(Int128(values.count { $0 == .boolean(true) }), scale: 0)
            case .double:
                guard !values.isEmpty else { return .null }
                let sum = values.reduce(0.0) { sum, value in
                    if case .double(let double) = value { sum + double } else { sum }
                }
                return .double(aggregate.function == .sum ? sum : sum / Double(values.count))
            default:
                guard !values.isEmpty else { return .null }
                var (sum, scale) = (Int128(0), 0)
                for case .number(let units, let digits) in values { (sum, scale) = (sum + units, digits) }
                return aggregate.function == .sum
                    ? .number(sum, scale: scale) : Self.average(sum, scale: scale, count: values.count)
            }
        }
    }

    /// Returns an average with four more digits, rounded half away from zero.
    private static func average(_ sum: Int128, scale: Int, count: Int) -> SaleValue {
        let dividend = sum * 10_000
        let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: Int128(count))
        let isRoundedUp = rest.magnitude * 2 >= UInt128(count)
        return .number(quotient + (isRoundedUp ? (sum < 0 ? -1 : 1) : 0), scale: scale + 4)
    }

    private func folded(_ aggregate: Aggregate, _ value: SaleValue) -> SaleValue {
        [.min, .max].contains(aggregate.function) ? aggregate.source?.folded(value) ?? value : value
    }

    private func json(_ aggregate: Aggregate, _ value: SaleValue) -> JSONValue {
        guard value != .null, let column = aggregate.source else {
            return value == .null ? .null : .integer(Int64(value.digits(minimum: 0)) ?? 0)
        }
        switch (aggregate.function, column.kind) {
        case (.count, _), (.countDistinct, _), (_, .boolean): return .integer(Int64(value.digits(minimum: 0)) ?? 0)
        case (.sum, .bigInteger), (.avg, .bigInteger): return .string(value.digits(minimum: 0))
        case (.sum, .integer), (.avg, .integer):
            return (try? JSONValue(parsing: value.digits(minimum: 0).utf8)) ?? .null
        case (.avg, .decimal(let scale)): return .string(value.digits(minimum: scale))
        default: return column.json(value)
        }
    }

    /// Returns true if a member of a response has the expected value.
    func isEqual(_ name: String, _ found: JSONValue?, _ expected: JSONValue) -> Bool {
        guard let aggregate = aggregates.first(where: { $0.name == name }), let column = aggregate.source else {
            return found == expected
        }
        func number(_ value: JSONValue?) -> Double? {
            switch value {
            case .integer(let integer): Double(integer)
            case .double(let double): double
            default: nil
            }
        }
        if let first = number(found), let second = number(expected) {
            return aggregate.isRounded ? abs(first - second) <= 1e-9 : first == second
        }
        // Any of the texts that are equal in their collation can be the least one.
        if [.min, .max].contains(aggregate.function), case .string(let first)? = found,
            case .string(let second) = expected
        {
            return column.folded(.text(first)) == column.folded(.text(second))
        }
        return found == expected
    }

    // MARK: Conditions

    /// Returns the result of a condition, as in SQL: true, false, or nil for unknown.
    /// - Parameter value: Returns the value with a name, and the name of the column whose texts are compared.
    private func holds(_ condition: Condition, _ value: (String) -> (SaleValue, column: String)) -> Bool? {
        switch condition {
        case .compare(let name, let comparison, let operands):
            let (found, source) = value(name)
            guard found != .null else { return nil }
            let column = RandomSales.columns.first { $0.name == source }
            func folded(_ value: SaleValue) -> SaleValue { column?.folded(value) ?? value }
            let (left, right) = (folded(found), folded(operands[0]))
            return switch comparison {
            case .equal: !left.precedes(right) && !right.precedes(left)
            case .notEqual: left.precedes(right) || right.precedes(left)
            case .less: left.precedes(right)
            case .lessOrEqual: !right.precedes(left)
            case .greater: right.precedes(left)
            case .greaterOrEqual: !left.precedes(right)
            case .in, .like:
                operands.contains { !left.precedes(folded($0)) && !folded($0).precedes(left) }
            }
        case .isNull(let name, let isNull): return (value(name).0 == .null) == isNull
        case .all(let conditions):
            let results = conditions.map { holds($0, value) }
            return results.contains(false) ? false : results.contains(nil) ? nil : true
        case .any(let conditions):
            let results = conditions.map { holds($0, value) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        case .not(let condition): return holds(condition, value).map { !$0 }
        }
    }
}
