import SQLDatabase
import Testing

@testable import EmployeeService

@Suite("List queries") struct ListQueryTests {
    @Test("The catalogue says whether a column of an order is a date; its name does not")
    func kinds() throws {
        let resource = Resource(
            name: "things", from: "things AS t", fields: [], defaultFields: [], relations: [],
            sortColumns: [
                SortColumn(column: "t.blind_date", label: "blindDate", kind: .text),
                SortColumn(column: "t.born", label: "birthday", kind: .date),
                SortColumn(column: "t.size", label: "size", kind: .integer),
            ],
            key: [SortColumn(column: "t.id", label: "id", kind: .integer)])
        for (field, kind) in [("blindDate", SortColumn.Kind.text), ("birthday", .date), ("size", .integer)] {
            for descending in [false, true] {
                let query = ListQuery(
                    resource, filter: EmployeeFilter(), sort: SortOrder(field: field, descending: descending), .sqlite)
                #expect(query.order.map(\.kind) == [kind, .integer], "\(field)")
                #expect(query.order.map(\.descending) == [descending, descending], "\(field)")
            }
        }
    }

    @Test("Every column that a list can be sorted by is one of its fields, by name and by place")
    func columns() {
        for resource in Resource.all {
            for column in resource.sortColumns + resource.key {
                #expect(resource.field(column.label)?.column == column.column, "\(resource.name): \(column.label)")
            }
        }
        #expect(Resource.integerKeys == ["employeeNumber"])
    }
}
