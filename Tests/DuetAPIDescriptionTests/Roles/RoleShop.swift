import DuetAPIDescription
import DuetResourceService
import Testing

/// A shop whose roles the tests define.
enum RoleShop {
    static let resources = """
        duet: 1
        resources:
          products:
            singular: product
            type: Product
            key: [id]
            fields:
              id: {type: int}
              name: {type: text}
              price: {type: decimal, scale: 2}
              purchasePrice: {column: purchase_price, type: decimal, scale: 2}
            order: [name]
          customers:
            singular: customer
            type: Customer
            key: [id]
            fields:
              id: {type: int}
              name: {type: text}
              email: {type: text}
              region: {type: text}
              photo: {type: binary}
            relations:
              orders: {to: orders, many: 20, columns: {id: customer_id}, order: [placed desc]}
              lastOrder: {to: orders, one: optional, through: [{table: last_orders, columns: {id: id}}], columns: {order_id: id}}
          orders:
            singular: order
            type: Order
            key: [id]
            fields:
              id: {type: int}
              customerId: {column: customer_id, type: int}
              region: {type: text}
              placed: {type: date}
              paid: {type: boolean}
              reference: {type: uuid}
            relations:
              customer: {to: customers, one: required, columns: {customer_id: id}}
              lines: {to: lines, few: 5, columns: {id: order_id}, order: [position]}
            filters:
              due: {whenTrue: {paid: {eq: false}}, whenFalse: {paid: {eq: true}}}
          lines:
            singular: line
            type: Line
            key: [orderId, position]
            fields:
              orderId: {column: order_id, type: int}
              position: {type: int}
              region: {type: int}
              cost: {type: decimal}

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
