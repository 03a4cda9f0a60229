extension Role {
    /// A text that identifies the role and its permissions. It is the same in all processes.
    package var signature: String {
        let lines = reads.sorted { $0.key < $1.key }.map { name, read in
            "\(name) \(read.fields.signature) \(read.condition.signature) \(read.orderSignature)"
        }
        let writes = writes.sorted { $0.key < $1.key }.map { name, writes in "write \(name) \(writes.signature)" }
        return ([name] + lines + writes).joined(separator: "\n")
    }
}

extension Role.Writes {
    fileprivate var signature: String {
        func text(_ set: [String: Operand]) -> String {
            set.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        }
        let create = create.map { "create \($0.fields.signature) \(text($0.set)) \($0.check.signature)" }
        let update = update.map {
            "update \($0.condition.signature) \($0.fields.signature) \(text($0.set)) \($0.check.signature)"
        }
        let delete = delete.map { "delete \($0.condition.signature)" }
        return [create, update, delete].compactMap(\.self).joined(separator: " ")
    }
}

extension Role.Read {
    fileprivate var orderSignature: String {
        let own = order.map { $0.map { "\($0.field) \($0.descending)" }.joined(separator: ",") } ?? "-"
        let relations = relationOrders.sorted { $0.key < $1.key }.map { name, order in
            "\(name)(\(order.map { "\($0)" }.joined(separator: ",")))"
        }
        return ([own] + relations).joined(separator: " ")
    }
}

extension Role.Read.Fields {
    fileprivate var signature: String {
        switch self {
        case .all: "all"
        case .only(let names): "only(\(names.joined(separator: ",")))"
        case .except(let names): "except(\(names.joined(separator: ",")))"
        }
    }
}
