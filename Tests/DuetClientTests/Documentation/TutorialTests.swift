import Foundation
import ProcessTesting
import Testing

@Suite("The tutorial of DuetClient")
struct TutorialTests {
    private static let catalogue = "Sources/DuetClient/DuetClient.docc"

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

    private static func isSubsequence(_ text: String, of other: String) -> Bool {
        var lines = other.split(separator: "\n")[...]
        for line in text.split(separator: "\n") {
            guard let index = lines.firstIndex(of: line) else { return false }
            lines = lines[(index + 1)...]
        }
        return true
    }
}
