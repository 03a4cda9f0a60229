import DuetJSON
package import DuetSQLDatabase

extension ValueFormat {
    /// Returns true if a value that is not NULL has the declared type, so that a response can contain it. For
    /// ``Kind/choice``, every text has the type.
    package func accepts(_ value: ColumnValue) -> Bool {
        switch (kind, value) {
        case (.any, .text(let bytes)), (.text, .text(let bytes)), (.choice, .text(let bytes)):
            return UTF8Sequence.firstInvalidByte(in: bytes) == nil
        case (.any, .double(let double)): return double.isFinite
        case (.any, _): return true
        // The texts of all types except JSON are short.
        case (_, .text(let bytes)) where kind != .json && bytes.count > Self.longestText: return false
        case (.binary, _):
            if case .blob = value { return true }
            return false
        default: break
        }
        let encoding = ValueEncoding(dates: .iso)
        return withUnsafeTemporaryAllocation(
            byteCount: encoding.longestJSON(value) + additionalRoom, alignment: 1
        ) { buffer in
            buffer.baseAddress.map { encoding.writeJSON(value, as: self, to: $0) != nil } ?? false
        }
    }

    /// Returns true for bytes that are a text in UTF-8 without control characters other than white space.
    package static func canBeText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
            && UTF8Sequence.firstInvalidByte(in: bytes) == nil
    }

    /// The maximum number of bytes of a text that is a number, a date, a time or a UUID. It is greater than that of any
    /// such text of a usual program.
    private static let longestText = 400
}
