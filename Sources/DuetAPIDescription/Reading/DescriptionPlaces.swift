import Yams

/// The locations of names in the file of a description.
struct DescriptionPlaces: Sendable {
    /// The name of the file.
    let file: String
    /// The locations, keyed by path: `orders/relations/customer`.
    private var marks: [String: Mark] = [:]

    init(file: String) {
        self.file = file
    }

    mutating func note(_ path: [String], _ mark: Mark?) { marks[path.joined(separator: "/")] = mark }

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
