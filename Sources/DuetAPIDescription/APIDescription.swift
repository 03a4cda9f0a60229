public import DuetResourceService
import Yams

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
    /// The roles of callers, in the order of the file. Without roles, every caller sees all resources.
    public var roles: [RoleDefinition] = []

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

/// The locations of names in the file of a description.
struct DescriptionPlaces: Sendable {
    /// The name of the file.
    let file: String
    /// The locations, keyed by path: `orders/relations/customer`.
    private var marks: [String: Mark] = [:]
    /// The locations of the parts of roles.
    private var roleMarks: [RolePlace: Mark] = [:]

    init(file: String) {
        self.file = file
    }

    mutating func note(_ path: [String], _ mark: Mark?) { marks[path.joined(separator: "/")] = mark }

    mutating func note(_ place: RolePlace, _ mark: Mark?) { roleMarks[place] = mark }

    /// Returns the location of a part of a role, or of the smallest part around it that the file contains.
    func mark(of place: RolePlace) -> Mark? {
        var path = place.path
        while true {
            if let mark = roleMarks[RolePlace(place.role, path: path)] { return mark }
            guard path.popLast() != nil else { return nil }
        }
    }

    /// Returns the location of a path. If the file does not contain the path, returns the location of its longest
    /// prefix that the file contains; nil if there is none.
    func mark(of path: [String]) -> Mark? {
        var path = path
        while !path.isEmpty {
            if let mark = marks[path.joined(separator: "/")] { return mark }
            path.removeLast()
        }
        return nil
    }
}

/// The default descriptions of resources, fields and relations.
enum DefaultText {
    static func resource(_ table: String) -> String { "A row of \(table)." }

    static func field(_ column: String) -> String { "The column \(column)." }

    static func relation(to target: String, _ joins: [Relation.Join], _ columns: [Relation.ColumnPair]) -> String {
        guard joins.isEmpty else { return "The \(target) through \(joins.map(\.table).joined(separator: " and "))." }
        let here = columns.map(\.from).joined(separator: ", ")
        let there = columns.map(\.to).joined(separator: ", ")
        return "The \(target) whose \(there) is this row's \(here)."
    }
}
