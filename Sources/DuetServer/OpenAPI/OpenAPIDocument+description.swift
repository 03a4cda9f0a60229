import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import DuetSQLDatabase

extension OpenAPIDocument {
    /// Returns the description of the whole API. The description consists of the sections in the folder `Resources`
    /// that apply to the catalogue. Their examples contain names from the catalogue.
    static func description(of catalogue: Catalogue, _ dates: DateEncoding) -> String {
        let examples = ExampleRequests(catalogue)
        let relations = examples.relations
        let (comparison, range) = (examples.comparison, examples.range ?? examples.comparison)
        let names = [
            "relation1": relations.first, "relation2": relations.last, "field": comparison?.field,
            "value": comparison?.value, "orderedField": range?.field, "orderedValue": range?.value,
        ]
        var text = String(decoding: PackageResources.openapi_md, as: UTF8.self)
        for (name, value) in names { text = text.replacing("{\(name)}", with: value ?? name) }
        var sections = [text]
        if catalogue.resources.contains(where: { $0.hasItems && $0.key.count > 1 || $0.hasTextKey }) {
            sections.append(String(decoding: PackageResources.openapi_keys_md, as: UTF8.self))
        }
        let writesISO = if case .string = dates.json(CalendarDate(daysSinceEpoch: 0)) { true } else { false }
        let form = writesISO ? PackageResources.openapi_iso_md : PackageResources.openapi_milliseconds_md
        sections.append(String(decoding: form, as: UTF8.self))
        if !catalogue.writes.isEmpty {
            sections.append(String(decoding: PackageResources.openapi_writes_md, as: UTF8.self))
        }
        return sections.joined(separator: "\n")
    }
}

extension Resource {
    /// True if each row has its own path, and the key of the row begins with a text.
    fileprivate var hasTextKey: Bool {
        guard hasItems, let name = key.first, case .text? = field(name)?.type else { return false }
        return true
    }
}
