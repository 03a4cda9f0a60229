internal import DuetJSON
internal import NIOCore

extension FieldExecutor {
    /// Writes the key and the value of a leaf field in one step, for the common kinds of values. It is the fast variant
    /// of ``completeValue(_:_:_:)`` for these values: it needs no path, and reserves buffer space once.
    /// - Returns: False if nothing was written, because the value is of another kind.
    @inline(__always)
    mutating func writeLeafField(_ field: PlannedField, _ value: ResolvedValue, isFirst: Bool) -> Bool {
        // A switch over the tuple of the type and the value would copy the value.
        switch field.output.leaf {
        case .none, .other: return false
        case .int:
            guard case .int(let number) = value, Int32(exactly: number) != nil else { return false }
            write(field.key, isFirst: isFirst, valueOfAtMost: JSONBytes.longestInteger) {
                JSONBytes.write(number, to: $0)
            }
        case .float:
            guard case .double(let number) = value, number.isFinite else { return false }
            write(field.key, isFirst: isFirst, valueOfAtMost: JSONBytes.longestDouble) {
                JSONBytes.write(number, to: $0)
            }
        case .string, .id:
            if case .int(let number) = value, field.output.leaf == .id {
                write(field.key, isFirst: isFirst, valueOfAtMost: JSONBytes.longestInteger + 2) { target in
                    let count = JSONBytes.write(number, to: target + 1)
                    target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
                    target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: count + 1, as: UInt8.self)
                    return count + 2
                }
                return true
            }
            guard case .string(let text) = value else { return false }
            let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
                let bytes = UnsafeRawBufferPointer(bytes)
                write(
                    field.key, isFirst: isFirst, valueOfAtMost: JSONBytes.longestString(utf8Count: bytes.count)
                ) {
                    JSONBytes.write(string: bytes, to: $0)
                }
            }
            return isWritten != nil
        case .boolean:
            guard case .bool(let value) = value else { return false }
            write(field.key, isFirst: isFirst, valueOfAtMost: 8) {
                let text: StaticString = value ? "true" : "false"
                $0.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
                return text.utf8CodeUnitCount
            }
        }
        return true
    }

    /// Writes a key, and a value of at most `count` bytes.
    /// - Parameter writeValue: A function that writes the value to an address, and returns the number of written bytes.
    @inline(__always)
    private mutating func write(
        _ key: ConstantBytes, isFirst: Bool, valueOfAtMost count: Int,
        _ writeValue: (UnsafeMutableRawPointer) -> Int
    ) {
        let skipped = isFirst ? 1 : 0
        let keyCount = key.count - skipped
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: keyCount + count) { space in
            guard let target = space.baseAddress else { return 0 }
            target.copyMemory(from: key.start + skipped, byteCount: keyCount)
            return keyCount + writeValue(target + keyCount)
        }
    }
}
