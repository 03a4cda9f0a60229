import DuetJSON
import Testing

@Suite("Decoding Swift types from a JSON value")
struct DecodingTests {
    struct Book: Decodable, Equatable {
        struct Author: Decodable, Equatable { let name: String }
        enum Genre: String, Decodable { case novel, essay }
        let id: Int
        let price: Double
        let isSold: Bool
        let genre: Genre?
        let author: Author?
        let ratings: [UInt8]
    }

    private static func decode<Decoded: Decodable>(_ type: Decoded.Type, _ text: String) throws -> Decoded {
        try JSONValue(parsing: text.utf8).decode(type)
    }

    @Test("Objects, arrays, scalars and null are decoded")
    func decoded() throws {
        let book = try Self.decode(
            Book.self,
            #"{"id":1,"price":2,"isSold":false,"genre":"novel","author":{"name":"A"},"ratings":[1,5],"other":[]}"#)
        #expect(
            book
                == Book(
                    id: 1, price: 2, isSold: false, genre: .novel, author: Book.Author(name: "A"), ratings: [1, 5]))
        let least = try Self.decode(Book.self, #"{"id":1,"price":2.5,"isSold":true,"author":null,"ratings":[]}"#)
        #expect(least.author == nil && least.genre == nil)
        #expect(try Self.decode([String: [Int?]].self, #"{"a":[1,null]}"#) == ["a": [1, nil]])
    }

    @Test(
        "A value of a wrong type is an error with the path of the value",
        arguments: [
            (#"{"id":"1"}"#, "id", "Expected a number, found a string."),
            (#"{"id":1.5}"#, "id", "The value is not a valid Int."),
            (#"{"id":1,"price":null}"#, "price", "Expected a number, found null."),
            (#"{"price":1}"#, "", #"The object has no member "id"."#),
            (#"{"id":1,"price":1,"isSold":true,"ratings":[300]}"#, "ratings.0", "The value is not a valid UInt8."),
        ])
    func errors(text: String, path: String, message: String) throws {
        let error = #expect(throws: DecodingError.self) { try Self.decode(Book.self, text) }
        let context: DecodingError.Context? =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            default: nil
            }
        #expect(context?.codingPath.map(\.stringValue).joined(separator: ".") == path)
        #expect(context?.debugDescription == message)
    }

    @Test("An object with 50,000 members is decoded")
    func manyMembers() throws {
        let count = 50_000
        let text = "{" + (0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        let decoded = try Self.decode([String: Int].self, text)
        #expect(decoded.count == count)
        #expect(decoded["key49999"] == 49_999)
    }
}
