import DuetJSON
import TestSupport
import Testing

@Suite("Null and empty conditions of filters") struct UnsetConditionTests {
    private static let omit = "if there is no such condition, omit it"
    private static let all = Crew.people.map(\.number)

    /// Filters of employees that have a condition that is null.
    static let nulls: [(filter: String, parameter: String, remedy: String)] = [
        (#"{"employeeNumber":{"eq":null}}"#, "filter.employeeNumber.eq", omit),
        (#"{"employeeNumber":{"ne":null}}"#, "filter.employeeNumber.ne", omit),
        (#"{"hireDate":{"lt":null}}"#, "filter.hireDate.lt", omit),
        (#"{"hireDate":{"lte":null}}"#, "filter.hireDate.lte", omit),
        (#"{"hireDate":{"gt":null}}"#, "filter.hireDate.gt", omit),
        (#"{"hireDate":{"gte":null}}"#, "filter.hireDate.gte", omit),
        (#"{"gender":{"in":null}}"#, "filter.gender.in", omit),
        (#"{"lastName":{"like":null}}"#, "filter.lastName.like", omit),
        (#"{"lastName":{"eq":"Brien","ne":null}}"#, "filter.lastName.ne", omit),
        (#"{"employeeNumber":null}"#, "filter.employeeNumber", omit),
        (
            #"{"titles":{"some":{"toDate":{"eq":null}}}}"#, "filter.titles.some.toDate.eq",
            "to select the rows whose toDate is null, set filter.titles.some.toDate.null to true"
        ),
        (
            #"{"titles":{"none":{"toDate":null}}}"#, "filter.titles.none.toDate",
            "to select the rows whose toDate is null, set filter.titles.none.toDate.null to true"
        ),
        (#"{"and":null}"#, "filter.and", omit), (#"{"or":null}"#, "filter.or", omit),
        (#"{"not":null}"#, "filter.not", omit), (#"{"name":"*","not":null}"#, "filter.not", omit),
        (#"{"or":[{"not":null}]}"#, "filter.or.not", omit),
        (#"{"titles":null}"#, "filter.titles", omit), (#"{"titles":{"some":null}}"#, "filter.titles.some", omit),
        (#"{"titles":{"none":null}}"#, "filter.titles.none", omit), (#"{"manager":null}"#, "filter.manager", omit),
        (#"{"name":null}"#, "filter.name", omit), (#"{"hiredAfter":null}"#, "filter.hiredAfter", omit),
        (#"{"department":null}"#, "filter.department", omit),
        (#"{"titles":{"some":{"current":null}}}"#, "filter.titles.some.current", omit),
    ]

    @Test("A condition that is null is an error, which says how to select null", arguments: nulls)
    func null(_ row: (filter: String, parameter: String, remedy: String)) async throws {
        try await Self.check(
            row.filter, "invalid-parameter", row.parameter, "\(row.parameter) must not be null; \(row.remedy)")
    }

    /// Filters of employees that have an empty condition.
    static let empties: [(filter: String, parameter: String, detail: String)] = [
        (#"{"employeeNumber":{}}"#, "filter.employeeNumber", "filter.employeeNumber is empty; add an operator"),
        (#"{"name":"*","hireDate":{}}"#, "filter.hireDate", "filter.hireDate is empty; add an operator"),
        (#"{"and":[]}"#, "filter.and", "filter.and is empty; add a condition"),
        (#"{"and":[{}]}"#, "filter.and", "an element of filter.and is empty; add a condition"),
        (#"{"or":[{"name":"Geo*"},{}]}"#, "filter.or", "an element of filter.or is empty; add a condition"),
        (#"{"not":{}}"#, "filter.not", "filter.not is empty; add a condition"),
        (#"{"not":{"not":{}}}"#, "filter.not.not", "filter.not.not is empty; add a condition"),
        (#"{"titles":{}}"#, "filter.titles", "filter.titles is empty; add some or none"),
        (#"{"titles":{"some":{}}}"#, "filter.titles.some", "filter.titles.some is empty; add a condition"),
        (#"{"titles":{"none":{}}}"#, "filter.titles.none", "filter.titles.none is empty; add a condition"),
        (#"{"manager":{}}"#, "filter.manager", "filter.manager is empty; add a condition"),
        (
            #"{"titles":{"some":{"toDate":{}}}}"#, "filter.titles.some.toDate",
            "filter.titles.some.toDate is empty; add an operator"
        ),
    ]

    @Test("An empty condition is an error, which says to complete or to omit it", arguments: empties)
    func empty(_ row: (filter: String, parameter: String, detail: String)) async throws {
        try await Self.check(row.filter, "empty-filter", row.parameter, "\(row.detail), or omit it")
    }

    /// Checks the response to a filter in four requests: the REST parameter of a list, the REST parameter of an
    /// attached list, a GraphQL variable, and a GraphQL document.
    /// - Parameter detail: The beginning of the detail of the error.
    private static func check(_ filter: String, _ code: String, _ parameter: String, _ detail: String) async throws {
        let graphQLCode = code.uppercased().replacing("-", with: "_")
        try await withServer(.sqlite) { server in
            server.statements.removeAll()
            let encoded = FilterTests.encoded(filter)
            for (target, prefix) in [
                ("/employees?filter=\(encoded)", ""),
                ("/departments/d005?details=employees&employees.filter=\(encoded)", "employees."),
            ] {
                let response = try await server.client.get(target)
                #expect(response.status == 400, "\(target)")
                #expect(response.code == code, "\(target): \(response.text)")
                #expect(response.string("parameter") == prefix + parameter, "\(target)")
                let expected = detail.replacing("filter.", with: "\(prefix)filter.")
                #expect(response.string("detail")?.hasPrefix(expected) == true, "\(response.text)")
            }
            let literal = filter.replacing(/"(\w+)":/) { "\($0.1):" }
            for (document, variables) in [
                ("{ employees(filter: \(literal)) { nodes { id } } }", nil),
                (
                    "query($filter: EmployeeFilter) { employees(filter: $filter) { nodes { id } } }",
                    try JSONValue(parsing: #"{"filter":\#(filter)}"#.utf8)
                ),
                (
                    #"{ department(id: "d005") { employees(filter: \#(literal)) { totalCount } } }"#, nil
                ),
            ] as [(String, JSONValue?)] {
                let response = try await server.client.graphQL(document, variables)
                #expect(response.codes == [graphQLCode], "\(document): \(response.text)")
                #expect(response.parameters == [parameter], "\(document): \(response.text)")
                #expect(response.messages.first?.hasPrefix(detail) == true, "\(document): \(response.text)")
            }
            #expect(server.statements.take() == [])
        }
    }

    @Test("An element of a list that is null is an error")
    func nullElements() async throws {
        try await withServer(.sqlite) { server in
            for (filter, parameter) in [
                (#"{"or":[null]}"#, "filter.or"), (#"{"and":[{"name":"*"},null]}"#, "filter.and"),
                (#"{"employeeNumber":{"in":[20001,null]}}"#, "filter.employeeNumber.in"),
            ] {
                let response = try await server.client.get("/employees?filter=\(FilterTests.encoded(filter))")
                #expect(response.code == "invalid-parameter", "\(filter)")
                #expect(response.string("detail") == "\(parameter) must not contain null; \(Self.omit)")
                // In GraphQL, the types of the elements are not nullable.
                let variables = try JSONValue(parsing: #"{"filter":\#(filter)}"#.utf8)
                let graphQL = try await server.client.graphQL(
                    "query($filter: EmployeeFilter) { employees(filter: $filter) { nodes { id } } }", variables)
                #expect(graphQL.codes == ["BAD_USER_INPUT"], "\(graphQL.text)")
            }
        }
    }

    @Test("A GraphQL variable without a value is an absent member, and the remaining condition must not be empty")
    func variables() async throws {
        let cases: [(types: String, filter: String, parameter: String)] = [
            ("$x: Int", "employeeNumber: {eq: $x}", "filter.employeeNumber"),
            ("$x: Int, $y: Int", "employeeNumber: {gte: $x, lt: $y}", "filter.employeeNumber"),
            ("$x: [Int!]", "employeeNumber: {in: $x}", "filter.employeeNumber"),
            ("$x: String", "not: {name: $x}", "filter.not"), ("$x: String", "or: [{name: $x}]", "filter.or"),
            ("$x: IntFilter", "and: [{employeeNumber: $x}]", "filter.and"),
            ("$x: TitleFilter", "titles: {some: $x}", "filter.titles"),
            ("$x: Boolean", "titles: {none: {current: $x}}", "filter.titles.none"),
            ("$x: String", "manager: {name: $x}", "filter.manager"),
        ]
        try await withServer(.sqlite) { server in
            for (types, filter, parameter) in cases {
                let document = "query(\(types)) { employees(filter: {\(filter)}) { nodes { id } } }"
                let absent = try await server.client.graphQL(document)
                #expect(absent.codes == ["EMPTY_FILTER"], "\(document): \(absent.text)")
                #expect(absent.parameters == [parameter], "\(document)")
                let null = try await server.client.graphQL(document, ["x": .null])
                #expect(null.codes == ["INVALID_PARAMETER"], "\(document): \(null.text)")
            }
        }
    }

    @Test(
        "An absent filter and an empty filter select all rows, and an empty list of alternatives selects no row",
        arguments: TestBackend.available)
    func selected(_ backend: TestBackend) async throws {
        let filters: [(filter: String, numbers: [Int])] = [
            ("{}", Self.all), (#"{"or":[]}"#, []), (#"{"employeeNumber":{"in":[]}}"#, []),
            (#"{"not":{"or":[]}}"#, Self.all), (#"{"employeeNumber":{"null":true}}"#, []),
            (#"{"titles":{"some":{"toDate":{"null":true}}}}"#, [20001]),
            (#"{"titles":{"some":{"title":{"null":false}}}}"#, [20001, 20002, 20003]),
            (#"{"titles":{"none":{"title":{"null":false}}}}"#, Array(Self.all.dropFirst(3))),
            (#"{"manager":{"employeeNumber":{"null":false}}}"#, []),
        ]
        let arguments: [(types: String, arguments: String, variables: JSONValue?, numbers: [Int])] = [
            ("", "first: 100", nil, Self.all), ("", "filter: null", nil, Self.all),
            ("($x: EmployeeFilter)", "filter: $x", nil, Self.all),
            ("($x: EmployeeFilter)", "filter: $x", ["x": .null], Self.all),
            ("($x: String)", "filter: {name: $x}", nil, Self.all),
            ("($x: Int, $y: Int)", "filter: {employeeNumber: {gt: $x, lt: $y}}", ["y": 20003], [20001, 20002]),
            ("($x: String)", #"filter: {name: $x, gender: {eq: F}, not: {name: "*"}}"#, nil, []),
        ]
        try await withServer(backend) { server in
            let whole = try await server.client.get("/employees?fields=employeeNumber")
            #expect(whole.text == Self.rows(Self.all))
            for (filter, numbers) in filters {
                let rest = try await server.client.get(
                    "/employees?fields=employeeNumber&filter=\(FilterTests.encoded(filter))")
                #expect(rest.text == Self.rows(numbers), "\(filter)")
                let graphQL = try await server.client.graphQL(
                    "query($x: EmployeeFilter) { employees(filter: $x) { nodes { employeeNumber } } }",
                    try JSONValue(parsing: #"{"x":\#(filter)}"#.utf8))
                #expect(graphQL.text == Self.connection(numbers), "\(filter)")
            }
            for (types, arguments, variables, numbers) in arguments {
                let response = try await server.client.graphQL(
                    "query\(types) { employees(\(arguments)) { nodes { employeeNumber } } }", variables)
                #expect(response.text == Self.connection(numbers), "\(arguments)")
            }
        }
    }

    @Test("In GraphQL, a Boolean argument that is null has no effect; in REST, the parameter needs a value")
    func booleanArguments() async throws {
        try await withServer(.sqlite) { server in
            let document = "query($x: Boolean) { employee(id: 20001) { titles(current: $x) { title } } }"
            let titles = #"[{"title":"Senior Engineer"},{"title":"Engineer"}]"#
            for variables in [[:], ["x": .null]] as [JSONValue] {
                let response = try await server.client.graphQL(document, variables)
                #expect(response.text == #"{"data":{"employee":{"titles":\#(titles)}}}"#)
            }
            for value in ["", "null"] {
                let response = try await server.client.get("/employees/20001/titles?current=\(value)")
                #expect(response.code == "invalid-parameter")
            }
        }
    }

    @Test("A query parameter without a value is a comparison with the empty text, or an error")
    func emptyParameters() async throws {
        try await withServer(.sqlite) { server in
            for target in ["lastName=", "lastName", "lastName.eq=", "lastName.in="] {
                let response = try await server.client.get("/employees?fields=employeeNumber&\(target)")
                #expect(response.text == "[]", "\(target)")
            }
            for target in [
                "employeeNumber=", "employeeNumber", "employeeNumber.in=", "hireDate.gte=", "gender=", "name=",
                "lastName.like=", "hiredAfter=", "department=", "filter=", "filter", "filter=null",
            ] {
                let response = try await server.client.get("/employees?\(target)")
                #expect(response.code == "invalid-parameter", "\(target): \(response.text)")
            }
        }
    }

    private static func rows(_ numbers: [Int]) -> String {
        "[\(numbers.map { #"{"employeeNumber":\#($0)}"# }.joined(separator: ","))]"
    }

    private static func connection(_ numbers: [Int]) -> String {
        #"{"data":{"employees":{"nodes":\#(rows(numbers))}}}"#
    }
}
