import DuetAPIDescription
import DuetResourceService
import Testing

@Suite struct DescriptionReaderTests {
    private static let valid = """
        duet: 1
        resources:
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
        """

    @Test("An API description requires a name, a type and fields for each resource; all other members have defaults")
    func smallest() throws {
        let api = try APIDescription(reading: Self.valid, file: "api.yaml")
        let orders = try #require(api.catalogue["orders"])
        #expect(orders.table == "orders")
        #expect(orders.fields.map(\.column) == ["id"])
        #expect(orders.hasItems)
        #expect(api.dates == .iso)
    }

    @Test("A description that is written as YAML and read again is equal")
    func roundTrip() throws {
        let api = try APIDescription(reading: Self.valid, file: "api.yaml")
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        #expect(again.catalogue.resources == api.catalogue.resources)
    }

    @Test("A condition of a named filter that is true for every row, or for no row, can be written and read again")
    func constantConditions() throws {
        let always = Filter.related("next", exists: true, .everything)
        let order = Resource(
            "orders", singular: "order", type: "Order", table: "orders", description: "An order.",
            fields: [Field("id", .integer(), column: "id", description: "The key.")], key: ["id"],
            filters: [
                NamedFilter("any", .flag(whenTrue: .everything, whenFalse: .any([])), description: "Any order."),
                NamedFilter(
                    "followed", .flag(whenTrue: always, whenFalse: .not(always)), description: "Has a next order."),
            ],
            relations: [
                Relation(
                    "next", to: "orders", .few(typical: 2), on: [.init("id", "before")], description: "The next.")
            ])
        let api = APIDescription(try Catalogue([order], description: "Orders."))
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        let every = Filter.not(.any([]))
        let some = Filter.related("next", exists: true, every)
        #expect(
            again.catalogue["orders"]?.filters.map(\.meaning) == [
                .flag(whenTrue: .everything, whenFalse: .any([])), .flag(whenTrue: some, whenFalse: .not(some)),
            ])
    }

    private static let conditions = """
        duet: 1
        resources:
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
              count: {type: bigInteger, nullable: true}
              many: {type: unsignedBigInteger, as: number}
              total: {type: decimal, scale: 2, as: number}
              ratio: {type: number, single: true}
              paid: {type: boolean}
              note: {type: text, charset: utf8, nullable: true}
              code: {type: key}
              state: {type: enum, name: State, values: [OPEN, PAID]}
              day: {type: date}
              local: {type: dateTime}
              iso: {type: dateTime, stored: iso}
              sql: {type: timestamp}
              utc: {type: timestamp, stored: utc}
              offset: {type: timestamp, stored: offset}
              unix: {type: timestamp, stored: unixSeconds}
              chrome: {type: timestamp, stored: webKitMicroseconds}
              julian: {type: timestamp, stored: julianDays}
              clock: {type: time}
              guid: {type: uuid}
              photo: {type: binary}
            relations:
              previous: {to: orders, one: optional, columns: {before: id}}
              next: {to: orders, many: 20, columns: {id: before}}
            filters:
              check: {whenTrue: CONDITION, whenFalse: {"not": CONDITION}}
              related: {some: next, field: id, and: CONDITION}
        """

    @Test(
        "A condition of a named filter of any kind, and a value of any type, can be written and read again",
        arguments: [
            #"{"id":{"eq":1}}"#, #"{"id":{"in":[1,2]}}"#, #"{"id":{"in":[]}}"#, #"{"id":{"gt":1,"lte":9}}"#,
            #"{"count":{"ne":"9007199254740993"}}"#, #"{"count":{"null":true}}"#, #"{"count":{"null":false}}"#,
            #"{"many":{"lt":"18446744073709551615"}}"#, #"{"total":{"gte":"12.50"}}"#, #"{"total":{"eq":12}}"#,
            #"{"ratio":{"lt":0.1}}"#, #"{"ratio":{"lt":5}}"#, #"{"paid":{"eq":true}}"#, #"{"paid":{"ne":false}}"#,
            #"{"note":{"like":"a*\\*"}}"#, #"{"note":{"eq":"\"é: #"}}"#, #"{"code":{"in":["a","b"]}}"#,
            #"{"state":{"eq":"OPEN"}}"#, #"{"day":{"gt":"2024-02-29"}}"#,
            #"{"local":{"lt":"2024-02-29T12:34:56.5"}}"#, #"{"iso":{"lt":"2024-02-29T12:34"}}"#,
            #"{"sql":{"lt":"2024-02-29T12:34:56+01:00"}}"#, #"{"utc":{"gte":"2024-02-29T12:34:56.25Z"}}"#,
            #"{"offset":{"eq":"2024-02-29T12:34:56.25+02:00"}}"#, #"{"unix":{"eq":"2024-02-29T12:34:56Z"}}"#,
            #"{"unix":{"eq":"1969-02-28T12:34:56.125Z"}}"#, #"{"chrome":{"in":["2024-02-29T12:34:56.000001Z"]}}"#,
            #"{"julian":{"lt":"2024-02-29T12:34:56.125Z"}}"#, #"{"clock":{"gt":"10:00"}}"#,
            #"{"guid":{"eq":"123e4567-e89b-12d3-a456-426614174000"}}"#, #"{"photo":{"eq":"AP8="}}"#,
            #"{"previous":{"id":{"eq":1}}}"#, #"{"next":{"some":{"id":{"eq":1}}}}"#,
            #"{"next":{"none":{"id":{"eq":1}}}}"#, #"{"next":{"some":{"id":{"eq":1}},"none":{"id":{"eq":2}}}}"#,
            #"{"previous":{"next":{"some":{"previous":{"paid":{"eq":true}}}}}}"#,
            #"{"or":[{"id":{"eq":1}},{"previous":{"day":{"eq":"2024-01-01"}}}]}"#, #"{"or":[]}"#,
            #"{"and":[{"id":{"eq":1}}]}"#, #"{"and":[{"id":{"eq":1}},{"id":{"eq":2},"paid":{"eq":true}}]}"#,
            #"{"not":{"not":{"note":{"null":true}}}}"#,
            #"{"not":{"not":{"not":{"not":{"id":{"gt":1},"previous":{"previous":{"previous":{"id":{"eq":1},"paid":{"eq":true}},"id":{"gt":1}},"id":{"gt":1}}}}}}}"#,
        ])
    func conditions(_ condition: String) throws {
        let text = Self.conditions.replacing("CONDITION", with: condition)
        let api = try APIDescription(reading: text, file: "api.yaml")
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        #expect(again.catalogue["orders"]?.filters == api.catalogue["orders"]?.filters, "\(api.yaml)")
        #expect(again.yaml == api.yaml)
    }

    @Test("The condition that no row of a to-one relation matches is written as a negation")
    func noRelatedRow() throws {
        var api = try APIDescription(
            reading: Self.conditions.replacing("CONDITION", with: #"{"previous":{"id":{"eq":1}}}"#), file: "api.yaml")
        let condition = Filter.compare("id", .equal, [.integer(1)])
        let meaning = { (filter: Filter) in NamedFilter.Meaning.flag(whenTrue: filter, whenFalse: .any([])) }
        var orders = try #require(api.catalogue["orders"])
        orders.filters = [
            NamedFilter("check", meaning(.related("previous", exists: false, condition)), description: "A check.")
        ]
        api.catalogue = try Catalogue([orders], description: "Orders.")
        let again = try APIDescription(reading: api.yaml, file: "again.yaml")
        #expect(
            again.catalogue["orders"]?.filters.first?.meaning
                == meaning(.not(.related("previous", exists: true, condition))))
    }

    @Test(
        "An error is reported with its file, line and column, and with the valid values",
        arguments: [
            ("type: int", "type: integr", "api.yaml:8:18: type is one of int, integer"),
            ("singular: order", "singlar: order", "api.yaml:4:5: orders has no member singlar; did you mean singular?"),
            ("key: [id]", "key: [number]", "api.yaml:6:11: orders has no field number"),
            ("duet: 1", "duet: 2", "api.yaml:1:7: the version of the format must be 1"),
            ("id: {type: int}", "id: {type: int, of: customer}", "customer is not a to-one relation of orders"),
            ("orders:", "graphql:", "api.yaml:3:3: a resource cannot be called graphql"),
            ("orders:", "whoami:", "api.yaml:3:3: a resource cannot be called whoami"),
            ("resources:", "resources: [", "this is not YAML"),
            (
                "type: int", "type: int, length: 3",
                "api.yaml:8:23: orders.id has no member length; did you mean maxLength?"
            ),
            ("type: int", "zzzzzzzz: int", "orders.id has no member zzzzzzzz; the members are type, column"),
            ("singular: order", "singular: 7", "api.yaml:4:15: singular must be a text, not 7; put it in quotes"),
            ("key: [id]", "key: [idd]", "api.yaml:6:11: orders has no field idd; did you mean id?"),
            ("key: [id]", "key: [id]\n    key: [id]", "the member key occurs twice in one mapping"),
            (
                "{type: int}", "{type: int}\n      \"7\": {type: int}\n      7: {type: int}",
                "api.yaml:9:7: the member 7 occurs twice"
            ),
            ("{type: int}", "{<<: {type: int}}", "api.yaml:8:12: orders.id: merging mappings (<<) is not supported"),
            ("type: int", "type: int, nullable: yes", "nullable must be true or false, not \"yes\""),
            ("duet: 1", "", "the description needs the member duet"),
            ("      id: {type: int}", "      {}", "orders needs at least one field"),
            (
                "key: [id]", "key: [id]\n    relations: {x: {to: orders, columns: {id: id}}}",
                "orders.x needs exactly one of these: one, few or many"
            ),
            ("duet: 1", "duet: 1\u{1}", "api.yaml:1:8: this is not YAML: control characters are not allowed"),
            ("key: [id]", "key: [*id]", "api.yaml:6:11: this is not YAML: found undefined alias"),
        ])
    func mistakes(text: String, mistake: String, message: String) throws {
        let error = #expect(throws: DescriptionError.self) {
            _ = try APIDescription(reading: Self.valid.replacing(text, with: mistake), file: "api.yaml")
        }
        let description = try #require(error).description
        #expect(description.contains(message), "\(description)")
    }

    @Test("All errors of a description are reported together, ordered by their locations")
    func several() throws {
        let text = """
            duet: 1
            resources:
              orders:
                singular: order
                type: Order
                key: [nr]
                sort: [idd]
                fields:
                  id: {type: integr}
                  name: {type: text, of: custmer, scale: 2}
                relations:
                  customer: {to: customer, one: optional, columns: {customer_id: id}}
                  lines: {to: lines, few: 0, order: [idd], columns: {id: order_id}}
              lines:
                typ: Line
                fields: {id: {type: int}}
              customers: {singular: customer, type: Customer, maxage: 3, fields: {id: {type: int}}}
            """
        let error = #expect(throws: DescriptionError.self) { _ = try APIDescription(reading: text, file: "api.yaml") }
        #expect(
            try #require(error).description == """
                api.yaml:6:11: orders has no field nr
                api.yaml:7:12: orders has no field idd; did you mean id?
                api.yaml:9:18: type is one of int, integer, bigInteger, unsignedBigInteger, number, decimal, boolean, text, key, date, dateTime, timestamp, time, binary, json, uuid, any, enum, not "integr"; did you mean integer?
                api.yaml:10:30: orders.name: custmer is not a to-one relation of orders; did you mean customer?
                api.yaml:10:39: orders.name cannot have scale, because its type is text, not decimal
                api.yaml:12:22: orders.customer refers to customer, which is not a resource; did you mean customers?
                api.yaml:13:31: few must be an integer from 1 to 1000000, not 0
                api.yaml:13:42: orders.lines: lines has no field idd; did you mean id?
                api.yaml:15:5: lines has no member typ; did you mean type?
                api.yaml:15:5: lines needs the member singular
                api.yaml:17:51: customers has no member maxage; did you mean maxAge?
                """)
    }

    @Test("A YAML alias has the value of its anchor")
    func aliases() throws {
        let text = """
            duet: 1
            resources:
              orders: {singular: order, type: Order, fields: &fields {id: &id {type: int}, other: *id}}
              lines: {singular: line, type: Line, fields: *fields}
            """
        let api = try APIDescription(reading: text, file: "api.yaml")
        #expect(api.catalogue["lines"]?.fields == api.catalogue["orders"]?.fields)
        #expect(api.catalogue["lines"]?.fields.count == 2)
    }

    @Test("Nested YAML aliases do not expand a small description into a large description")
    func manyAliases() throws {
        let lists = (1...30).map {
            "e\($0): {eq: 1, and: &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ", "))]}"
        }
        let text =
            Self.valid + """

                    filters:
                      f: {whenTrue: {and: &a0 [{id: {eq: 1}}]}, whenFalse: {\(lists.joined(separator: ", "))}}
                """
        let error = #expect(throws: DescriptionError.self) { _ = try APIDescription(reading: text, file: "api.yaml") }
        #expect(try #require(error).description.contains("aliases make the description too large"))
    }

    @Test("A JSON description can have all JSON escapes, and its errors have locations")
    func json() throws {
        let json = #"""
            {
            	"$schema": "api.schema.json", "duet":1, "description": "a\/b \u00e9 \ud83d\ude00 \"x\"",
            	"resources": {"orders": {"singular":"order","type":"Order","key":["id"],
            		"fields": {"id": {"type":"int","example":7,"nullable":false}}}}
            }
            """#.replacing("\\\\", with: "\\")
        let api = try APIDescription(reading: json, file: "api.json")
        #expect(api.catalogue.description == "a/b é 😀 \"x\"")
        #expect(api.catalogue["orders"]?.key == ["id"])
        let error = #expect(throws: DescriptionError.self) {
            _ = try APIDescription(reading: json.replacing("\"int\"", with: "\"inte\""), file: "api.json")
        }
        #expect(try #require(error).description.hasPrefix("api.json:4:28: type is one of"))
    }

    @Test("An API description with ten thousand tables is read")
    func large() throws {
        var text = "duet: 1\nresources:\n"
        for number in 1...10_000 {
            text +=
                "  tables\(number):\n    singular: table\(number)\n    type: Table\(number)\n    key: id\n    fields: {id: {type: int}}\n"
        }
        #expect(try APIDescription(reading: text, file: "api.yaml").catalogue.resources.count == 10_000)
    }

    @Test("A syntax error in a .json file is reported as JSON, and in any other file as YAML")
    func formats() {
        for (file, format) in [("api.json", "JSON"), ("API.JSON", "JSON"), ("api.yaml", "YAML"), ("api", "YAML")] {
            let error = #expect(throws: DescriptionError.self) {
                _ = try APIDescription(reading: "{\"duet\": [", file: file)
            }
            #expect(error?.description.contains("this is not \(format): ") == true, "\(String(describing: error))")
        }
    }

    @Test(
        "A type name or singular name that is already in use is reported at its location",
        arguments: [
            ("singular: tag", "type: Order", "api.yaml:10:11: "), ("singular: order", "type: Tag", "api.yaml:9:15: "),
            ("singular: tag", "type: Query", "api.yaml:10:11: "),
        ])
    func placesOfNames(singular: String, type: String, place: String) {
        let text = """
            duet: 1
            resources:
              orders:
                singular: order
                type: Order
                fields: {id: {type: int}}
                key: [id]
              tags:
                \(singular)
                \(type)
                fields: {id: {type: int}}
                key: [id]
            """
        let error = #expect(throws: DescriptionError.self) { _ = try APIDescription(reading: text, file: "api.yaml") }
        #expect(error?.description.hasPrefix(place) == true, "\(String(describing: error))")
    }
}
