import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * The other program's data: one file, of which each line says something new. What belongs together is appended in one piece and
 * ends with a line that says so, and a piece without its end is not believed: a kill at any moment leaves the file as it was
 * before or after.
 *
 * `{"put": {key, values, …}}` is a line of data: `id` the record of Kontor that it belongs to, `base` the values that both sides
 * had last. `{"drop": key}` takes one away. Other programs write `{"edit": {key, values}}`, new or not, and `{"delete": key}`.
 */
export function openStore(file) {
  const rows = new Map();
  const byId = new Map();
  const changeSets = new Set();
  const conflicts = [];
  let cursor = null;

  const put = (row) => {
    rows.set(row.key, row);
    if (row.id) byId.set(row.id, row.key);
  };
  const drop = (key) => {
    const row = rows.get(key);
    if (row?.id) byId.delete(row.id);
    rows.delete(key);
  };
  const take = {
    put,
    drop,
    cursor: (value) => {
      cursor = value;
    },
    changeSet: (value) => changeSets.add(value),
    conflict: (value) => conflicts.push(value),
    edit: ({ key, values }) => {
      const { isGone: _, ...row } = rows.get(key) ?? {};
      put({ ...row, key, values: { ...row.values, ...values } });
    },
    // Kept until Kontor has heard of it, also where its record is not known: a call may be on its way.
    delete: (key) => {
      if (rows.has(key)) put({ ...rows.get(key), isGone: true });
    },
  };
  const believe = (lines) => {
    for (const line of lines) for (const [name, value] of Object.entries(line)) take[name]?.(value);
  };

  if (existsSync(file)) {
    let waiting = [];
    let whole = 0;
    const bytes = readFileSync(file);
    for (let start = 0, end = bytes.indexOf(10); end !== -1; start = end + 1, end = bytes.indexOf(10, start)) {
      const line = JSON.parse(bytes.toString('utf8', start, end));
      if ('part' in line) waiting.push(line.part);
      else {
        believe(line.end ? waiting : [line]);
        waiting = [];
        whole = end + 1;
      }
    }
    if (whole < bytes.length) writeFileSync(file, bytes.subarray(0, whole));
  }

  return {
    rows,
    changeSets,
    conflicts,
    get cursor() {
      return cursor;
    },
    rowOf: (id) => rows.get(byId.get(id)),
    /** Believed and on disk, all of it or nothing. */
    append(lines) {
      if (lines.length === 0) return;
      const parts = lines.map((part) => `${JSON.stringify({ part })}\n`).join('');
      appendFileSync(file, `${parts}{"end":true}\n`);
      believe(lines);
    },
    /** The same data in as few lines as they need. */
    tidy() {
      const lines = [...rows.values()].map((row) => ({ put: row }));
      const rest = [{ cursor }, ...conflicts.map((conflict) => ({ conflict }))];
      writeFileSync(`${file}.new`, [...lines, ...rest].map((line) => `${JSON.stringify(line)}\n`).join(''));
      renameSync(`${file}.new`, file);
    },
  };
}
