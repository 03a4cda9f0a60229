import DuetAPIDescription
import DuetResourceService

/// A shop whose resources permit changes, and whose roles the tests define.
enum WriteShop: DescribedShop {
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
}
