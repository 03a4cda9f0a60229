public import DatabaseSchema
import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// The description with the columns of a database that cannot have all characters, which requests need to know of.
    public func fitted(to schema: DatabaseSchema) -> APIDescription {
        guard schema.dialect == .mariaDB else { return self }
        var columns = NarrowColumns()
        for table in schema.tables {
            for column in table.columns {
                guard let collation = column.collation else { continue }
                columns.add(column.name, of: table.name, collation: collation)
            }
        }
        var description = self
        description.catalogue.narrowColumns = columns
        return description
    }
}
