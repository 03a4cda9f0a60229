import DuetClient
import Foundation
import HTTPTypes
import Testing

@Suite("Values of writes")
struct WriteValueTests {
    @Test(
        "A merge patch has the members that differ",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"{"b":3}"#),
            (#"{"a":1,"b":null}"#, #"{"b":null}"#, #"{"a":null}"#),
            (#"{"a":{"b":1,"c":2},"d":[1]}"#, #"{"a":{"b":1,"c":3},"d":[2]}"#, #"{"a":{"c":3},"d":[2]}"#),
            (#"{"a":{"b":1}}"#, #"{"a":5,"e":{}}"#, #"{"a":5,"e":{}}"#),
            (#"{}"#, #"{}"#, #"{}"#),
        ])
    func patch(old: String, new: String, expected: String) throws {
        func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }
        let patch = MergePatch(from: try json(old), to: try json(new)).json
        let wanted = try json(expected)
        #expect(patch == wanted)
    }

    @Test("A key is a quoted string in its header field")
    func key() throws {
        #expect(IdempotencyKey().field.value.wholeMatch(of: /"[0-9a-f-]{36}"/) != nil)
        #expect(IdempotencyKey() != IdempotencyKey())
        #expect(IdempotencyKey("a\"b\\")?.field.value == #""a\"b\\""#)
        for text in ["", "a b", "ä", "\u{7F}", String(repeating: "a", count: 256)] {
            #expect(IdempotencyKey(text) == nil)
        }
        let key = try JSONDecoder().decode([IdempotencyKey].self, from: Data(#"["k"]"#.utf8))
        #expect(key.map(\.description) == ["k"])
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode([IdempotencyKey].self, from: Data(#"[""]"#.utf8))
        }
    }

    @Test("The names of the mutations follow from the type, and a document has all arguments")
    func names() throws {
        struct Line: WritableModel {
            static let typeName: String? = "OrderDetail"
            static var mutations: MutationNames {
                var names = MutationNames(type: "OrderDetail")
                names.key = [VariableDefinition("orderId", "ID!"), VariableDefinition("productId", "ID!")]
                names.row = "line"
                return names
            }
            let quantity: Int
            init(from decoder: DynamicDecoder) throws(ModelError) { quantity = try decoder.value("quantity") }
        }
        let text = try UpdateMutation<Line>.document().text
        #expect(
            text
                == "mutation UpdateMutationLine($orderId:ID!,$productId:ID!,$patch:UpdateOrderDetailInput!,$ifMatch:String)"
                + "{updateOrderDetail(orderId:$orderId,productId:$productId,patch:$patch,ifMatch:$ifMatch)"
                + "{__typename line{quantity} errors{__typename message field ... on ConflictError{key}}}}")
        let mutation = UpdateMutation<Line>(
            key: ["orderId": 7, "productId": "a"], patch: ["quantity": nil] as JSONObject)
        #expect(mutation.variables == ["orderId": 7, "productId": "a", "patch": ["quantity": nil]])
        #expect(MutationNames(type: "Order").row == "order")
    }
}
