/** Splits a `multipart/mixed` body (RFC 2046, section 5.1) into its parts while it is received. */
export class MultipartReader {
  /** @param {string} mediaType the media type with its `boundary` */
  constructor(mediaType) {
    const boundary = mediaType.match(/boundary=(?:"([^"]*)"|([^\s;]+))/i);
    this.delimiter = `\r\n--${boundary?.[1] ?? boundary?.[2] ?? '-'}`;
    // The first delimiter can be at the beginning of the body, without a preceding line end.
    this.rest = '\r\n';
    this.isInPart = false;
  }

  /**
   * Returns the bodies of the parts that this piece of text completes. A part is complete when its closing delimiter
   * was received.
   */
  push(text) {
    this.rest += text;
    const bodies = [];
    for (;;) {
      const at = this.rest.indexOf(this.delimiter);
      if (at < 0) return bodies;
      // The text before the first delimiter and the text after the last delimiter are not parts.
      if (this.isInPart) bodies.push(this.body(this.rest.slice(0, at)));
      this.isInPart = true;
      this.rest = this.rest.slice(at + this.delimiter.length);
    }
  }

  /** Returns the body of a part, without its header fields. An empty line ends the header fields. */
  body(part) {
    const end = part.indexOf('\r\n\r\n');
    return end < 0 ? part : part.slice(end + 4);
  }
}
