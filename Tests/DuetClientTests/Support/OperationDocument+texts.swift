import DuetClient
import Foundation

extension OperationDocument {
    /// A document of a text, without the fields that it selects.
    convenience init(
        text: String, _ kind: OperationKind = .query, name: String? = nil, isRegistrable: Bool = true
    ) {
        self.init(kind, name: name, text: text, map: ObjectMap(), variables: [], isRegistrable: isRegistrable)
    }

    /// A query of the employee 10004 that no other test has sent, and its answer ``koblick``.
    static func unique(isRegistrable: Bool = true) -> OperationDocument {
        OperationDocument(
            text: "query Name { employee(id: 10004) { lastName } } # \(UUID().uuidString)", name: "Name",
            isRegistrable: isRegistrable)
    }

    static let koblick = #"{"data":{"employee":{"lastName":"Koblick"}}}"#
}
