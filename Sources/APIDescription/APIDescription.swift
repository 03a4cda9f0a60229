public import DuetResourceService

/// The description of an API: its resources, and the form of their values. It is read from YAML or JSON.
public struct APIDescription: Sendable {
    /// The form of dates in responses.
    public enum Dates: String, Sendable, Hashable, CaseIterable {
        /// `YYYY-MM-DD`.
        case iso
        /// Milliseconds since 1970 of the first moment of the day in ``timeZone``.
        case milliseconds
    }

    /// The resources with their fields, relations and filters. A description has no writes.
    public var catalogue: Catalogue
    /// The form of dates in responses.
    public var dates: Dates
    /// The identifier of the time zone of dates in milliseconds, such as `America/New_York`.
    public var timeZone: String

    /// The places of names in the file that the description was read from.
    var places: DescriptionPlaces?

    /// The time zone of dates in milliseconds if a description names none.
    public static let defaultTimeZone = "UTC"

    /// Creates a description.
    public init(_ catalogue: Catalogue, dates: Dates = .iso, timeZone: String = Self.defaultTimeZone) {
        self.catalogue = catalogue
        self.dates = dates
        self.timeZone = timeZone
    }
}
