import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import TestSupport
import Testing

@Suite("The OpenAPI document of the library") struct OpenAPIPrinterTests {
    private static func document() throws -> JSONObject {
        let catalogue = try Library.catalogue()
        let printer = OpenAPIPrinter(catalogue, dates: .iso)
        return OpenAPIPrinter.document(
            info: ["title": "Library", "version": "1"], tags: printer.tags,
            operations: catalogue.operations.map(printer.describe),
            components: [("headers", printer.headers), ("schemas", printer.schemas)])
    }

    /// Returns all references in a value.
    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let object):
            var all = Set(object.members.flatMap { references(in: $0.value) })
            if case .string(let target)? = object["$ref"] { all.insert(target) }
            return all
        case .array(let elements): return Set(elements.flatMap { references(in: $0) })
        default: return []
        }
    }

    @Test("If responses contain dates as texts, the descriptions of dates do not mention numbers")
    func textDates() throws {
        let text = JSONValue.object(try Self.document()).compactText
        #expect(text.contains(#""format":"date""#) && !text.contains("The number that represents it"))
    }

    /// Counts the members of the paths and of the parameters.
    private struct Counter: OpenAPIOutput {
        let count: (_ isPath: Bool) -> Void
        func add(_ name: String, _ value: JSONValue) { count(name.hasPrefix("/")) }
        func open(_ name: String) {}
        func close() {}
        func part(depth: Int) -> Counter { self }
        func add(_ part: consuming Counter) {}
    }

    @Test("The operations of a path are described only after the previous path has been written")
    func onePathAtATime() throws {
        let catalogue = try Library.catalogue()
        let printer = OpenAPIPrinter(catalogue, dates: .iso)
        var (described, written, behind) = (0, 0, 0)
        let paths = catalogue.operations.lazy.map { operation in
            behind = max(behind, described - written)
            described += 1
            return [printer.describe(operation)]
        }
        var counter = Counter { if $0 { written += 1 } }
        try OpenAPIPrinter.write(info: [:], tags: [], paths: paths, components: [], to: &counter)
        #expect(behind == 0 && written == described && written == catalogue.operations.count)
    }

    @Test("Every operation of the catalog is in the OpenAPI document, with a unique name")
    func operations() throws {
        let document = JSONValue.object(try Self.document())
        var names: Set<String> = []
        for operation in try Library.catalogue().operations {
            let described = document["paths"]?[operation.path]?[operation.method.lowercased()]
            guard case .string(let name)? = described?["operationId"] else {
                Issue.record("\(operation.method) \(operation.path) is missing")
                continue
            }
            #expect(names.insert(name).inserted, "\(name)")
        }
        #expect(names.isSuperset(of: ["listAuthors", "getCopy", "listAuthorEditedBooks", "listSubjectBooks"]))
    }

    @Test("Every reference refers to a component, and every component is referenced")
    func references() throws {
        let document = JSONValue.object(try Self.document())
        let references = Self.references(in: document)
        var components: Set<String> = []
        for section in ["parameters", "headers", "schemas", "responses"] {
            guard case .object(let object)? = document["components"]?[section] else { continue }
            components.formUnion(object.members.map { "#/components/\(section)/\($0.key)" })
        }
        #expect(references.subtracting(components).sorted() == [])
        // A catalog without writes does not use the Location header field.
        let unused = components.subtracting(references).filter { !$0.hasSuffix("Location") }
        #expect(unused.sorted() == [])
    }

    @Test("Each field of a composite key is described as a path parameter")
    func pathParameters() throws {
        let document = JSONValue.object(try Self.document())
        #expect(
            document["paths"]?["/copies/{isbn},{copyNumber}"]?["parameters"] == [
                ["$ref": "#/components/parameters/Copy.isbn.path"],
                ["$ref": "#/components/parameters/Copy.copyNumber.path"],
            ])
    }

    @Test("The REST API accepts every query parameter that the OpenAPI document describes")
    func operators() async throws {
        try await Library.withService(.sqlite) { try operators(RESTStyle($0), $0.catalogue) }
    }

    private func operators(_ style: RESTStyle, _ catalogue: Catalogue) throws {
        let document = JSONValue.object(try Self.document())
        let authors = try #require(catalogue["authors"])
        let list = try #require(catalogue.operations.first { $0.path == "/authors" })
        guard case .array(let parameters)? = document["paths"]?["/authors"]?["get"]?["parameters"] else {
            Issue.record("no parameters")
            return
        }
        for parameter in parameters {
            guard case .string(let reference)? = parameter["$ref"],
                let name = reference.split(separator: "/").last.map(String.init),
                let value = document["components"]?["parameters"]?[name],
                case .string(let full)? = value["name"], value["in"] == "query", full != "details"
            else { continue }
            // The server reads the parameters of a read that waits before the style.
            guard !Catalogue.waitParameters.contains(full) else { continue }
            let schema = value["schema"]?["items"] ?? value["schema"]
            let texts: [JSONValue: String] = ["boolean": "true", "integer": "1"]
            let text =
                schema?["format"] == "date" ? "2000-01-01" : schema?["type"].flatMap { texts[$0] } ?? "name"
            var query = [(name: full, value: text)]
            switch full.split(separator: ".").last {
            case "fields": query[0].value = "name"
            case "filter": query[0].value = "{}"
            case "sort": query[0].value = "title"
            case "aggregate": query[0].value = "count"
            case "having": query = [("group", "name"), ("aggregate", "count"), (full, #"{"count":{"gt":1}}"#)]
            case "timeZone": query = [("group", "born.year"), (full, "Europe/Paris")]
            case "null": query[0].value = "true"
            default: break
            }
            if full == "sort" || full.hasPrefix("students.sort") { query[0].value = "-name" }
            if full.hasPrefix("books.fields") || full.hasPrefix("editedBooks.fields") { query[0].value = "title" }
            if let relation = full.split(separator: ".").first.map(String.init), authors.relation(relation) != nil {
                query.insert((name: "details", value: relation), at: 0)
            }
            #expect(throws: Never.self, "\(full)") { try style.question(list, style.path(list) { $0 }, query) }
        }
    }
}
