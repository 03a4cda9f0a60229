import DuetGraphQL
import Testing

/// Section 5.3.2, "Field Selection Merging".
@Suite("Fields with the same response name must be mergeable")
struct OverlappingFieldsCanBeMergedRuleTests {
    private let testing = RuleTesting(.overlappingFieldsCanBeMerged)

    @Test(
        "The same field with the same arguments can be selected again",
        arguments: [
            """
            {
              employees {
                name name manager { id } manager { name id } boss: manager { id } boss: manager { id }
              }
            }
            """,
            """
            { employee(id: 1) { name } ... { employee(id: 1) { name } } ...A }
            fragment A on Query { employee(id: 1) { name } }
            """,
        ])
    func same(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test(
        "The order of arguments, and of the fields of input objects, does not matter",
        arguments: [
            """
            {
              employees(first: 1, filter: {name: "a", code: 2}) { id }
              employees(filter: {code: 2, name: "a"}, first: 1) { id }
            }
            """,
            """
            query ($a: Int, $b: String) {
              count(list: [1, $a], string: $b) count(string: $b, list: [1, $a])
            }
            """,
            """
            {
              count(any: {a: {b: 1, c: [2, {d: 3, e: 4}]}})
              count(any: {a: {c: [2, {e: 4, d: 3}], b: 1}})
            }
            """,
        ])
    func arguments(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("Fields with different aliases do not conflict")
    func aliases() throws {
        try testing.expectValid(
            """
            {
              a: employee(id: 1) { name } b: employee(id: 2) { name } employees { name short: nickname }
            }
            """)
    }

    @Test("Fields with different directives do not conflict")
    func directives() throws {
        try testing.expectValid("{ employees { name @include(if: true) name @skip(if: true) name } }")
    }

    @Test(
        "Fields of different object types can differ in name and arguments",
        arguments: [
            """
            {
              search(text: "a") {
                ... on Employee { label: name salary(currency: EUR) }
                ... on Contractor { label: name salary(currency: USD) }
              }
            }
            """,
            """
            {
              search(text: "a") {
                ... on Employee { n: email } ... on Contractor { n: email }
                ... on Department { n: __typename2 }
              }
            }
            """,
        ])
    func exclusive(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("For fields of different object types, the subfields can differ if their shapes are equal")
    func exclusiveSubfields() throws {
        try testing.expectValid(
            """
            {
              group(name: "A") {
                ... on Department { head { label: email } } ... on Agency { head { label: room } }
              }
            }
            """)
    }

    @Test(
        "Equal fields in nested fragments and in fragments that form a cycle are valid",
        arguments: [
            """
            { employees { ...A ...B } }
            fragment A on Employee { manager { ...B } id }
            fragment B on Employee { name manager { ...A name } }
            """,
            "{ employees { ...A } } fragment A on Employee { name ...A manager { ...A } }",
        ])
    func deepFragments(_ document: String) throws {
        try testing.expectValid(document)
    }

    @Test("An unknown field or fragment is not an error of this rule")
    func unknown() throws {
        try testing.expectValid("{ employees { zzz zzz ...Nothing ... on Nothing { a: b a: b } } }")
    }

    @Test(
        "Different fields with the same response name are an error",
        arguments: [
            RuleCase(
                "{ employees { label: name label: email } }",
                """
                Fields "label" conflict because "name" and "email" are different fields. Use different aliases \
                on the fields to fetch both if this was intentional. (1:15, 1:27)
                """),
            RuleCase(
                "fragment A on Employee { name name: nickname name: room }",
                """
                Fields "name" conflict because "name" and "nickname" are different fields. Use different \
                aliases on the fields to fetch both if this was intentional. (1:26, 1:31)
                """,
                """
                Fields "name" conflict because "name" and "room" are different fields. Use different aliases on \
                the fields to fetch both if this was intentional. (1:26, 1:46)
                """,
                """
                Fields "name" conflict because "nickname" and "room" are different fields. Use different \
                aliases on the fields to fetch both if this was intentional. (1:31, 1:46)
                """),
        ])
    func names(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A field that is selected twice with different arguments is an error",
        arguments: [
            RuleCase(
                "{ employee(id: 1) { name } employee(id: 2) { name } }",
                """
                Fields "employee" conflict because they have differing arguments. Use different aliases on the \
                fields to fetch both if this was intentional. (1:3, 1:28)
                """),
            RuleCase(
                "{ employees { reports { id } reports(first: 10) { id } } }",
                """
                Fields "reports" conflict because they have differing arguments. Use different aliases on the \
                fields to fetch both if this was intentional. (1:15, 1:30)
                """),
            RuleCase(
                "query ($a: Int, $b: Int) { count(int: $a) count(int: $b) }",
                """
                Fields "count" conflict because they have differing arguments. Use different aliases on the \
                fields to fetch both if this was intentional. (1:28, 1:43)
                """),
            RuleCase(
                "{ count(list: [1, 2]) count(list: [2, 1]) }",
                """
                Fields "count" conflict because they have differing arguments. Use different aliases on the \
                fields to fetch both if this was intentional. (1:3, 1:23)
                """),
            RuleCase(
                "{ count(any: {a: [{b: 1}]}) count(any: {a: [{b: 1, c: 2}]}) }",
                """
                Fields "count" conflict because they have differing arguments. Use different aliases on the \
                fields to fetch both if this was intentional. (1:3, 1:29)
                """),
            RuleCase(
                #"""
                { count(string: "a") count(string: """a""") }
                """#,
                """
                Fields "count" conflict because they have differing arguments. Use different aliases on the \
                fields to fetch both if this was intentional. (1:3, 1:22)
                """),
        ])
    func differentArguments(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "Fields of an interface and of another type must be equal, because an object can have both types",
        arguments: [
            RuleCase(
                #"{ search(text: "a") { ... on Employee { label: name } ... on Person { label: email } } }"#,
                """
                Fields "label" conflict because "name" and "email" are different fields. Use different aliases \
                on the fields to fetch both if this was intentional. (1:41, 1:71)
                """),
            RuleCase(
                """
                {
                  search(text: "a") {
                    ... on Employee { x: name } ... on Contractor { x: name } ... on Person { x: __typename }
                  }
                }
                """,
                """
                Fields "x" conflict because "name" and "__typename" are different fields. Use different aliases \
                on the fields to fetch both if this was intentional. (3:23, 3:79)
                """,
                """
                Fields "x" conflict because "name" and "__typename" are different fields. Use different aliases \
                on the fields to fetch both if this was intentional. (3:53, 3:79)
                """),
        ])
    func interfaces(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A conflict between subfields is an error of the outer fields, with the locations of all these fields",
        arguments: [
            RuleCase(
                "{ employee(id: 1) { label: name } employee(id: 1) { label: email } }",
                """
                Fields "employee" conflict because subfields "label" conflict because "name" and "email" are \
                different fields. Use different aliases on the fields to fetch both if this was intentional. \
                (1:3, 1:21, 1:35, 1:53)
                """),
            RuleCase(
                "{ employee(id: 1) { a: name b: room } employee(id: 1) { a: email b: nickname } }",
                """
                Fields "employee" conflict because subfields "a" conflict because "name" and "email" are \
                different fields and subfields "b" conflict because "room" and "nickname" are different fields. \
                Use different aliases on the fields to fetch both if this was intentional. (1:3, 1:21, 1:29, \
                1:39, 1:57, 1:66)
                """),
            RuleCase(
                "{ employee(id: 1) { manager { x: name } } employee(id: 1) { manager { x: room } } }",
                """
                Fields "employee" conflict because subfields "manager" conflict because subfields "x" conflict \
                because "name" and "room" are different fields. Use different aliases on the fields to fetch \
                both if this was intentional. (1:3, 1:21, 1:31, 1:43, 1:61, 1:71)
                """),
            RuleCase(
                """
                { employee(id: 1) { manager { id ...A } } employee(id: 1) { manager { ...B } } }
                fragment A on Employee { x: name }
                fragment B on Person { x: email }
                """,
                """
                Fields "employee" conflict because subfields "manager" conflict because subfields "x" conflict \
                because "name" and "email" are different fields. Use different aliases on the fields to fetch \
                both if this was intentional. (1:3, 1:21, 2:26, 1:43, 1:61, 3:24)
                """),
        ])
    func inside(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A conflict inside one of several merged fields is reported once, for the innermost fields")
    func innermost() throws {
        try testing.expect(
            RuleCase(
                """
                {
                  employee(id: 1) { manager { x: name } manager { x: room } }
                  employee(id: 1) { manager { id } }
                }
                """,
                """
                Fields "manager" conflict because subfields "x" conflict because "name" and "room" are \
                different fields. Use different aliases on the fields to fetch both if this was intentional. \
                (2:21, 2:31, 2:41, 2:51)
                """))
    }

    @Test(
        "Fields in a fragment are compared with fields next to the spread and in other fragments",
        arguments: [
            RuleCase(
                "{ employees { x: name ...A } } fragment A on Employee { x: room }",
                """
                Fields "x" conflict because "name" and "room" are different fields. Use different aliases on \
                the fields to fetch both if this was intentional. (1:15, 1:57)
                """),
            RuleCase(
                """
                { employees { ...A ...B } }
                fragment A on Employee { x: name }
                fragment B on Employee { ... { x: room } }
                """,
                """
                Fields "x" conflict because "name" and "room" are different fields. Use different aliases on \
                the fields to fetch both if this was intentional. (2:26, 3:32)
                """),
            RuleCase(
                """
                { employees { id ...A } }
                fragment A on Employee { ...B ...C }
                fragment B on Employee { ...D }
                fragment C on Employee { id: name }
                fragment D on Employee { id: email }
                """,
                """
                Fields "id" conflict because "id" and "email" are different fields. Use different aliases on \
                the fields to fetch both if this was intentional. (1:15, 5:26)
                """,
                """
                Fields "id" conflict because "id" and "name" are different fields. Use different aliases on the \
                fields to fetch both if this was intentional. (1:15, 4:26)
                """,
                """
                Fields "id" conflict because "email" and "name" are different fields. Use different aliases on \
                the fields to fetch both if this was intentional. (5:26, 4:26)
                """),
        ])
    func fragments(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("The fields of a fragment that no operation spreads are compared")
    func unreached() throws {
        try testing.expect(
            RuleCase(
                "{ __typename } fragment A on Employee { x: name ...A x: room }",
                """
                Fields "x" conflict because "name" and "room" are different fields. Use different aliases on \
                the fields to fetch both if this was intentional. (1:41, 1:54)
                """))
    }

    @Test(
        "Fields with the same response name must have the same shape, even on different object types",
        arguments: [
            RuleCase(
                #"{ search(text: "a") { ... on Employee { room } ... on Contractor { room } } }"#,
                """
                Fields "room" conflict because they return conflicting types "String" and "Int". Use different \
                aliases on the fields to fetch both if this was intentional. (1:41, 1:68)
                """),
            RuleCase(
                #"{ search(text: "a") { ... on Employee { skills } ... on Contractor { skills } } }"#,
                """
                Fields "skills" conflict because they return conflicting types "[String!]" and "String". Use \
                different aliases on the fields to fetch both if this was intentional. (1:41, 1:70)
                """),
            RuleCase(
                #"{ search(text: "a") { ... on Employee { x: name } ... on Contractor { x: email } } }"#,
                """
                Fields "x" conflict because they return conflicting types "String!" and "String". Use different \
                aliases on the fields to fetch both if this was intentional. (1:41, 1:71)
                """),
            RuleCase(
                """
                {
                  search(text: "a") {
                    ... on Employee { x: email } ... on Contractor { x: agency { name } }
                  }
                }
                """,
                """
                Fields "x" conflict because they return conflicting types "String" and "Agency". Use different \
                aliases on the fields to fetch both if this was intentional. (3:23, 3:54)
                """),
            RuleCase(
                """
                {
                  search(text: "a") {
                    ... on Employee { x: department { y: budget } }
                    ... on Contractor { x: agency { y: room } }
                  }
                }
                """,
                """
                Fields "x" conflict because subfields "y" conflict because they return conflicting types \
                "Float" and "String!". Use different aliases on the fields to fetch both if this was \
                intentional. (3:23, 3:39, 4:25, 4:37)
                """),
        ])
    func shapes(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test(
        "A streamed field and another field with the same response name are an error",
        arguments: [
            RuleCase(
                "{ employees @stream { id } employees { name } }",
                """
                Fields "employees" conflict because they have overlapping stream directives. Use different aliases on \
                the fields to fetch both if this was intentional. (1:3, 1:28)
                """),
            RuleCase(
                "{ employees @stream(initialCount: 1) { id } ...A } fragment A on Query { employees @stream { id } }",
                """
                Fields "employees" conflict because they have overlapping stream directives. Use different aliases on \
                the fields to fetch both if this was intentional. (1:3, 1:74)
                """),
            RuleCase(
                """
                {
                  employee(id: 1) { reports @stream { id } }
                  employee(id: 1) { reports @stream { id } }
                }
                """,
                """
                Fields "employee" conflict because subfields "reports" conflict because they have overlapping stream \
                directives. Use different aliases on the fields to fetch both if this was intentional. (2:3, 2:21, \
                3:3, 3:21)
                """),
            RuleCase(
                """
                {
                  search(text: "a") {
                    ... on Employee { x: reports @stream { id } }
                    ... on Department { x: employees { id } }
                  }
                }
                """,
                """
                Fields "x" conflict because they have overlapping stream directives. Use different aliases on the \
                fields to fetch both if this was intentional. (3:23, 4:25)
                """),
        ])
    func streams(_ example: RuleCase) throws {
        try testing.expect(example)
    }

    @Test("A streamed field in a fragment that is spread several times does not conflict with itself")
    func streamInFragment() throws {
        try testing.expectValid(
            """
            { employee(id: 1) { ...A } employee(id: 1) { ...A ...B } }
            fragment A on Employee { reports @stream { id } }
            fragment B on Employee { ...A }
            """)
    }
}
