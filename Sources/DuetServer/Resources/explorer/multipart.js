/** Cuts a `multipart/mixed` body (RFC 2046, section 5.1) into its parts as it comes. */
export class MultipartReader {
  /** @param {string} mediaType with its `boundary` */
  constructor(mediaType) {
    const boundary = mediaType.match(/boundary=(?:"([^"]*)"|([^\s;]+))/i);
    this.delimiter = `\r\n--${boundary?.[1] ?? boundary?.[2] ?? '-'}`;
    // The first delimiter needs no line in front of it.
    this.rest = '\r\n';
    this.isInPart = false;
    this.isAtEnd = false;
  }

  /** The bodies of the parts that are complete with this piece of text. */
  push(text) {
    this.rest += text;
    const bodies = [];
    while (!this.isAtEnd) {
      const at = this.rest.indexOf(this.delimiter);
      const after = at + this.delimiter.length;
      // Whether parts follow is in the two characters behind the delimiter.
      if (at < 0 || this.rest.length < after + 2) break;
      if (this.isInPart) bodies.push(this.body(this.rest.slice(0, at)));
      this.isInPart = true;
      this.isAtEnd = this.rest.startsWith('--', after);
      this.rest = this.rest.slice(after);
    }
    return bodies;
  }

  /** A part without its header fields, which end with an empty line. */
  body(part) {
    const end = part.indexOf('\r\n\r\n');
    return end < 0 ? part : part.slice(end + 4);
  }
}
