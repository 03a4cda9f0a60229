import DuetAPIDescription
import DuetResourceService
import DuetResultSetJSON
import Foundation
import TestSupport
import Testing

/// Tables of real applications and frameworks, introspected with all rows.
@Suite("Databases of applications") struct ApplicationTests {
    @Test(
        "All tables, relations, orders and filters have the values of plain SQL, and the notable columns and requests have the expected types and answers",
        arguments: Application.all)
    func served(_ application: Application) async throws {
        try await OddService.with(.sqlite, application.script, readsRows: true) { service in
            #expect(try await service.dataFindings() == [])
            _ = try await service.checkTables()
            try await service.checkRelations()
            let isNotable = { application.types["\($0.table).\($1.column)"] != nil } as (Resource, Field) -> Bool
            try await service.checkOrders(where: isNotable)
            try await service.checkFilters(where: isNotable)
            for (column, type) in application.types { #expect(service.type(ofColumn: column) == type, "\(column)") }
            for (request, answer) in application.answers {
                #expect(try await service.answer(request) == answer, "\(request)")
            }
        }
    }

    @Test(
        "The types that comments suggest fit all rows, and filters find the rows",
        arguments: Application.all.filter { $0.types.values.contains { $0.contains("→") } })
    func suggestions(_ application: Application) async throws {
        try await OddService.with(.sqlite, application.script, readsRows: true) { introspected in
            let service = try await OddService(
                introspected.service.database, readsRows: true, followsSuggestions: true)
            #expect(try await service.dataFindings() == [])
            let isSuggested =
                { introspected.suggestions["\($0.name)/fields/\($1.name)"] != nil } as (Resource, Field) -> Bool
            try await service.checkRows(where: isSuggested)
            try await service.checkOrders(where: isSuggested)
            try await service.checkFilters(where: isSuggested)
        }
    }
}

extension OddService {
    /// Returns the type of a column, given as `table.column`, in the notation of ``Application/types``.
    fileprivate func type(ofColumn name: String) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        let (table, column) = (name[..<end], String(name[end...].dropFirst()))
        guard let resource = catalogue.resources.first(where: { $0.table == table }) else { return "no table" }
        if resource.hiddenColumns.contains(column) { return "hidden" }
        guard let field = resource.fields.first(where: { $0.column == column }) else { return "no column" }
        let suggestion = suggestions["\(resource.name)/fields/\(field.name)"].map { " → \($0)" } ?? ""
        return field.type.description + suggestion
    }

    /// Compares the rows of each table that has a checked field with those of plain SQL, over REST.
    fileprivate func checkRows(where isChecked: (Resource, Field) -> Bool) async throws {
        for resource in catalogue.resources where resource.fields.contains(where: { isChecked(resource, $0) }) {
            let plain = plain(resource)
            let expected = try await service.database.read { try plain.rows($0) }
            #expect(try await get(resource).elements.sorted() == expected.sorted(), "\(resource.name)")
        }
    }

    /// Answers a path of REST, such as `/orders/1/lines?first=2`, or a GraphQL query, which begins with a brace.
    fileprivate func answer(_ request: String) async throws -> String {
        if request.hasPrefix("{") { return try await query(request) }
        let sides = request.split(separator: "?", maxSplits: 1).map(String.init)
        let path = sides[0].split(separator: "/").map(String.init)
        let resource = try #require(catalogue[path[0]], "\(catalogue.resources.map(\.name))")
        let key = path.count > 1 ? KeySegment.parts(of: path[1], count: resource.key.count) : nil
        let query: RESTStyle.Query = (sides.count > 1 ? sides[1] : "").split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]).removingPercentEncoding ?? "")
        }
        return try await get(resource, key: key, relation: path.count > 2 ? path[2] : nil, query).body
    }
}

extension FieldType {
    /// The type as a description has it.
    fileprivate var description: String {
        switch self {
        case .integer(let range): range == FieldType.safeNumbers ? "integer" : "int"
        case .bigInteger: "bigInteger"
        case .number: "number"
        case .decimal: "decimal"
        case .text: "text"
        case .dateTime(let isUTC, let form):
            (isUTC ? "timestamp" : "dateTime") + (form == .sql ? "" : ", stored: \(form.rawValue)")
        default: "\(self)"
        }
    }
}
