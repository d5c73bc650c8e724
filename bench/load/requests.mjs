/**
 * Makes the next request's text: a template whose `@name` places get a random id from a range (`[first, last]`), the next id of a
 * sequence (`{ next }`), or, for `@n`, a running number. With `isKeyed` each request has an idempotency key.
 */
export function toRequests({ host, headers, body, ranges, isKeyed = false }) {
  const parts = body.split(/(@[a-z]+)/);
  const head = [
    'POST /api/rpc HTTP/1.1',
    `Host: ${host}`,
    'Content-Type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Length: ',
  ].join('\r\n');
  const started = Date.now();
  let sent = 0;
  let keys = 0;
  return () => {
    let text = '';
    for (const part of parts) text += part[0] === '@' ? value(part.slice(1)) : part;
    const key = isKeyed ? `\r\nIdempotency-Key: ${started}-${process.pid}-${++keys}` : '';
    return `${head}${text.length}${key}\r\n\r\n${text}`;
  };

  function value(name) {
    if (name === 'n') return `${started}-${++sent}`;
    if (!Array.isArray(ranges[name])) return String(ranges[name].next++);
    const [first, last] = ranges[name];
    return String(first + Math.floor(Math.random() * (last - first + 1)));
  }
}
