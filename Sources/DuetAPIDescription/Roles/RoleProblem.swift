import Yams

/// An error in a role, and the part of the description that has it.
struct RoleProblem {
    let place: RolePlace
    let message: String
}

/// A part of a role in a description.
struct RolePlace: Hashable {
    /// The name of the role.
    let role: String
    /// The members inside the role, from the outermost one: `["resources", "orders", "read", "where"]` is the condition
    /// on the orders, and `["includes", "1"]` is the second included role.
    let path: [String]

    init(_ role: String, _ path: String...) {
        self.role = role
        self.path = path
    }

    init(_ role: String, path: [String]) {
        self.role = role
        self.path = path
    }
}

extension APIDescription {
    /// Returns the location of a part of a role, or of the smallest part around it that the file contains; nil if the
    /// description was not read from a file.
    func mark(of place: RolePlace) -> Mark? { places?.mark(of: place) }

    /// Returns the error for problems in roles, in the order of their locations.
    func error(_ problems: [RoleProblem]) -> DescriptionError {
        let findings = problems.enumerated().map { index, problem in
            let mark = mark(of: problem.place)
            return (
                index: index,
                finding: DescriptionError.Finding(
                    file: places?.file ?? "the description", line: mark?.line, column: mark?.column,
                    message: problem.message)
            )
        }
        return DescriptionError(
            findings: findings.sorted { left, right in
                (left.finding.line ?? 0, left.finding.column ?? 0, left.index)
                    < (right.finding.line ?? 0, right.finding.column ?? 0, right.index)
            }.map(\.finding))
    }
}
