import Foundation
import ProcessTesting
import Testing

@Suite("The documentation of DuetClient")
struct ArticleTests {
    private static let catalogue = "Sources/DuetClient/DuetClient.docc"
    private static let articles = [
        "GettingStarted", "Models", "GeneratedTypes", "CachingAndPolicies", "Watching", "PersistedQueries", "REST",
        "TestingYourApp", "WrittenDocuments", "ValidatingDocuments",
    ]

    @Test("Each Swift code block of an article is part of the code that the tests compile", arguments: articles)
    func blocks(article: String) throws {
        let files = [
            "DuetClientTests/Documentation/ArticleCode", "DuetClientTests/Generated/EpochDate",
            "DuetClientValidationTests/ArticleCode",
        ]
        let code = Self.dense(try files.map { try Checkout.text("Tests/\($0).swift") }.joined())
        let text = try Checkout.text("\(Self.catalogue)/Articles/\(article).md")
        let blocks = text.matches(of: /(?s)```swift\n(.*?)```/).map(\.1)
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(code.contains(Self.dense(block)), "\(block)") }
    }

    @Test(
        "Each step of a tutorial only adds lines to the previous step. The last step equals the file in Examples",
        arguments: [("Employees", 2), ("OfflineList", 4)])
    func tutorial(file: String, steps: Int) throws {
        let example = try Checkout.text("Examples/offline-list/\(file).swift")
        var later = example
        for step in (1...steps).reversed() {
            let text = try Checkout.text("\(Self.catalogue)/Resources/\(file)-\(step).swift")
            if step == steps { #expect(text == example) }
            #expect(Self.isSubsequence(text, of: later), "\(file)-\(step).swift")
            later = text
        }
    }

    private static func dense(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }

    private static func isSubsequence(_ text: String, of other: String) -> Bool {
        var lines = other.split(separator: "\n")[...]
        for line in text.split(separator: "\n") {
            guard let index = lines.firstIndex(of: line) else { return false }
            lines = lines[(index + 1)...]
        }
        return true
    }
}
