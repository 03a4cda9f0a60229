import DuetClient
import Foundation
import Testing

@Suite("Arguments of a web service")
struct ArgumentsTests {
    enum Gender: String, WebServiceArgument {
        case female = "F"
    }

    @Test("Each kind of argument value is encoded as text")
    func values() {
        let arguments: WebServiceArguments = [
            "a": "text", "b": 10_004, "c": 1.5, "d": true, "e": Date(timeIntervalSince1970: 817_794_000),
            "f": Gender.female,
        ]
        #expect(arguments.encoded == "a=text&b=10004&c=1.5&d=true&e=817794000000&f=F")
    }

    @Test("An array becomes a repeated parameter, and nil adds no parameter")
    func arrays() {
        let cursor: String? = nil
        let none: [String] = []
        let arguments: WebServiceArguments = [
            "details": ["titles", "salaries"], "after": cursor, "fields": none, "ids": [1, 2, nil],
        ]
        #expect(arguments.encoded == "details=titles&details=salaries&ids=1&ids=2")
    }

    @Test("Arguments are sorted by name, and the values of one name retain their order")
    func order() {
        let arguments: WebServiceArguments = ["b": 2, "a": ["z", "y"], "C": 3, "a": "x"]
        #expect(arguments.encoded == "C=3&a=z&a=y&a=x&b=2")
        let other: WebServiceArguments = ["a": ["z", "y", "x"], "b": 2, "C": 3]
        #expect(arguments == other)
    }

    @Test("All characters except unreserved characters are percent-encoded")
    func encoding() {
        let arguments: WebServiceArguments = ["näme*": "a b+c&d=e/?#[]@~-._%", "x": "日"]
        #expect(arguments.encoded == "n%C3%A4me%2A=a%20b%2Bc%26d%3De%2F%3F%23%5B%5D%40~-._%25&x=%E6%97%A5")
    }

    @Test("A value can be read, replaced and removed by name")
    func change() throws {
        var arguments: WebServiceArguments = ["a": 1, "b": 2]
        arguments["a"] = [3, 4]
        arguments["b"] = nil
        #expect(arguments.encoded == "a=3&a=4")
        #expect(arguments["a"]?.argumentTexts == ["3", "4"])
        #expect(arguments["b"] == nil)
    }

    @Test(
        "A date outside the range of Int64 milliseconds becomes the nearest date in the range",
        arguments: [1.0, -1.0])
    func distantDates(sign: Double) {
        let arguments: WebServiceArguments = ["at": Date(timeIntervalSince1970: sign * 1e300)]
        #expect(arguments.encoded == "at=\(sign > 0 ? Int64.max : Int64.min)")
    }
}
