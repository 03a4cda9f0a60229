import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Testing

@Suite("Aggregates of introspected tables") struct IntrospectedAggregateTests {
    private static let types: [(name: String, declared: String, type: ColumnType)] = [
        ("id", "INTEGER", .integer(bits: 32, isUnsigned: false)), ("note", "TEXT", .text(maximumLength: nil)),
        ("photo", "BLOB", .binary(maximumLength: nil)),
    ]

    @Test("Introspection excludes nothing from aggregates: their functions follow from the types of the fields")
    func none() throws {
        let columns = Self.types.map { TableColumn(name: $0.name, declaredType: $0.declared, type: $0.type) }
        let table = SchemaTable(name: "things", columns: columns, primaryKey: ["id"])
        let described = try IntrospectedDescription(of: DatabaseSchema(.sqlite, [table]))
        #expect(!described.yaml.contains("aggregates"))
        let read = try #require(try APIDescription(reading: described.yaml, file: "api.yaml").catalogue["things"])
        #expect(read.isAggregated && read.fields.allSatisfy(\.isAggregated))
    }

    @Test("A table whose type would have the name of a common type of aggregates is renamed")
    func commonTypes() throws {
        let tables = ["date_aggregate_keys", "number_aggregate_functions", "order_aggregates", "orders"].map {
            SchemaTable(
                name: $0, columns: [TableColumn(name: "id", declaredType: "DATE", type: .date)], primaryKey: ["id"])
        }
        let described = try IntrospectedDescription(of: DatabaseSchema(.sqlite, tables))
        let catalogue = try APIDescription(reading: described.yaml, file: "api.yaml").catalogue
        #expect(throws: Never.self) { try GraphQLStyle.sdl(of: catalogue) }
        let types = Set(catalogue.resources.map(\.type))
        #expect(types.isDisjoint(with: ["DateAggregateKey", "NumberAggregateFunction"]), "\(types)")
    }

    @Test("A description that excludes a resource or a field is written as it was read")
    func exclusions() throws {
        let text = """
            duet: 1
            resources:
              things:
                singular: thing
                type: Thing
                key: [id]
                aggregates: false
                fields:
                  id: {type: int}
              items:
                singular: item
                type: Item
                key: [id]
                fields:
                  id: {type: int}
                  note: {type: text, aggregates: false}
            """
        let api = try APIDescription(reading: text, file: "api.yaml")
        #expect(api.catalogue["things"]?.isAggregated == false && api.catalogue["items"]?.isAggregated == true)
        #expect(api.catalogue["items"]?.field("note")?.isAggregated == false)
        let written = api.yaml
        #expect(written.matches(of: /aggregates: false/).count == 2 && !written.contains("aggregates: true"))
        #expect(try APIDescription(reading: written, file: "api.yaml").catalogue.resources == api.catalogue.resources)
    }
}
