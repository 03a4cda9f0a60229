import DuetGraphQL
import Foundation
import Testing

@Suite("Documents of the external conformance suites")
struct DocumentConformanceTests {
    @Test(
        "Every case has the expected result, except the cases in KnownDifferences",
        .enabled(
            if: ConformanceData.has("documents.jsonl"), "needs documents.jsonl; see docs/graphql-conformance.md"))
    func all() throws {
        let cases = try ConformanceData.documents()
        #expect(!cases.isEmpty)
        var passed = 0
        var unlisted: [String] = []
        var listed: Set<String> = []
        for expected in cases {
            guard let failure = Self.failure(of: expected) else {
                passed += 1
                continue
            }
            if KnownDifferences.reasons[expected.id] == nil {
                unlisted.append("\(expected.id) (\(expected.rule ?? expected.kind)): \(failure)")
            } else {
                listed.insert(expected.id)
            }
        }
        print("documents: \(passed)/\(cases.count)")
        #expect(unlisted == [])
        // A case that has the expected result must not be listed as a difference. The data may lack some of the listed
        // cases.
        let present = Set(cases.map(\.id))
        #expect(Set(KnownDifferences.reasons.keys).intersection(present) == listed)
    }

    private static func failure(of expected: ConformanceData.Case) -> String? {
        do {
            switch expected.kind {
            case "parse": return try parsing(expected)
            case "validate": return try validation(expected)
            case "validate_sdl": return try sdlValidation(expected)
            case "validate_schema": return try schemaValidation(expected)
            default: return "there is no kind \(expected.kind)"
            }
        } catch {
            return "\(error)"
        }
    }

    // MARK: Kinds

    private static func parsing(_ expected: ConformanceData.Case) throws -> String? {
        let document: Document
        do throws(GraphQLError) {
            document = try Parser.parse(expected.source ?? "")
        } catch {
            guard let failure = expected.error else { return "it failed: \(error)" }
            return difference([error], [failure])
        }
        guard expected.error == nil else { return "it parsed" }
        let printed = Printer.print(document)
        guard printed == expected.printed else { return "printed as \(printed)" }
        guard Printer.print(try Parser.parse(printed)) == printed else { return "printed otherwise a second time" }
        let stripped = try Source(printed).strippingIgnoredCharacters()
        return Printer.print(try Parser.parse(stripped)) == printed ? nil : "stripped to \(stripped)"
    }

    private static let rules: [String: ValidationRule] = {
        let all =
            Validation.specifiedRules + Validation.recommendedRules
            + [.noDeprecatedCustom, .noSchemaIntrospectionCustom]
        var rules = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        // The suite uses this name for a variant of the rule that looks up fragments in a different way.
        rules["RuleLookingUpFragments"] = .maxIntrospectionDepth
        return rules
    }()

    /// The identifiers of the cases for which the suite disables suggestions.
    private static let withoutSuggestions: Set = ["72fddccc6087"]

    private static func validation(_ expected: ConformanceData.Case) throws -> String? {
        struct InvalidScalar: Error, CustomStringConvertible {
            let description: String
        }
        // The schemas of the suite have a custom scalar `Invalid`, which rejects all literals.
        let invalid = ScalarCoercion(parseLiteral: { literal, _ in
            throw InvalidScalar(description: "Invalid scalar is always invalid: \(Printer.print(literal))")
        })
        guard let rule = rules[expected.rule ?? ""] else { return "there is no such rule" }
        let schema = try Schema(
            unchecked: Parser.parse(Source(expected.schema ?? ""), limits: .schema), scalars: ["Invalid": invalid])
        let errors = Validation.validate(
            try Parser.parse(expected.source ?? ""), against: schema, rules: [rule],
            options: ValidationOptions(suggestsNames: !withoutSuggestions.contains(expected.id)))
        return difference(errors, expected.errors ?? [])
    }

    private static func sdlValidation(_ expected: ConformanceData.Case) throws -> String? {
        // The September 2025 edition does not define the location DIRECTIVE_DEFINITION. Any location that the case does
        // not use can replace it.
        let sdl = expected.schema?.replacing("on DIRECTIVE_DEFINITION", with: "on VARIABLE_DEFINITION")
        let schema = try sdl.map { try Schema(unchecked: Parser.parse($0)) }
        guard let rule = SDLValidation.rules.first(where: { $0.name == expected.rule }) else {
            return "there is no such rule"
        }
        let errors = SDLValidation.validate(try Parser.parse(expected.source ?? ""), extending: schema, rules: [rule])
        return difference(errors, expected.errors ?? [])
    }

    private static func schemaValidation(_ expected: ConformanceData.Case) throws -> String? {
        let document = try Parser.parse(expected.schema ?? "")
        let errors: [GraphQLError]
        do throws(GraphQLErrors) {
            errors = try Schema(unchecked: document).validate()
        } catch {
            errors = error.errors
        }
        // The suite contains the schemas in printed form, so the lines and columns of the errors differ.
        return difference(errors, expected.errors ?? [], comparesPlaces: false)
    }

    // MARK: Errors

    private static func difference(
        _ errors: [GraphQLError], _ expected: [ConformanceData.Case.Failure], comparesPlaces: Bool = true
    ) -> String? {
        let found = errors.enumerated().map { index, error in
            // A case has no locations if a program created its schema, or if the case tests only the message.
            let hasPlaces = index >= expected.count || expected[index].locations != nil
            return text(
                error.message, hasPlaces ? error.locations.map { "\($0.line):\($0.column)" } : [], comparesPlaces)
        }
        let wanted = expected.map { failure in
            text(failure.message, failure.locations?.map { "\($0.line):\($0.column)" } ?? [], comparesPlaces)
        }
        return found == wanted ? nil : "\(found) instead of \(wanted)"
    }

    private static func text(_ message: String, _ places: [String], _ comparesPlaces: Bool) -> String {
        var message = ConformanceData.normalized(message)
        // The suite writes a directive location in words ("field definition"). This library and the reference
        // implementation write its name (FIELD_DEFINITION).
        if let range = message.range(of: " may not be used on ") {
            message = message[..<range.upperBound] + message[range.upperBound...].lowercased().replacing("_", with: " ")
        }
        return "\(message) \(comparesPlaces ? places.joined(separator: " ") : "\(places.count)")"
    }
}
