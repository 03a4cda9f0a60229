/**
 * Reads the server-sent events of a response (WHATWG HTML, section 9.2). The page does not use `EventSource`, which
 * cannot send a token.
 *
 * @param {Response} response
 * @param {function(number)} onRetry receives the time in milliseconds after which a client must connect again
 * @yields {{name: string, data: string, bytes: number}} `bytes` is the size of the body so far
 */
export async function* eventsIn(response, onRetry) {
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop();
      for (const { retry, ...event } of blocks.map(parsed)) {
        if (retry) onRetry(Number(retry));
        if (event.data !== null) yield { ...event, bytes };
      }
    }
  } finally {
    // The caller may need no further events. A browser permits few connections to a server.
    reader.cancel().catch(() => {});
  }
}

/** Returns the fields of a block of lines. A block without data is no event, so its `data` is null. */
function parsed(block) {
  const fields = block.split('\n').filter((line) => line !== '' && !line.startsWith(':')).map((line) => line.match(/^(?<name>[^:]*):? ?(?<value>.*)$/).groups);
  const values = (name) => fields.filter((field) => field.name === name).map(({ value }) => value);
  const data = values('data');
  return { name: values('event').at(-1) ?? 'message', data: data.length > 0 ? data.join('\n') : null, retry: values('retry').at(-1) };
}
