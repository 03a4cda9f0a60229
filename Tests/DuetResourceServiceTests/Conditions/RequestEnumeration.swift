import DuetJSON
import DuetResourceService
import DuetResultSetJSON
import Foundation
import NIOCore

/// All requests of the forms that a catalog has: each list, item, relation, order, filter, count and format.
struct RequestEnumeration {
    /// A REST request, and the format of its response.
    struct REST: CustomStringConvertible {
        let target: String
        var format = RowFormat.json
        /// True if the response is a list that a client can export.
        var isExport = false

        var description: String { "\(format) \(target)" }
    }

    private let catalogue: Catalogue
    /// The keys of all rows, by resource.
    private var keys: [String: [[JSONValue]]] = [:]

    /// Creates the requests of a service's catalog.
    /// - Parameter service: The catalog of this service may have conditions. The requests also ask for the rows that
    ///   the conditions exclude.
    init(_ twin: ResourceService, keysOf service: ResourceService) async throws {
        catalogue = twin.catalogue
        let whole = ResourceService(twin.catalogue, database: service.database, encoding: service.encoding)
        for resource in catalogue.resources where resource.hasKey {
            let body = try await whole.restBody("\(resource.name)?fields=\(resource.key.joined(separator: ","))")
            guard case .array(let rows) = try JSONValue(parsing: Array(body.utf8)) else { continue }
            keys[resource.name] = rows.map { row in resource.key.map { row[$0] ?? .null } }
        }
    }

    // MARK: REST

    /// The requests of the REST style.
    var rest: [REST] {
        catalogue.resources.flatMap { resource in
            let list = lists(resource.name, resource)
            let items = segments(of: resource).flatMap { key -> [REST] in
                let item = "\(resource.name)/\(key)"
                let details = resource.relations.map { REST(target: "\(item)?details=\($0.name)") }
                let related = resource.relations.flatMap { relation -> [REST] in
                    guard let target = catalogue[relation.target] else { return [] }
                    let path = "\(item)/\(relation.name)"
                    return relation.isToMany ? relatedLists(path, target) : []
                }
                return [REST(target: item)] + details + related
            }
            return list + items
        }
    }

    private func lists(_ path: String, _ resource: Resource) -> [REST] {
        var requests = [
            REST(target: "\(path)?count=true", isExport: true), REST(target: "\(path)?first=1&count=true"),
            REST(target: "\(path)?fields=\(resource.fields.map(\.name).joined(separator: ","))", isExport: true),
            REST(target: "\(path)?first=2", format: .csv, isExport: true),
            REST(target: "\(path)?first=2", format: .ndjson, isExport: true),
        ]
        for name in resource.sortFields {
            requests.append(REST(target: "\(path)?sort=-\(name)&first=1"))
        }
        for field in resource.fields where field.isNullable {
            requests.append(REST(target: "\(path)?\(field.name).null=true&count=true"))
        }
        for relation in resource.relations {
            guard let target = catalogue[relation.target] else { continue }
            requests.append(REST(target: "\(path)?details=\(relation.name)", isExport: true))
            for other in target.relations {
                requests.append(REST(target: "\(path)?details=\(relation.name).\(other.name)&first=2"))
            }
            if relation.isToMany {
                requests.append(
                    REST(
                        target: "\(path)?details=\(relation.name)&\(relation.name).first=1&\(relation.name).count=true")
                )
            }
            for filter in filters(relation, target) {
                requests.append(REST(target: "\(path)?count=true&filter=\(filter)"))
                requests.append(REST(target: "\(path)?count=true&filter={\"not\":\(filter)}"))
            }
        }
        return requests
    }

    private func relatedLists(_ path: String, _ resource: Resource) -> [REST] {
        let fields = resource.fields.map(\.name).joined(separator: ",")
        return [
            REST(target: "\(path)?count=true&first=1"), REST(target: "\(path)?fields=\(fields)", isExport: true),
        ]
    }

    private func filters(_ relation: Relation, _ target: Resource) -> [String] {
        let isKnown = "{\"\(Self.firstField(of: target))\":{\"null\":false}}"
        guard relation.isToMany else { return ["{\"\(relation.name)\":\(isKnown)}"] }
        let inner = target.relations.filter(\.isToMany).compactMap { other -> String? in
            guard let last = catalogue[other.target] else { return nil }
            return "{\"\(other.name)\":{\"some\":{\"\(Self.firstField(of: last))\":{\"null\":false}}}}"
        }
        return ["some", "none"].flatMap { quantifier in
            ([isKnown] + inner).map { "{\"\(relation.name)\":{\"\(quantifier)\":\($0)}}" }
        }
    }

    private static func firstField(of resource: Resource) -> String { resource.key.first ?? resource.fields[0].name }

    /// The keys of a resource as path segments, and the key of no row.
    private func segments(of resource: Resource) -> [String] {
        let known = (keys[resource.name] ?? []).map { $0.map(Self.text).joined(separator: ",") }
        return known + (known.first.map { ["\($0)9"] } ?? [])
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let integer): "\(integer)"
        default: ""
        }
    }

    // MARK: GraphQL

    /// The requests of the GraphQL style.
    var graphQL: [String] {
        catalogue.resources.flatMap { resource -> [String] in
            let selection = selection(of: resource, depth: 2)
            let list =
                resource.isPaged && !resource.hasKey
                ? ["{ \(resource.name)(first: 2) { totalCount nodes { \(selection) } pageInfo { hasNextPage } } }"]
                : resource.isPaged
                    ? [
                        "{ \(resource.name) { totalCount edges { cursor node { \(selection) } } pageInfo { hasNextPage endCursor } } }",
                        "{ \(resource.name)(first: 1) { nodes { \(selection) } pageInfo { hasNextPage endCursor } } }",
                    ] : ["{ \(resource.name) { \(selection) } }"]
            let items = (keys[resource.name] ?? []).map { key in
                let arguments = zip(resource.key, key).map { name, value in
                    "\(resource.key.count == 1 && resource.field("id") == nil ? "id" : name): \(Self.literal(value))"
                }
                return "{ \(resource.singular)(\(arguments.joined(separator: ", "))) { \(selection) } }"
            }
            return list + items
        }
    }

    private static func literal(_ value: JSONValue) -> String {
        if case .string(let text) = value { "\"\(text)\"" } else { text(value) }
    }

    private func selection(of resource: Resource, depth: Int) -> String {
        let relations =
            depth == 0
            ? []
            : resource.relations.compactMap { relation -> String? in
                guard let target = catalogue[relation.target] else { return nil }
                let inner = selection(of: target, depth: depth - 1)
                if case .many = relation.size {
                    return "\(relation.name)(first: 2) { totalCount nodes { \(inner) } pageInfo { hasNextPage } }"
                }
                return "\(relation.name) { \(inner) }"
            }
        return (resource.fields.map(\.name) + relations).joined(separator: " ")
    }
}
