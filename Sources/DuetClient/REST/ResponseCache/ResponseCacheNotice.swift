public import Foundation

/// An event of a ``ResponseCache`` that an app may want to log. The cache goes on in each case.
public enum ResponseCacheNotice: Sendable, Hashable, CustomStringConvertible {
    /// A file is not a stored response, or not a whole one. It has been removed.
    case removedUnreadableFile(URL, reason: String)
    /// The disk or its quota is full. Until there is room, new responses are stored in memory only.
    case diskFull(URL)
    /// The folder cannot be written. Until it can be, new responses are stored in memory only.
    case cannotWrite(URL, reason: String)
    /// The folder can be written again.
    case writesAgain(URL)
    /// A response is stored in memory only, because the disk is slower than the responses arrive.
    case skippedWrite

    /// The event and the remedy, for a person.
    public var description: String {
        switch self {
        case .removedUnreadableFile(let file, let reason):
            "The file \(file.path) was removed from the response cache: \(reason)."
        case .diskFull(let folder):
            "The disk of the response cache \(folder.path) is full. Responses are stored in memory until there is room."
        case .cannotWrite(let folder, let reason):
            "The response cache \(folder.path) cannot be written: \(reason). Responses are stored in memory. Check the folder and its permissions."
        case .writesAgain(let folder):
            "The response cache \(folder.path) can be written again."
        case .skippedWrite:
            "A response was not written to the response cache, because too many wait to be written. Raise the limit of the queue."
        }
    }
}
