import DuetJSON
import TestSupport
import Testing

@Suite("Aggregates of relations with intermediate tables") struct RelationAggregateAgreementTests {
    @Test(
        "The order and the filter by an aggregate agree with the aggregates in the response",
        arguments: TestBackend.available)
    func agreement(_ backend: TestBackend) async throws {
        try await withServer(backend) { server in
            for (path, relation, aggregate) in [
                ("/departments", "employees", "count"), ("/departments", "employees", "employeeNumber.max"),
                ("/employees", "titles", "count"), ("/employees", "salaries", "salary.sum"),
                ("/employees", "salaries", "salary.avg"), ("/employees", "departments", "departmentNumber.min"),
            ] {
                let query = "details=\(relation)&\(relation).first=0&\(relation).aggregate=\(aggregate)"
                func read(_ rest: String) async throws -> [JSONValue] {
                    let answer = try await server.client.get("\(path)?\(query)\(rest)")
                    #expect(answer.status == 200, "\(answer.text)")
                    guard case .array(let rows) = try JSONValue(parsing: answer.text.utf8) else { return [] }
                    return rows
                }
                func value(_ row: JSONValue) -> JSONValue? { row["\(relation)Aggregate"]?[aggregate] }
                let rows = try await read("")
                let sorted = try await read("&sort=-\(relation).\(aggregate)")
                #expect(Set(sorted) == Set(rows) && sorted.count > 1, "\(relation) \(aggregate)")
                let (values, expected) = (sorted.map(value), rows.map(value).sorted(by: Self.isGreater))
                #expect(values == expected, "\(relation) \(aggregate)")
                guard let some = values.compactMap(\.self).first(where: { $0 != .null }) else { continue }
                let parts = aggregate.split(separator: ".").map(String.init)
                // A decimal number with a fraction is a string in filters.
                let operand: JSONValue = if case .double(let double) = some { .string("\(double)") } else { some }
                let condition = parts.reversed().reduce(JSONValue.object(JSONObject([("eq", operand)]))) {
                    inner, name in
                    .object(JSONObject([(name, inner)]))
                }
                let filter = JSONValue.object(JSONObject([(relation, condition)])).compactText
                let encoded = filter.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }
                    .joined()
                let selected = try await read("&filter=\(encoded)")
                #expect(Set(selected) == Set(rows.filter { value($0) == some }), "\(filter)")
            }
        }
    }

    /// Returns true if a value precedes another one in descending order. Null is the smallest value.
    private static func isGreater(_ first: JSONValue?, _ second: JSONValue?) -> Bool {
        func number(_ value: JSONValue?) -> Double? {
            switch value {
            case .integer(let integer)?: Double(integer)
            case .double(let double)?: double
            case .string(let text)?: Double(text)
            default: nil
            }
        }
        switch (number(first), number(second)) {
        case (let first?, let second?): return first > second
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil):
            guard case .string(let first)? = first else { return false }
            guard case .string(let second)? = second else { return true }
            return first > second
        }
    }
}
