import DuetAPIDescription
import DuetResourceService
import Testing

/// A shop whose roles the tests define.
enum RoleShop: DescribedShop {
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
}
