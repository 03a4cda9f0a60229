import DuetAPIDescription

/// A shop whose resources are described, and whose roles the tests define.
protocol DescribedShop {
    /// The description without roles. It ends with a line feed.
    static var resources: String { get }
}

extension DescribedShop {
    /// The number of lines before the roles.
    static var lines: Int { resources.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }

    /// Returns a description with roles.
    static func description(_ roles: String) throws -> APIDescription {
        try APIDescription(reading: resources + roles, file: "api.yaml")
    }

    /// Returns the errors in roles. The first line of the roles has the number 1.
    static func errors(_ roles: String) -> [String] {
        do {
            _ = try description(roles)
            return []
        } catch let error as DescriptionError {
            return error.findings.map { "\(($0.line ?? 0) - lines):\($0.column ?? 0): \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }
}
