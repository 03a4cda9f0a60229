/// Finds the fields of one map by their response names, in constant time for a map of any length.
///
/// Each response name is that of one field. Fields may be appended between two calls, but not removed.
struct FieldPositions {
    /// The position after that of the last call: selections that are merged mostly have the same fields in the same order.
    private var next = 0
    /// The positions of the first ``indexedCount`` fields, if the map is longer than ``longestScan``.
    private var byName: [String: Int] = [:]
    private var indexedCount = 0

    private static let longestScan = 16

    /// The position of the field with that response name; `nil` if there is none, and the field will be appended.
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
