import DuetClient
import DuetJSON
import Testing

@Suite("GraphQL documents as source text")
struct SourceDocumentTests {
    private static func document(_ source: String, _ kind: OperationKind = .query) throws(ModelError)
        -> OperationDocument
    {
        try OperationDocument(kind, source: source, of: "Screen")
    }

    @Test("The client sends the document without comments and needless white space, and adds __typename to each object")
    func text() throws {
        let document = try Self.document(
            """
            # A comment.
            query Employee($id: ID!, $first: Int = 3, $wide: Boolean!) {
              employee(id: $id) { id, ...Names titles(first: $first, filter: {and: [], title: {eq: "a\\"b"}}) { title } }
            }
            fragment Names on Employee { firstName last: lastName @include(if: $wide) }
            """)
        #expect(
            document.text == """
                query Employee($id:ID!$first:Int=3$wide:Boolean!){employee(id:$id){__typename id ...Names \
                titles(first:$first filter:{and:[]title:{eq:"a\\"b"}}){__typename title}}}\
                fragment Names on Employee{firstName last:lastName@include(if:$wide)}
                """)
        #expect(document.name == "Employee")
        #expect(
            document.variables == [
                VariableDefinition("id", "ID!"), VariableDefinition("first", "Int", defaultValue: 3),
                VariableDefinition("wide", "Boolean!"),
            ])
    }

    @Test("Documents that differ only in white space, commas and comments have the same hash")
    func hash() throws {
        let first = try Self.document("query A { a { b } }")
        let second = try Self.document("query A{a{b,},} # end")
        #expect(first.hash == second.hash)
    }

    @Test("The map of a document contains aliases, arguments, @skip and @include conditions, and type conditions")
    func map() throws {
        let map = try Self.document(
            """
            query ($v: Boolean!) {
              a: node(id: 1, kind: NEW, deep: [1.5, null, {x: true}]) @skip(if: $v) @include(if: true) {
                ...F
                ... on B @include(if: $v) { b }
                ... { c }
              }
              gone @include(if: false)
            }
            fragment F on A { d ...G }
            fragment G on A2 { e }
            """
        ).map
        let skip = [FieldCondition(variable: "v", selects: false)]
        let include = [FieldCondition(variable: "v", selects: true)]
        let object = ObjectMap(
            fields: [FieldMap("__typename"), FieldMap("c")],
            typeCases: [
                TypeCase(
                    on: "A",
                    ObjectMap(
                        fields: [FieldMap("d")], typeCases: [TypeCase(on: "A2", ObjectMap(fields: [FieldMap("e")]))])),
                TypeCase(on: "B", ObjectMap(fields: [FieldMap("b", conditions: include)])),
            ])
        let node = FieldMap(
            "node", alias: "a",
            arguments: ["id": 1, "kind": .enumeration("NEW"), "deep": [1.5, nil, ["x": true]]],
            conditions: skip, object: object)
        #expect(map == ObjectMap(typeName: "Query", fields: [node]))
    }

    @Test("The map of a document contains the fields of a fragment on the root type, regardless of the type's name")
    func rootFragments() throws {
        let map = try Self.document("{ ...F } fragment F on RootQuery { a ... on Other { b } }").map
        #expect(map == ObjectMap(typeName: "Query", fields: [FieldMap("a"), FieldMap("b")]))
    }

    @Test("Two selections of a field are merged, unless their @skip or @include conditions differ")
    func merging() throws {
        let map = try Self.document(
            "query ($x: Boolean!) { a { b } a { c } a @include(if: $x) { d } ...F } fragment F on Query { a { b e } }"
        ).map
        let include = [FieldCondition(variable: "x", selects: true)]
        #expect(
            map.fields == [
                FieldMap(
                    "a", object: ObjectMap(fields: ["__typename", "b", "c", "e"].map { FieldMap($0) })),
                FieldMap(
                    "a", conditions: include, object: ObjectMap(fields: ["__typename", "d"].map { FieldMap($0) })),
            ])
    }

    @Test(
        "The error for an invalid document describes the cause",
        arguments: [
            (
                "{\n  a(",
                #"The document of Screen is invalid at line 2, column 5: Syntax Error: Expected Name, found <EOF>."#
            ),
            ("fragment F on A { b }", "The document of Screen has no operation. Add a query to it."),
            (
                "query A { a }\nquery B { a }",
                "The document of Screen is invalid at line 2, column 1: This is the second of 2 operations. Give each operation a separate document and a separate Swift type."
            ),
            (
                "subscription { a }",
                "The document of Screen is invalid at line 1, column 1: This is a subscription, but Screen is a query. Write a query, and request its results with live(_:). The client creates the subscription."
            ),
            (
                "mutation { a }",
                "The document of Screen is invalid at line 1, column 1: This is a mutation, but Screen is a query. Conform to DocumentMutation."
            ),
            (
                "{ a { ...F } }",
                "The document of Screen is invalid at line 1, column 7: The document has no fragment F. Add it, or correct the name."
            ),
            (
                "{ ...F }\nfragment F on Query { a { ...G } }\nfragment G on A { b { ...F } }",
                "The document of Screen is invalid at line 3, column 23: The fragment F contains itself (F → G → F). Remove one of the spreads."
            ),
            (
                "{ ...F } fragment F on Query { a } fragment F on Query { b }",
                "The document of Screen is invalid at line 1, column 45: There are two fragments F. Rename one of them."
            ),
            (
                "{ a } type B { c: Int }",
                "The document of Screen is invalid at line 1, column 7: This definition belongs to a schema. A document must contain only one operation and its fragments."
            ),
            (
                "{ a(b: $c) }",
                "The document of Screen is invalid at line 1, column 9: The operation does not declare the variable $c. Declare it in the parentheses after the operation's name."
            ),
            (
                "{ a @include }",
                "The document of Screen is invalid at line 1, column 5: The directive @include requires the argument \"if\" with a Boolean or a variable."
            ),
            (
                "{ a(b: 1) a(b: 2) }",
                "The document of Screen is invalid at line 1, column 11: Two fields have the response name a, but different names or arguments. Give one of the fields an alias."
            ),
            (
                "{ a(b: 1e999) }",
                "The document of Screen is invalid at line 1, column 8: The number 1e999 is too large. Pass it as a variable."
            ),
        ])
    func invalid(source: String, message: String) {
        let error = #expect(throws: ModelError.self) { try Self.document(source) }
        #expect(error?.code == .invalidDocument)
        #expect(error?.message == message)
    }
}
