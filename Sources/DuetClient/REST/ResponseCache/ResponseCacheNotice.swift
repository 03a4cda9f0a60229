public import Foundation

/// An event of a ``ResponseCache`` that an app may want to log. After each event, the cache continues to work.
public enum ResponseCacheNotice: Sendable, Hashable, CustomStringConvertible {
    /// A file did not contain a valid stored response. The cache has removed the file.
    case removedUnreadableFile(URL, reason: String)
    /// The disk or its quota is full. The cache stores new responses only in memory until space is available.
    case diskFull(URL)
    /// The folder is not writable. The cache stores new responses only in memory until the folder is writable.
    case cannotWrite(URL, reason: String)
    /// The folder is writable again, or space is available again.
    case writesAgain(URL)
    /// The cache stores a response only in memory, because responses arrive faster than they can be written.
    case skippedWrite

    /// A description of the event and its remedy.
    public var description: String {
        switch self {
        case .removedUnreadableFile(let file, let reason):
            "The file \(file.path) was removed from the response cache: \(reason)."
        case .diskFull(let folder):
            "The disk of the response cache \(folder.path) is full. Responses are stored in memory until disk space is available."
        case .cannotWrite(let folder, let reason):
            "The response cache \(folder.path) cannot be written: \(reason). Responses are stored in memory. Check the folder and its permissions."
        case .writesAgain(let folder):
            "The response cache \(folder.path) can be written again."
        case .skippedWrite:
            "A response was not written to the response cache, because too many responses wait to be written. Raise ResponseCache.Limits.queue."
        }
    }
}
