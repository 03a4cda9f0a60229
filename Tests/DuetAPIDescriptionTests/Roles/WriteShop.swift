import DuetAPIDescription
import DuetResourceService

/// A shop whose resources permit changes, and whose roles the tests define.
enum WriteShop {
    static let resources = """
        duet: 1
        resources:
          customers:
            singular: customer
            type: Customer
            key: [id]
            writes: all
            fields:
              id: {type: int, absent: automatic}
              name: {type: text, maxLength: 10}
              state: {type: enum, name: State, values: [open, closed], absent: default}
              createdBy: {column: created_by, type: text, nullable: true, writable: false}
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}}
          orders:
            singular: order
            type: Order
            key: [id]
            writes: [create, update]
            fields:
              id: {type: int, absent: automatic}
              customerId: {column: customer_id, type: int}
              note: {type: text, nullable: true}
              total: {type: decimal, scale: 2}
              customerName: {of: customer, column: name, type: text}
            relations:
              customer: {to: customers, one: required, columns: {customer_id: id}}
          products:
            singular: product
            type: Product
            key: [id]
            fields:
              id: {type: int}
              name: {type: text}

        """

    /// The number of lines before the roles.
    static let lines = resources.split(separator: "\n", omittingEmptySubsequences: false).count - 1

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
