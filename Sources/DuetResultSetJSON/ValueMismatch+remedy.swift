import DuetSQLDatabase

/// The descriptions of a field for which a value would be valid.
extension ValueMismatch {
    /// Returns the change of the declaration that would make the value valid; nil if there is none.
    static func remedy(_ value: SQLValue, _ format: ValueFormat) -> String? {
        if case .double(let number) = value, !number.isFinite { return nil }
        switch (format.kind, value) {
        case (_, .null): return "nullable: true"
        case (.text, .blob(let bytes)), (.choice, .blob(let bytes)), (.json, .blob(let bytes)):
            return bytes.withUnsafeBytes(ValueFormat.canBeText) ? "charset: utf8" : "type: any"
        case (.date, _), (.dateTime, _), (.timestamp, _): return remedy(time: value, format) ?? "type: any"
        case (.safeInteger, .integer): return "type: bigInteger"
        case (.safeInteger, .unsigned): return "type: unsignedBigInteger"
        case (.boolean, .integer(let number)):
            return number.magnitude < 1 << 53 ? "type: integer" : "type: bigInteger"
        case (.safeInteger, .double), (.integer, .double), (.integerText, .double), (.boolean, .double):
            return "type: number"
        case (.uuid, .text), (.time, .text), (.json, .text), (.choice, .text): return "type: text"
        default: return "type: any"
        }
    }

    /// Returns the change for a date or a time; nil if only the type `any` makes it valid.
    private static func remedy(time value: SQLValue, _ format: ValueFormat) -> String? {
        switch value {
        case .text(let text) where SQLDateTime.isZeroDate(text) && !format.dateTimeForm.isConverted: "nullable: true"
        case .text(let text): remedy(text, format) ?? "type: text"
        case .date: "type: date"
        case .integer(let number): remedy(number: Double(number), format)
        case .double(let number): remedy(number: number, format)
        default: nil
        }
    }

    /// Returns the forms in which the number is a time of our years; nil if there is none.
    private static func remedy(number: Double, _ format: ValueFormat) -> String? {
        let forms = DateTimeForm.likelyForms(number)
        guard let first = forms.first else { return nil }
        let others = forms.dropFirst().map { " or stored: \($0.rawValue)" }.joined()
        return stored(first, as: .timestamp, format) + others
    }

    private static func remedy(_ text: String, _ format: ValueFormat) -> String? {
        if CalendarDate(iso: text) != nil { return "type: date" }
        let kind: ValueFormat.Kind = format.kind == .timestamp ? .timestamp : .dateTime
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            for form in [DateTimeForm.sql, .iso] where SQLDateTime.isValid(bytes, form) {
                return stored(form, as: kind, format)
            }
            if SQLDateTime.isValid(bytes, .utc) { return stored(.utc, as: .timestamp, format) }
            return UTCInstant(text: bytes) == nil ? nil : stored(.offset, as: .timestamp, format)
        }
    }

    private static func stored(_ form: DateTimeForm, as kind: ValueFormat.Kind, _ format: ValueFormat) -> String {
        let type = kind == format.kind ? nil : "type: \(kind == .timestamp ? "timestamp" : "dateTime")"
        return [type, "stored: \(form.rawValue)"].compactMap(\.self).joined(separator: ", ")
    }
}
