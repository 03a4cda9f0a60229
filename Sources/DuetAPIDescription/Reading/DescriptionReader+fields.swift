import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase
import Yams

extension DescriptionReader {
    /// Reads a field of a resource.
    func field(_ member: YAMLObject.Member, of resource: String, _ relations: Set<String>) -> Field? {
        let path = "\(resource).\(member.name)"
        note([resource, "fields", member.name], member.mark)
        guard let object = object(member.value, path, FieldMapping.self) else { return nil }
        let relation = read(\.of, of: object)
        if let relation, !relations.contains(relation) {
            report(
                object[\.of]?.value.mark,
                "\(path): \(relation) is not a to-one relation of \(resource)"
                    + nearestName.hint(relation, among: relations.sorted()))
        }
        let type = read(\.type, of: object).flatMap { self.type($0, object, path) }
        let column = read(\.column, of: object) ?? member.name
        var field = Field(
            member.name, type ?? .any, column: column, of: relation,
            isNullable: read(\.nullable, of: object) ?? false, isSingle: read(\.single, of: object) ?? false,
            isOrdinal: read(\.ordinal, of: object) ?? false, isStoredAsBytes: read(\.charset, of: object) != nil,
            description: read(\.description, of: object) ?? DefaultText.field(column))
        field.isWritable = read(\.writable, of: object) ?? true
        field.databaseValue = read(\.absent, of: object)
        field.isAggregated = read(\.aggregates, of: object) ?? true
        if let mismatch = object[\.mismatch] {
            switch mismatch.value.scalarValue {
            case .null: field.nullifiesMismatches = true
            case .text("error"): break
            default: report(mismatch.value.mark, "\(path): mismatch must be error or null")
            }
        }
        if let example = object[\.example] {
            field.example = value(example.value)
            if field.example == nil {
                report(example.value.mark, "\(path): example must be a text or a number, not \(example.value.kindName)")
            }
        }
        return field
    }

    /// Reads a scalar as an SQL value. Returns nil for null, a mapping or a list.
    func value(_ node: Node) -> SQLValue? {
        switch node.scalarValue {
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): .unsigned(integer)
        case .double(let double): .double(double)
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .text(let text): CalendarDate(iso: text).map { .date($0) } ?? .text(text)
        case .null, nil: nil
        }
    }

    private func type(_ name: FieldTypeName, _ object: MappedObject<FieldMapping>, _ path: String) -> FieldType? {
        func length() -> Int? { read(\.maxLength, of: object).map(Int.init) }
        func form() -> FieldType.NumberForm { read(\.form, of: object) ?? .string }
        switch name {
        case .int, .integer:
            let whole = name == .int ? FieldType.wholeNumbers : FieldType.safeNumbers
            let minimum = read(\.minimum, of: object, in: whole) ?? whole.lowerBound
            let maximum = read(\.maximum, of: object, in: whole) ?? whole.upperBound
            guard minimum <= maximum else {
                report(object[\.minimum]?.mark, "\(path): minimum must not be greater than maximum")
                return nil
            }
            return .integer(minimum...maximum)
        case .bigInteger, .unsignedBigInteger:
            return .bigInteger(isUnsigned: name == .unsignedBigInteger, form())
        case .decimal:
            return .decimal(scale: read(\.scale, of: object).map(Int.init) ?? 0, form())
        case .text:
            return .text(maximumLength: length())
        case .key:
            return .identifier(maximumLength: length() ?? 255)
        case .dateTime, .timestamp:
            let storage = read(\.stored, of: object) ?? .sql
            return .dateTime(isUTC: name == .timestamp, storage)
        case .enumeration:
            return enumeration(object, path)
        case .number: return .number
        case .boolean: return .boolean
        case .date: return .date
        case .time: return .time
        case .binary: return .binary
        case .json: return .json
        case .uuid: return .uuid
        case .any: return .any
        }
    }

    private func enumeration(_ object: MappedObject<FieldMapping>, _ path: String) -> FieldType? {
        let about = read(\.about, of: object)
        guard let name = read(\.name, of: object), let values = object[\.values] else { return nil }
        var found: [Choice.Value] = []
        switch values.value {
        case .mapping:
            for member in anyObject(values.value, "\(path).values")?.members ?? [] {
                found.append(.init(member.name, text(member.value, "\(path).values.\(member.name)") ?? member.name))
            }
        default: found = (texts(values) ?? []).map { .init($0.text, $0.text) }
        }
        guard !found.isEmpty else {
            report(
                values.mark, "\(path): values must be a list of texts, or a mapping from texts to their descriptions")
            return nil
        }
        return .choice(Choice(name, about ?? "The values of \(path).", found))
    }
}
