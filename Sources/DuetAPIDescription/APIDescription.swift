public import DuetResourceService

/// The description of an API: its resources and the format of their values. A description can be read from YAML or
/// JSON.
public struct APIDescription: Sendable {
    /// The format of dates in responses.
    public enum Dates: String, Sendable, Hashable, CaseIterable {
        /// `YYYY-MM-DD`.
        case iso
        /// Milliseconds from 1970 to the start of the day in ``timeZone``.
        case milliseconds
    }

    /// The resources with their fields, relations and filters. A description does not define writes.
    public var catalogue: Catalogue
    /// The format of dates in responses.
    public var dates: Dates
    /// The identifier of the time zone of dates in milliseconds, such as `America/New_York`.
    public var timeZone: String

    /// The locations of names in the file from which the description was read.
    var places: DescriptionPlaces?

    /// The default time zone of dates in milliseconds.
    public static let defaultTimeZone = "UTC"

    /// Creates a description.
    public init(_ catalogue: Catalogue, dates: Dates = .iso, timeZone: String = Self.defaultTimeZone) {
        self.catalogue = catalogue
        self.dates = dates
        self.timeZone = timeZone
    }
}
