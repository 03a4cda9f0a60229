import DuetResourceService
import Testing

@Suite("Catalog of a service") struct CatalogueTests {
    private static func things(
        fields: [String] = ["number"], key: [String] = ["number"], relations: [Relation] = [],
        filters: [NamedFilter] = []
    ) -> Resource {
        Resource(
            "things", singular: "thing", type: "Thing", table: "things", description: "A thing.",
            fields: fields.map { Field($0, .integer(), column: $0, description: "A number.") }, key: key,
            filters: filters, relations: relations)
    }

    private static func relation(_ name: String, to target: String = "things") -> Relation {
        Relation(name, to: target, .few(typical: 1), on: [.init("number", "number")], description: "Others.")
    }

    @Test(
        "A contradictory catalog is rejected with a message that names the contradiction",
        arguments: [
            (things(key: ["nothing"]), "has no field nothing"),
            (things(fields: ["number", "number"]), "two fields are called number"),
            (things(fields: ["number", "or"]), "cannot be called or"),
            (things(fields: ["number", "a_b"]), "\"a_b\" is not a valid name"),
            (things(relations: [relation("number")]), "both a field and a relation"),
            (things(relations: [relation("gte")]), "cannot be called gte"),
            (things(relations: [relation("first")]), "cannot be called first"),
            (things(relations: [relation("others", to: "nothing")]), "leads to nothing"),
            (things(filters: [NamedFilter("nil", .compare([], .equal), description: "")]), "has no field"),
            (
                things(filters: [NamedFilter("sort", .compare(["number"], .equal), description: "")]),
                "cannot be called sort"
            ),
            (
                things(filters: [NamedFilter("big", .compare(["size"], .equal), description: "")]),
                "has no field size"
            ),
        ])
    func contradictions(_ resource: Resource, _ sentence: String) {
        let error = #expect(throws: CatalogueError.self) { try Catalogue([resource], description: "Things.") }
        #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    }

    @Test("A field can have the name of a parameter or of an operator")
    func parameters() throws {
        _ = try Catalogue([Self.things(fields: ["number", "first", "count", "eq"])], description: "Things.")
    }
}
