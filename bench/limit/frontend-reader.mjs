/** Follows what a client sends in PostgreSQL's protocol and reports each statement that it runs, with its parameters. */
export function frontendReader(onStatement) {
  const prepared = new Map();
  let rest = Buffer.alloc(0);
  let isStarted = false;
  let bound = null;

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const lead = isStarted ? 1 : 0;
      if (rest.length < lead + 4) return;
      const end = lead + rest.readInt32BE(lead);
      if (rest.length < end) return;
      if (isStarted) message(String.fromCharCode(rest[0]), rest.subarray(5, end));
      isStarted = true;
      rest = rest.subarray(end);
    }
  };

  function message(type, body) {
    if (type === 'Q') onStatement({ text: textAt(body, 0).text, values: [] });
    else if (type === 'P') {
      const name = textAt(body, 0);
      prepared.set(name.text, textAt(body, name.end).text);
    } else if (type === 'B') bound = bindOf(body);
    else if (type === 'E' && bound) onStatement({ text: prepared.get(bound.statement) ?? '', values: bound.values });
  }
}

function textAt(body, start) {
  const end = body.indexOf(0, start);
  return { text: body.toString('utf8', start, end), end: end + 1 };
}

function bindOf(body) {
  const statement = textAt(body, textAt(body, 0).end);
  let at = statement.end + 2 + 2 * body.readInt16BE(statement.end);
  const count = body.readInt16BE(at);
  at += 2;
  const values = [];
  for (let i = 0; i < count; i++) {
    const length = body.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(length, 0);
  }
  return { statement: statement.text, values };
}
