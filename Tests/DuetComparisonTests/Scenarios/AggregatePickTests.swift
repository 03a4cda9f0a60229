import DuetJSON
import Testing

@testable import DuetComparison

@Suite("Aggregates that a task needs") struct AggregatePickTests {
    /// Employees with their current salaries and departments, on two pages.
    private static let pages: [JSONValue] = [
        [
            ["hired": "1999-12-31", "salaries": [["salary": 40]], "departments": [["name": "Sales"]]],
            // Midnight in New York and in Berlin.
            ["hired": 946_702_800_000, "salaries": [["salary": 41]], "departments": [["name": "Sales"]]],
            ["hired": 946_681_200_000, "salaries": [["salary": 50]], "departments": []],
        ],
        [["hired": .null, "salaries": [], "departments": [["name": "Sales"]]]],
    ]

    private func picks(_ elements: JSONValue...) throws -> Picks { .aggregates(try elements.map(AggregatePick.init)) }

    @Test("The aggregates of rows are equal to those of a response, in REST and in GraphQL")
    func equal() throws {
        let picks = try picks(
            ["aggregate": ["count", "hired.count"]],
            ["of": "salaries", "aggregate": ["salary.avg", "salary.sum", "salary.min", "salary.max"]],
            ["group": ["hired.year"], "aggregate": ["count"]],
            ["of": "salaries", "group": ["departments.name"], "aggregate": ["count", "salary.avg"]],
            ["group": ["hired.month", "hired.day"], "aggregate": ["departments.name.countDistinct"]])
        let rest: [JSONValue] = [
            ["count": 4, "hired.count": 3],
            ["salary.avg": 43.6667, "salary.sum": 131, "salary.min": 40, "salary.max": 50],
            [
                ["hired.year": .null, "count": 1], ["hired.year": 1999, "count": 1], ["hired.year": 2000, "count": 2],
            ],
            [
                ["department.name": .null, "count": 1, "salary.avg": 50],
                ["department.name": "Sales", "count": 2, "salary.avg": 40.5],
            ],
            [
                ["hired.month": "1999-12", "hired.day": "1999-12-31", "departments": 1],
                ["hired.month": "2000-01", "hired.day": "2000-01-01", "departments": 1],
                ["hired.month": .null, "hired.day": .null, "departments": 1],
            ],
        ]
        var graphQL = rest
        graphQL[1] = ["salary": ["avg": 43.6667, "sum": 131, "min": 40, "max": 50]]
        graphQL[3] = [
            ["key": ["department": ["name": "Sales"]], "count": 2, "salary": ["avg": 40.5]],
            ["key": ["department": ["name": .null]], "count": 1, "salary": ["avg": 50]],
        ]
        let computed = try picks.values(of: Self.pages, in: .restSparse)
        #expect(try picks.values(of: rest, in: .restAggregates) == computed)
        #expect(try picks.values(of: graphQL, in: .graphQLAggregates) == computed)
        graphQL[0] = ["count": 5, "hired": ["count": 3]]
        #expect(try picks.values(of: graphQL, in: .graphQLAggregates) != computed)
        #expect(throws: UnexpectedAnswer.self) { try picks.values(of: Array(rest.dropLast()), in: .restAggregates) }
    }

    @Test("The average is rounded half away from zero, and no rows have no groups")
    func averages() throws {
        func average(_ values: Int64...) throws -> JSONValue {
            let rows = JSONValue.array(values.map { ["value": .integer($0)] })
            return try picks(["aggregate": ["value.avg"]]).values(of: [rows], in: .graphQL)
        }
        #expect(try average(1, 0, 0) == [[[0.3333]]])
        #expect(try average(-1, -1, 0) == [[[-0.6667]]])
        #expect(try average(3, 5) == [[[4]]])
        #expect(try average() == [[[.null]]])
        let groups = try picks(["group": ["value"], "aggregate": ["count"]])
        #expect(try groups.values(of: [[]], in: .graphQL) == [[]])
    }

    @Test(
        "A value that a row does not have, or that does not fit its function, is an error",
        arguments: [
            ["aggregate": ["name.count"]], ["group": ["hired.week"], "aggregate": ["count"]],
            ["group": ["salaries.salary.year"], "aggregate": ["count"]], ["aggregate": ["hired.sum"]],
            ["of": "titles", "aggregate": ["count"]],
        ] as [JSONValue])
    func errors(pick: JSONValue) throws {
        let row: JSONValue = [["hired": "1999-12-31", "salaries": [["salary": true]]]]
        #expect(throws: UnexpectedAnswer.self) { try picks(pick).values(of: [row], in: .restResources) }
    }
}
