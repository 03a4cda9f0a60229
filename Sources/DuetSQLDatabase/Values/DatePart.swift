/// A part of a date: a period that contains the date, or its weekday. Groups of rows have such parts as keys.
public enum DatePart: String, Sendable, Hashable, CaseIterable {
    /// The year, as an integer: 2024.
    case year
    /// The quarter: `2024-Q1`.
    case quarter
    /// The month: `2024-03`.
    case month
    /// The week of ISO 8601, with the year to which the week belongs: `2024-W09`.
    case week
    /// The day: `2024-03-05`.
    case day
    /// The hour: `2024-03-05T14`.
    case hour
    /// The day of the week, as an integer: 1 for Monday to 7 for Sunday.
    case weekday

    /// True if the values are integers. The values of the other parts are texts.
    public var isNumber: Bool { self == .year || self == .weekday }
}
