/// Finds the fields of one map by their response names, in constant time for a map of any length.
///
/// Fields may be appended to the map between two calls, and not be removed.
struct FieldPositions {
    /// The position after the last one that was found: a selection that is merged has the same fields in the same order in most cases.
    private var next = 0
    /// The first positions of the fields up to ``indexedCount``, if the map is longer than ``longestScan``.
    private var byName: [String: Int] = [:]
    private var indexedCount = 0

    private static let longestScan = 16

    /// The position of the first field with that response name. If there is none, the next call expects that the field is appended.
    mutating func position(of responseName: String, in fields: [FieldMap]) -> Int? {
        let position =
            next < fields.count && fields[next].responseName == responseName ? next : find(responseName, in: fields)
        next = (position ?? fields.count) + 1
        return position
    }

    private mutating func find(_ responseName: String, in fields: [FieldMap]) -> Int? {
        guard fields.count > Self.longestScan else { return fields.firstIndex { $0.responseName == responseName } }
        while indexedCount < fields.count {
            let name = fields[indexedCount].responseName
            if byName[name] == nil { byName[name] = indexedCount }
            indexedCount += 1
        }
        return byName[responseName]
    }
}
