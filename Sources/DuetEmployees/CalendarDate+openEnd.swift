public import DuetSQLDatabase

extension CalendarDate {
    /// The date that is stored as the end of a current period in the employees database: 9999-01-01.
    public static let openEnd = CalendarDate(daysSinceEpoch: 2_932_532)
}
