package import DuetSQLDatabase

extension Catalogue {
    /// Returns the type of a field's numbers for sums and averages; nil if its values are not numbers.
    package func aggregateNumber(of field: Field, _ resource: Resource) -> AggregateNumber? {
        switch field.type {
        case .integer, .bigInteger: return .integer
        case .number: return .double
        case .decimal(let scale, _):
            let digits = comparisonClasses.of(field.column, in: table(of: field, resource))?.digits
            // The numbers of a column with another scale can have more or fewer digits after the decimal point.
            return .decimal(scale: scale, precision: digits?.scale == scale ? digits?.precision : nil)
        case .boolean, .text, .date, .dateTime, .time, .binary, .json, .uuid, .any, .identifier, .choice: return nil
        }
    }
}
