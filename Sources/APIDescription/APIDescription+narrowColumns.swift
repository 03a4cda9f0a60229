public import DatabaseSchema
import DuetResourceService
import DuetSQLDatabase

extension APIDescription {
    /// Returns the description with the columns of a database whose character set does not contain all characters.
    /// Requests must take these columns into account.
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
