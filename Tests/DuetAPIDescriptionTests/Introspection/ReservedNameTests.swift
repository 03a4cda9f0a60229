import DuetAPIDescription
import DuetResourceService
import DuetSQLDatabase
import Testing

@Suite("Tables with reserved names") struct ReservedNameTests {
    @Test(
        "A table whose name is a path of the server has another name in the description",
        arguments: ["batch", "graphql", "metrics", "whoami"])
    func path(_ name: String) throws {
        let column = TableColumn(
            name: "id", declaredType: "INTEGER", type: .integer(bits: 32, isUnsigned: false), isNullable: false)
        let schema = DatabaseSchema(.sqlite, [SchemaTable(name: name, columns: [column], primaryKey: ["id"])])
        let described = try IntrospectedDescription(of: schema)
        let resource = try #require(described.api.catalogue.resources.first)
        #expect(resource.table == name && resource.name != name && resource.singular != name)
        #expect(described.yaml.contains("# Renamed from \"\(name)\": "))
        #expect(try APIDescription(reading: described.yaml, file: "api.yaml").catalogue.resources == [resource])
    }
}
