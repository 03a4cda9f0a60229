/// Finds the fields of an ``ObjectMap`` by their response names. For a map with many fields, a dictionary is used.
///
/// Response names are unique. Between two calls, fields may be appended but not removed.
struct FieldPositions {
    /// The position after the last result. Merged selections usually have equal fields in the same order, so this
    /// position is tested first.
    private var next = 0
    /// The positions of the first ``indexedCount`` fields, if the map has more than ``longestScan`` fields.
    private var byName: [String: Int] = [:]
    private var indexedCount = 0

    private static let longestScan = 16

    /// Returns the position of the field with the response name; `nil` if the map has no such field. If the method
    /// returns `nil`, the caller must append the field.
    mutating func position(of responseName: String, in fields: [FieldMap]) -> Int? {
        let position =
            next < fields.count && fields[next].responseName == responseName ? next : find(responseName, in: fields)
        next = (position ?? fields.count) + 1
        return position
    }

    private mutating func find(_ responseName: String, in fields: [FieldMap]) -> Int? {
        guard fields.count > Self.longestScan else { return fields.firstIndex { $0.responseName == responseName } }
        while indexedCount < fields.count {
            byName[fields[indexedCount].responseName] = indexedCount
            indexedCount += 1
        }
        return byName[responseName]
    }
}
