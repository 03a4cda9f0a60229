import DuetJSON
import DuetResultSetJSON
import DuetSQLDatabase

/// Examples of rows and bodies. They consist of the example values of the fields.
extension OpenAPIPrinter {
    /// Returns a value in the format of responses.
    func json(_ value: SQLValue) -> JSONValue {
        if case .date(let date) = value { dates.json(date) } else { queryExample(value) ?? .null }
    }

    /// Returns a value in the format of paths, queries and bodies.
    func queryExample(_ value: SQLValue) -> JSONValue? {
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .unsigned(let integer): .string(String(integer))
        case .double(let double): .double(double)
        case .text(let text), .decimal(let text): .string(text)
        case .date(let date): .string(date.description)
        case .blob: nil
        }
    }

    /// Returns an example row with the default fields; nil if a default field has no example value.
    /// - Parameter relation: The relation that leads to the row.
    func example(of resource: Resource, by relation: Relation? = nil) -> JSONObject? {
        var object = JSONObject()
        for name in relation.map(resource.defaultFields) ?? resource.defaultFields {
            guard let example = resource.field(name)?.example else { return nil }
            object[name] = json(example)
        }
        return object
    }

    /// Returns an example row that includes the relations with few rows; nil if no such relation has example values.
    func detailedExample(of resource: Resource) -> JSONObject? {
        guard var object = example(of: resource) else { return nil }
        let count = object.members.count
        for relation in resource.relations {
            guard case .few = relation.size, let target = catalogue[relation.target],
                let example = example(of: target, by: relation)
            else { continue }
            object[relation.name] = [.object(example)]
        }
        return object.members.count > count ? object : nil
    }

    /// Returns an example of a write's input. It contains the required members or, if no member is required, the first
    /// two members.
    func example(of write: Write) -> JSONValue? {
        let required = write.input.filter(\.isRequired)
        var object = JSONObject()
        for input in required.isEmpty ? Array(write.input.prefix(2)) : required {
            guard let example = input.field.example else { return nil }
            object[input.field.name] = queryExample(example)
        }
        return .object(object)
    }

    /// Returns an example row as CSV with a header line.
    func csv(_ object: JSONObject) -> String {
        let values: [String?] = object.members.map { member in
            switch member.value {
            case .null: nil
            case .string(let text): text
            default: member.value.compactText
            }
        }
        return [object.members.map(\.key), values].map { CSVField.record($0) + "\n" }.joined()
    }
}
