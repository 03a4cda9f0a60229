public import DatabaseSchema
import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// Returns the description with the narrow columns of a database: the columns of MariaDB whose character set lacks
    /// some characters. Statements that compare such a column with a value must take this into account.
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
