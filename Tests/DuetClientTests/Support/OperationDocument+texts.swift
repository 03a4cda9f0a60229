import DuetClient
import Foundation

extension OperationDocument {
    /// Creates a document from a text, without the map of its selected fields.
    convenience init(
        text: String, _ kind: OperationKind = .query, name: String? = nil, isRegistrable: Bool = true
    ) {
        self.init(kind, name: name, text: text, map: ObjectMap(), variables: [], isRegistrable: isRegistrable)
    }

    /// Returns a query with a unique text, so that no server knows the hash. The response is ``koblick``.
    static func unique(isRegistrable: Bool = true) -> OperationDocument {
        OperationDocument(
            text: "query Name { employee(id: 10004) { lastName } } # \(UUID().uuidString)", name: "Name",
            isRegistrable: isRegistrable)
    }

    static let koblick = #"{"data":{"employee":{"lastName":"Koblick"}}}"#
}
