package import DuetTokens
import Foundation
import Synchronization

/// The keys in a file, which the server reads at its start and when it reloads its description.
package final class TokenKeyFile: TokenKeySource {
    private let path: String
    private let others: JSONWebKeySet?
    private let current: Mutex<JSONWebKeySet>

    /// Reads a file.
    /// - Parameters:
    ///   - others: Keys that are used in addition to those of the file, such as a secret.
    /// - Throws: ``KeySetError`` with the name of the file.
    package init(_ path: String, adding others: JSONWebKeySet? = nil) throws(KeySetError) {
        self.path = path
        self.others = others
        current = Mutex(try Self.read(path, adding: others))
    }

    /// Reads the file again. If it has no usable keys, the last keys stay.
    package func reload() throws(KeySetError) {
        let keys = try Self.read(path, adding: others)
        current.withLock { $0 = keys }
    }

    /// The warnings of the last set.
    package var warnings: [String] { current.withLock(\.warnings) }

    package func keys(knowing keyID: String?) async -> JSONWebKeySet? { current.withLock { $0 } }

    private static func read(_ path: String, adding others: JSONWebKeySet?) throws(KeySetError) -> JSONWebKeySet {
        let bytes: [UInt8]
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            // A set that is too long is refused without reading all of it.
            bytes = Array(try file.read(upToCount: (1 << 20) + 1) ?? Data())
        } catch {
            throw KeySetError(
                .source, "the file of the token keys, \(path), cannot be read: \(error.localizedDescription)")
        }
        do throws(KeySetError) {
            let keys = try JSONWebKeySet(reading: bytes)
            return others.map { keys.adding($0) } ?? keys
        } catch {
            throw KeySetError(error.code, "\(path): \(error.description)")
        }
    }
}
