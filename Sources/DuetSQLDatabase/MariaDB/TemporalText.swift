#if MariaDB
    internal import CDuetMariaDB

    /// Formats dates and times in MariaDB's text format. The client library would format them with `printf`, which
    /// takes as long as reading a row of several columns. Therefore a column is fetched as a `MYSQL_TIME`, and this
    /// type writes the text into the same buffer, after the `MYSQL_TIME`.
    enum TemporalText {
        /// The offset of the text in a column's buffer, in bytes.
        private static let start = MemoryLayout<MYSQL_TIME>.stride
        /// The size of a column's buffer in bytes: a `MYSQL_TIME` and the longest text.
        static let end = start + 32

        /// Writes `YYYY-MM-DD`, even for a date that does not exist in the calendar.
        static func writeDate(in memory: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
            var writer = Writer(memory)
            writer.putDate(memory.load(as: MYSQL_TIME.self))
            return writer.text
        }

        /// Writes `YYYY-MM-DD hh:mm:ss` and the fractional digits.
        static func writeDateTime(
            in memory: UnsafeMutableRawBufferPointer, fractionDigits: Int
        ) -> UnsafeRawBufferPointer {
            let time = memory.load(as: MYSQL_TIME.self)
            var writer = Writer(memory)
            writer.putDate(time)
            writer.put(UInt8(ascii: " "))
            writer.putTime(time, fractionDigits)
            return writer.text
        }

        /// Writes `[-]hh:mm:ss` with two or three digits for the hours, and the fractional digits.
        static func writeTime(
            in memory: UnsafeMutableRawBufferPointer, fractionDigits: Int
        ) -> UnsafeRawBufferPointer {
            let time = memory.load(as: MYSQL_TIME.self)
            var writer = Writer(memory)
            if time.neg != 0 { writer.put(UInt8(ascii: "-")) }
            writer.putTime(time, fractionDigits)
            return writer.text
        }

        private struct Writer {
            private let memory: UnsafeMutableRawBufferPointer
            private var position = TemporalText.start

            init(_ memory: UnsafeMutableRawBufferPointer) {
                self.memory = memory
            }

            var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[TemporalText.start..<position]) }

            mutating func put(_ byte: UInt8) {
                memory[position] = byte
                position += 1
            }

            /// Writes the last `digits` digits of a number.
            private mutating func put(_ number: UInt32, digits: Int) {
                var rest = number
                for index in (position..<position + digits).reversed() {
                    memory[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                position += digits
            }

            mutating func putDate(_ time: MYSQL_TIME) {
                put(time.year, digits: 4)
                put(UInt8(ascii: "-"))
                put(time.month, digits: 2)
                put(UInt8(ascii: "-"))
                put(time.day, digits: 2)
            }

            mutating func putTime(_ time: MYSQL_TIME, _ fractionDigits: Int) {
                // For a TIME, the library has already added the days to the hours. The hour is at most 838.
                put(time.hour, digits: time.hour < 100 ? 2 : 3)
                put(UInt8(ascii: ":"))
                put(time.minute, digits: 2)
                put(UInt8(ascii: ":"))
                put(time.second, digits: 2)
                guard fractionDigits > 0 else { return }
                put(UInt8(ascii: "."))
                var fraction = UInt32(truncatingIfNeeded: time.second_part)
                for _ in fractionDigits..<6 { fraction /= 10 }
                put(fraction, digits: fractionDigits)
            }
        }
    }

    extension Double {
        /// Creates the number from the shortest decimal digits that identify a 32-bit number: 0.1 for the `Float` 0.1.
        /// A plain conversion of this `Float` would return 0.10000000149011612.
        init(shortestDecimalOf float: Float) {
            // Both types represent integers below 2²⁴ exactly.
            self =
                float.magnitude < 16_777_216 && float == float.rounded()
                ? Double(float) : Double("\(float)") ?? Double(float)
        }
    }
#endif
