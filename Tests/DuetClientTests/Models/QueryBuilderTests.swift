import DuetClient
import DuetJSON
import Testing

@Suite("Documents from models")
struct QueryBuilderTests {
    @Test("A document contains the fields, arguments, aliases and variables that the model reads")
    func document() throws {
        let text = try EmployeeQuery.document().text
        #expect(
            text == """
                query EmployeeQuery($id:ID!){employee(id:$id){id firstName lastName titles{title toDate} \
                currentTitles:titles(current:true){title toDate}}}
                """)
    }

    @Test("A document selects __typename only in objects whose model does not declare a type name")
    func typeName() throws {
        #expect(
            try EmployeesQuery.document().text == """
                query EmployeesQuery($first:Int!,$after:String){employees(first:$first,after:$after)\
                {__typename nodes{id firstName lastName} pageInfo{__typename hasNextPage endCursor}}}
                """)
    }

    @Test("The name of a generic operation contains only characters that GraphQL permits in names")
    func genericName() throws {
        struct Generic<Data: DataDecodable>: GraphQLQuery {}
        #expect(try Generic<TitleRow>.document().text == "query GenericTitleRow{title toDate}")
    }

    @Test("The document of a query type is created once")
    func once() throws {
        #expect(try EmployeeQuery.document() === EmployeeQuery.document())
    }

    @Test("The hash of a document is the SHA-256 of the text in hexadecimal digits")
    func hash() throws {
        let document = OperationDocument(.query, name: nil, text: "{a}", map: ObjectMap(), variables: [])
        #expect(document.hash == "460c3a93211614ac783c0f1d1bbbcb45a6da87d6421b5c0771772588f1015ff8")
    }

    private struct Pair: DataDecodable {
        let left: EmployeeRow?
        let right: EmployeeRow?

        init(from decoder: DynamicDecoder) throws(ModelError) {
            left = try decoder.value("employee", alias: "left", arguments: ["id": "1"])
            right = try decoder.value("employee", alias: "right", arguments: ["id": "2"])
        }
    }

    @Test("Equal selections of a named type are printed once, as a fragment")
    func fragments() throws {
        let map = try MappingDecoder.map(Pair.self)
        #expect(
            try QueryBuilder.document(.query, name: "Pair", map: map).text == """
                query Pair{left:employee(id:"1"){...EmployeeRow} right:employee(id:"2"){...EmployeeRow}} \
                fragment EmployeeRow on Employee{id firstName lastName}
                """)
    }

    @Test("Each kind of argument is printed as a GraphQL value")
    func arguments() throws {
        let arguments: Arguments = [
            "a": nil, "b": true, "c": 1, "d": 1.5, "e": "x \"y\"\n", "f": .enumeration("F"), "g": [1, 2],
            "h": ["i": .variable("j", "Int")],
        ]
        let map = ObjectMap(fields: [FieldMap("field", arguments: arguments)])
        #expect(
            try QueryBuilder.document(.query, name: nil, map: map).text
                == #"query($j:Int){field(a:null,b:true,c:1,d:1.5,e:"x \"y\"\u000a",f:F,g:[1,2],h:{i:$j})}"#)
    }

    @Test("A variable with two types is an error that names both types")
    func variableConflict() {
        let map = ObjectMap(fields: [
            FieldMap("a", arguments: ["x": .variable("v", "Int")]),
            FieldMap("b", arguments: ["x": .variable("v", "ID!")]),
        ])
        let error = #expect(throws: ModelError.self) { try QueryBuilder.document(.query, name: nil, map: map) }
        #expect(error?.code == .variableConflict)
        #expect(error?.message.contains("Int and as ID!") == true)
    }
}
