public import DuetDatabaseSchema
import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// Returns the description with the narrow columns of a MariaDB database. A narrow column has a character set that
    /// does not support all Unicode characters. If necessary, statements convert a value before they compare it with a
    /// narrow column. For SQLite, the description is unchanged.
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
