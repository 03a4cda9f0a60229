import DuetResourceService
import DuetSQLDatabase
import Testing

@Suite("Filters of requests") struct FilterTests {
    private static func filter(_ service: ResourceService, _ query: String) throws -> Filter? {
        guard case .list(_, let window) = try service.restQuestion("samples?\(query)").subject else { return nil }
        return window.filter
    }

    /// The operators of each type of field. A nullable field also has `null`.
    static let operators: [(fields: [String], operators: [String])] = [
        (
            ["small", "safe", "big", "natural", "ratio", "single", "amount", "day", "moment", "local", "clock"],
            ["eq", "ne", "lt", "lte", "gt", "gte", "in"]
        ),
        (["name", "word"], ["eq", "ne", "lt", "lte", "gt", "gte", "like", "in"]),
        (["color", "tag", "bytes"], ["eq", "ne", "in"]), (["yes"], ["eq", "ne"]), (["extra", "loose"], []),
    ]

    @Test("A field has exactly the operators of its type", arguments: operators)
    func operatorsOfType(_ row: (fields: [String], operators: [String])) async throws {
        try await Samples.withService { service async throws in
            for name in row.fields {
                let example = ValueTests.examples.first { $0.field == name }
                let text = example?.text ?? ""
                for operation in Comparison.allCases {
                    let query = "\(name).\(operation.rawValue)=\(text)"
                    if row.operators.contains(operation.rawValue), let example {
                        let value = operation == .like ? SQLValue.text(text) : example.value
                        guard operation != .like || !text.isEmpty else { continue }
                        #expect(
                            try Self.filter(service, query) == .compare(name, operation, [.value(value)]), "\(query)")
                        continue
                    }
                    let error = #expect(throws: ServiceError.self, "\(query)") { try Self.filter(service, query) }
                    #expect(error?.code == .unknownParameter)
                    #expect(error?.parameter == "\(name).\(operation.rawValue)")
                    #expect(error?.allowed == (row.operators + ["null"]).map { "\(name).\($0)" })
                    #expect(
                        error?.detail
                            == "\(name) has no operator \(operation.rawValue); valid operators are "
                            + (row.operators + ["null"]).joined(separator: ", "))
                }
                #expect(try Self.filter(service, "\(name).null=true") == .isNull(name, true))
                #expect(try Self.filter(service, "\(name).null=false") == .isNull(name, false))
            }
        }
    }

    @Test("The error for an unknown operator of a non-null field does not suggest the operator `null`")
    func required() async throws {
        try await Samples.withService { service async throws in
            let error = #expect(throws: ServiceError.self) { try Self.filter(service, "code.is=1") }
            #expect(error?.allowed == ["eq", "ne", "lt", "lte", "gt", "gte", "like", "in"].map { "code.\($0)" })
        }
    }

    static let combinations: [(query: String, filter: Filter)] = [
        ("", .everything), ("small=1", .compare("small", .equal, [.integer(1)])),
        (
            "small.gt=1&small.lt=9",
            .all([.compare("small", .greater, [.integer(1)]), .compare("small", .less, [.integer(9)])])
        ),
        ("small.in=1&small.in=2", .compare("small", .in, [.integer(1), .integer(2)])),
        ("name.like=a*", .compare("name", .like, [.text("a*")])),
        ("least=3", .compare("small", .greaterOrEqual, [.integer(3)])),
        (
            "about=a\\*",
            .any([.compare("code", .like, [.text("a\\\\*")]), .compare("name", .like, [.text("a\\\\*")])])
        ),
        ("known=true", .isNull("day", false)), ("known=false", .isNull("day", true)),
        (
            #"small=1&filter={"name":{"eq":"a"}}"#,
            .all([.compare("small", .equal, [.integer(1)]), .compare("name", .equal, [.text("a")])])
        ),
        (#"filter={"small":{"in":[]}}"#, .any([])), (#"filter={"or":[]}"#, .any([])),
        ("filter={}", .everything), (#"filter={"not":{"or":[]}}"#, .not(.any([]))),
        (
            #"filter={"or":[{"known":true},{"least":2}]}"#,
            .any([.isNull("day", false), .compare("small", .greaterOrEqual, [.integer(2)])])
        ),
    ]

    @Test("The conditions of a request are combined with AND", arguments: combinations)
    func combination(_ row: (query: String, filter: Filter)) async throws {
        try await Samples.withService { service async throws in
            #expect(try Self.filter(service, row.query) == row.filter)
        }
    }

    static let wrong: [(query: String, code: ServiceError.Code, parameter: String, detail: String)] = [
        (
            "colour=RED", .unknownParameter, "colour",
            "there is no parameter colour here; valid parameters are fields, "
        ),
        ("small.eq.ne=1", .unknownParameter, "small.eq.ne", "there is no parameter small.eq.ne here"),
        ("small=1&small=2", .repeatedParameter, "small", "the parameter small must be given only once"),
        ("small.gt=1&small.gt=2", .repeatedParameter, "small.gt", "the parameter small.gt must be given only once"),
        ("known=maybe", .invalidParameter, "known", "known must be true or false"),
        ("day.null=", .invalidParameter, "day.null", "day.null must be true or false"),
        ("name.like=", .invalidParameter, "name.like", "name.like must be a pattern of 1 to 64 characters"),
        (
            "name.like=\(String(repeating: "a", count: 65))", .invalidParameter, "name.like",
            "name.like must be a pattern of 1 to 64 characters"
        ),
        ("about=a\tb", .invalidParameter, "about", "about must be a pattern of 1 to 64 characters without control"),
        ("first=0", .invalidParameter, "first", "first must be a whole number from 1 to 1000"),
        ("first=1001", .invalidParameter, "first", "first must be a whole number from 1 to 1000"),
        ("count=1", .invalidParameter, "count", "count must be true or false"),
        ("fields=code,", .invalidParameter, "fields", "fields has an empty value; valid values are code, small"),
        ("fields=kode", .invalidParameter, "fields", "fields has no value kode; valid values are code, small"),
        ("filter=1", .invalidParameter, "filter", "filter must be a JSON object, not a number"),
        ("filter=", .invalidParameter, "filter", #"filter must be a JSON object, as in {"or":[…]}"#),
        (
            #"filter={"colour":{}}"#, .invalidParameter, "filter",
            "filter has no member colour; valid members are and, or, not, about, least, known, code"
        ),
        (#"filter={"small":1}"#, .invalidParameter, "filter.small", "filter.small must be an object, not a number"),
        (#"filter={"small":{"is":1}}"#, .unknownParameter, "filter.small.is", "filter.small has no operator is"),
        (#"filter={"small":{"in":1}}"#, .invalidParameter, "filter.small.in", "filter.small.in must be a list, not"),
        (#"filter={"name":{"like":1}}"#, .invalidParameter, "filter.name.like", "filter.name.like must be a text, not"),
        (
            #"filter={"small":{"null":null}}"#, .invalidParameter, "filter.small.null",
            "filter.small.null must be true or false, not null"
        ),
        (
            #"filter={"small":{"eq":null}}"#, .invalidParameter, "filter.small.eq",
            "filter.small.eq must not be null; to select the rows whose small is null, set filter.small.null to true"
        ),
        (
            #"filter={"code":null}"#, .invalidParameter, "filter.code",
            "filter.code must not be null; if there is no such condition, omit it"
        ),
        (
            #"filter={"or":[{"least":null}]}"#, .invalidParameter, "filter.or.least",
            "filter.or.least must not be null; if there is no such condition, omit it"
        ),
        (#"filter={"small":{}}"#, .emptyFilter, "filter.small", "filter.small is empty; add an operator, or omit it"),
        (#"filter={"not":{}}"#, .emptyFilter, "filter.not", "filter.not is empty; add a condition, or omit it"),
        (#"filter={"or":{}}"#, .invalidParameter, "filter.or", "filter.or must be a list of objects, not an object"),
        (
            #"filter={"and":[1]}"#, .invalidParameter, "filter.and",
            "an element of filter.and must be an object, not a number"
        ),
        (#"filter={"not":[]}"#, .invalidParameter, "filter.not", "filter.not must be an object, not an array"),
        (#"filter={"known":1}"#, .invalidParameter, "filter.known", "filter.known must be true or false, not a number"),
        (
            #"filter={"or":[{"not":{"least":"a"}}]}"#, .invalidParameter, "filter.or.not.least",
            "filter.or.not.least must be a whole number from -5 to 100"
        ),
    ]

    @Test("An invalid parameter is an error that names the parameter and describes what is valid", arguments: wrong)
    func wrongParameter(_ row: (query: String, code: ServiceError.Code, parameter: String, detail: String)) async throws
    {
        try await Samples.withService { service async throws in
            let error = #expect(throws: ServiceError.self) { try Self.filter(service, row.query) }
            #expect(error?.code == row.code)
            #expect(error?.parameter == row.parameter)
            #expect(error?.detail.hasPrefix(row.detail) == true, "\(error?.detail ?? "")")
        }
    }

    @Test("A filter has at most 100 conditions, 100 values in a list and 10 nested objects")
    func limits() async throws {
        func list(_ element: String, _ count: Int) -> String {
            "[\(Array(repeating: element, count: count).joined(separator: ","))]"
        }
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"not":"#, count: depth - 1) + #"{"known":true}"#
                + String(repeating: "}", count: depth - 1)
        }
        try await Samples.withService { service async throws in
            for (valid, invalid, detail) in [
                (list("1", 100), list("1", 101), "filter.small.in has more than 100 values")
            ].map({ (#"{"small":{"in":\#($0)}}"#, #"{"small":{"in":\#($1)}}"#, $2) }) + [
                (nested(10), nested(11), "has more than 10 nested objects"),
                (
                    #"{"or":\#(list(#"{"known":true}"#, 49))}"#, #"{"or":\#(list(#"{"known":true}"#, 50))}"#,
                    "has more than 100 conditions"
                ),
                (
                    #"{"or":\#(list(#"{"small":{"eq":1}}"#, 33))}"#, #"{"or":\#(list(#"{"small":{"eq":1}}"#, 34))}"#,
                    "has more than 100 conditions"
                ),
            ] {
                #expect(throws: Never.self) { try Self.filter(service, "filter=\(valid)") }
                let error = #expect(throws: ServiceError.self) { try Self.filter(service, "filter=\(invalid)") }
                #expect(error?.code == .invalidParameter)
                #expect(error?.detail.hasSuffix(detail) == true, "\(error?.detail ?? "")")
            }
        }
    }

    @Test("GraphQL reports an invalid filter value with the parameter name and the message of REST")
    func graphQL() async throws {
        let questions = try GraphQLQuestions(Samples.catalogue())
        for (argument, parameter, detail) in [
            (#"{tag: {eq: "x"}}"#, "filter.tag.eq", "filter.tag.eq must be a UUID, as in"),
            (#"{big: {in: ["1", "x"]}}"#, "filter.big.in", "filter.big.in must be a 64-bit whole number"),
            (#"{or: [{small: {eq: 101}}]}"#, "filter.or.small.eq", "filter.or.small.eq must be a whole number from -5"),
            (#"{about: ""}"#, "filter.about", "filter.about must be a pattern"),
        ] {
            let error = await #expect(throws: ServiceError.self, "\(argument)") {
                try await questions.question("{ samples(filter: \(argument)) { nodes { code } } }")
            }
            #expect(error?.code == .invalidParameter)
            #expect(error?.parameter == parameter)
            #expect(error?.detail.hasPrefix(detail) == true, "\(error?.detail ?? "")")
        }
    }
}
