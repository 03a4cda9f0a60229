/// Bytes at a fixed address. Code that copies the bytes does not retain an array.
final class ConstantBytes: Sendable {
    let array: [UInt8]
    nonisolated(unsafe) let start: UnsafeRawPointer
    let count: Int

    init(_ bytes: [UInt8]) {
        array = bytes
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
        start = UnsafeRawPointer(copy)
        count = bytes.count
    }

    deinit { start.deallocate() }
}
