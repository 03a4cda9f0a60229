import Foundation
import GraphQL
import Testing

@Suite("Validation of executable documents, by outside cases")
struct ValidationConformanceTests {
    /// Where this library rightly answers otherwise.
    static let differences = [
        "4e7ca5630aa5": "the September 2025 edition forbids @skip and @include on a subscription's top fields",
        "16f148891861": "that implementation's own bound on comparisons, set low for the test",
        "31f1a42618a3":
            "that implementation's own bound on comparisons; this one needs fewer, and the document is valid",
        "2a53a63a415f": "that implementation's own bound on comparisons; this one needs fewer",
        "577572ddd13c": "that implementation's own bound; here the errors about @skip reach their number first",
        "55c0710351cd": "that implementation's call stack; this one follows fragments without recursion",
        "041c2c4a0c2b": "that implementation's call stack; this one follows fragments without recursion",
        "60a2cfb828ad": "a rule of the suite's own that overflows that implementation's call stack",
        "02d1286299a2":
            "that implementation shortens names of 2,000 characters in messages; this one shortens longer messages",
        "226354c3dc98": "that implementation leaves out some locations of a conflict with very many",
    ]

    /// Cases for which the suite switches suggestions off.
    static let withoutSuggestions: Set = ["72fddccc6087"]

    static let rules: [String: ValidationRule] = {
        let rules =
            Validation.specifiedRules + Validation.recommendedRules
            + [.noDeprecatedCustom, .noSchemaIntrospectionCustom]
        var named: [String: ValidationRule] = [:]
        for rule in rules { named[rule.name] = rule }
        // The suite's name for a rule that is given its fragments in another way.
        named["RuleLookingUpFragments"] = .maxIntrospectionDepth
        return named
    }()

    @Test(
        "A rule finds in a document what it should",
        arguments: ConformanceData.documents(of: "validate").filter { differences[$0.id] == nil })
    func documents(_ expected: ConformanceData.Case) throws {
        let schema = try Schema(
            unchecked: Parser.parse(Source(expected.schema ?? ""), limits: .schema), scalars: scalars)
        let rule = try #require(Self.rules[expected.rule ?? ""])
        let document = try Parser.parse(expected.source ?? "")
        let options = ValidationOptions(suggestsNames: !Self.withoutSuggestions.contains(expected.id))
        let errors = Validation.validate(document, against: schema, rules: [rule], options: options)
        let found = errors.map { error in
            words(ConformanceData.normalized(error.message))
                + " " + error.locations.map { "\($0.line):\($0.column)" }.joined(separator: " ")
        }
        let wanted = (expected.errors ?? []).map { failure in
            ConformanceData.normalized(failure.message)
                + " " + (failure.locations ?? []).map { "\($0.line):\($0.column)" }.joined(separator: " ")
        }
        #expect(found == wanted)
    }

    /// Scalars that the suite's schemas mean, by the names they have there.
    private let scalars = [
        "Invalid": ScalarCoercion(parseLiteral: { literal, _ in
            throw InvalidScalar(description: "Invalid scalar is always invalid: \(Printer.print(literal))")
        })
    ]

    private struct InvalidScalar: Error, CustomStringConvertible {
        let description: String
    }

    /// The suite's own words for a location, where the reference implementation says its name.
    private func words(_ message: String) -> String {
        guard let range = message.range(of: " may not be used on ") else { return message }
        return message[..<range.upperBound] + message[range.upperBound...].lowercased().replacing("_", with: " ")
    }
}
