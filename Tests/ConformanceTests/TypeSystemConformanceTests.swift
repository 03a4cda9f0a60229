import Foundation
import GraphQL
import Testing

@Suite("Type-system documents and schemas, by outside cases")
struct TypeSystemConformanceTests {
    /// Where this library rightly answers otherwise: what the September 2025 edition says, or what no document can say.
    static let differences = [
        "33af74bcd827": "directives on directive definitions are not in the September 2025 edition",
        "06b22df5bf09": "extensions of directives are not in the September 2025 edition",
        "741dbce68974": "the schema's text lacks a type it refers to, which is an error of its own",
        "7b88633d7eac": "the schema's text refers to a type that does not exist, which is an error of its own",
        "33b5c6c99b68": "the schema's text refers to a type that does not exist, which is an error of its own",
    ]

    static let rules = Dictionary(uniqueKeysWithValues: SDLValidation.rules.map { ($0.name, $0) })

    private func messages(_ errors: [GraphQLError]) -> [String] {
        errors.map { ConformanceData.normalized($0.message) }
    }

    private func messages(_ errors: [ConformanceData.Case.Failure]?) -> [String] {
        (errors ?? []).map { ConformanceData.normalized($0.message) }
    }

    @Test(
        "A rule finds in a type-system document what it should",
        arguments: ConformanceData.documents(of: "validate_sdl").filter { differences[$0.id] == nil })
    func documents(_ expected: ConformanceData.Case) throws {
        // A location that is not in the edition; any other that the case does not use serves as well.
        let sdl = expected.schema?.replacing("on DIRECTIVE_DEFINITION", with: "on VARIABLE_DEFINITION")
        let schema = try sdl.map { try Schema(unchecked: Parser.parse($0)) }
        let rule = try #require(Self.rules[expected.rule ?? ""])
        let document = try Parser.parse(expected.source ?? "")
        let errors = SDLValidation.validate(document, extending: schema, rules: [rule])
        // The suite's own words for a location, where the reference implementation says its name.
        #expect(words(messages(errors)) == messages(expected.errors))
        let locations = errors.map {
            $0.locations.map { ConformanceData.Case.Location(line: $0.line, column: $0.column) }
        }
        #expect(locations == (expected.errors ?? []).map { $0.locations ?? [] })
    }

    @Test(
        "A rule that is for both kinds of documents finds in an executable one what it should",
        arguments: ConformanceData.documents(of: "validate").filter { rules[$0.rule ?? ""] != nil })
    func executable(_ expected: ConformanceData.Case) throws {
        let schema = try Schema(unchecked: Parser.parse(expected.schema ?? ""))
        let rule = try #require(Self.rules[expected.rule ?? ""])
        let context = ValidationContext(document: try Parser.parse(expected.source ?? ""), schema: schema)
        let errors = DocumentWalker.run([rule], in: context)
        #expect(words(messages(errors)) == messages(expected.errors))
        let locations = errors.map {
            $0.locations.map { ConformanceData.Case.Location(line: $0.line, column: $0.column) }
        }
        #expect(locations == (expected.errors ?? []).map { $0.locations ?? [] })
    }

    private func words(_ messages: [String]) -> [String] {
        messages.map { message in
            guard let range = message.range(of: " may not be used on ") else { return message }
            return message[..<range.upperBound]
                + message[range.upperBound...].lowercased().replacing("_", with: " ")
        }
    }

    @Test(
        "A schema is found valid, or invalid for the reasons it should",
        arguments: ConformanceData.documents(of: "validate_schema"))
    func schemas(_ expected: ConformanceData.Case) throws {
        let document = try Parser.parse(expected.schema ?? "")
        let errors: [GraphQLError]
        do throws(GraphQLErrors) {
            errors = try Schema(unchecked: document).validate()
        } catch {
            errors = error.errors
        }
        if Self.differences[expected.id] != nil {
            #expect(messages(errors).allSatisfy { $0.hasPrefix("Unknown type ") } && !errors.isEmpty)
            return
        }
        #expect(messages(errors) == messages(expected.errors))
        // The schemas were printed anew for this suite, so lines and columns are of another text.
        for (error, expectedError) in zip(errors, expected.errors ?? []) {
            // One more place in the suite, where a type's extension was printed into its definition.
            if let locations = expectedError.locations, expected.id != "76fb837a8123" {
                #expect(error.locations.count == locations.count)
            }
        }
    }
}
