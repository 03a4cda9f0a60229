package import DuetSQLDatabase
import Foundation
import Synchronization

/// A time zone of the IANA time zone database, with its offsets from UTC at all times.
///
/// The offsets come from the files of the operating system (tzdata), in the format TZif (RFC 9636). They are arguments
/// of the statements that compute parts of dates, so all databases use the same time zones.
public struct TimeZoneTable: Sendable {
    /// The name, such as `Europe/Paris`.
    public let name: String
    /// The offsets from UTC.
    package let offsets: UTCOffsets

    private init(name: String, offsets: UTCOffsets) {
        self.name = name
        self.offsets = offsets
    }

    /// The time zone UTC, which needs no file.
    public static let utc = TimeZoneTable(name: "UTC", offsets: UTCOffsets(first: 0, changes: []))

    /// Creates the table for the bytes of a file in the format TZif; nil for other bytes, and for a file with leap
    /// seconds.
    init?(name: String, file bytes: [UInt8]) {
        guard let file = TimeZoneFile(bytes) else { return nil }
        var changes = file.changes
        // The rule is valid after the last change of the file.
        if let rule = file.rule {
            let first = changes.last?.time ?? .min
            let year =
                changes.last.map { CalendarDate(daysSinceEpoch: Int32(clamping: $0.time / 86_400)).year } ?? 1
            let years = min(max(1, year - 1), UTCOffsets.endYear)...UTCOffsets.endYear
            changes += rule.changes(inYears: years).filter { $0.time > first }
        }
        self.init(name: name, offsets: UTCOffsets(first: file.firstOffset, changes: changes))
    }

    // MARK: Names

    private static let known = Mutex<[String: TimeZoneTable]>([:])

    /// The folders of time zone files on Unix systems.
    private static let folders = [
        "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    ]

    /// Returns the time zone with a name. Names distinguish upper and lower case.
    /// - Parameter parameter: The request's parameter that contains the name, for the error.
    /// - Throws: ``ServiceError`` with the code `invalid-parameter` if there is no such time zone.
    public static func named(_ name: String, parameter: String? = nil) throws(ServiceError) -> TimeZoneTable {
        if name == utc.name { return utc }
        if let table = known.withLock({ $0[name] }) { return table }
        let folders = Self.folders.filter { FileManager.default.fileExists(atPath: $0) }
        guard !folders.isEmpty else {
            throw ServiceError(
                .invalidParameter,
                "the only time zone of this server is UTC, because its system has no time zone data; to use other time zones, the operator installs the package tzdata",
                parameter: parameter, allowed: [utc.name])
        }
        guard isName(name), let table = folders.lazy.compactMap({ read(name, in: $0) }).first else {
            throw ServiceError(
                .invalidParameter,
                "the time zone must be a name of the IANA time zone database, such as UTC, Europe/Paris or America/New_York, not \"\(name.prefix(60))\"; offsets such as +02:00 and abbreviations such as CEST are not names",
                parameter: parameter)
        }
        known.withLock { $0[name] = table }
        return table
    }

    /// Returns true for a text that can be the name of a time zone. Such a name cannot lead to another folder. The
    /// folders `right` and `posix` have variants of the time zones, and the last two names depend on the machine.
    private static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let areNames = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "_+-".utf8.contains(byte)
                }
        }
        return areNames && name.utf8.count <= 60 && !["right", "posix", "localtime", "posixrules"].contains(parts[0])
    }

    private static func read(_ name: String, in folder: String) -> TimeZoneTable? {
        // A file system can ignore the case of names, but the answers of all servers must be the same.
        var path = folder
        for part in name.split(separator: "/") {
            guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path),
                entries.contains(String(part))
            else { return nil }
            path += "/\(part)"
        }
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return TimeZoneTable(name: name, file: Array(data))
    }
}

extension TimeZoneTable: Hashable {
    /// Returns true if both have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
