import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCapture } from '../limit/capture.mjs';
import { calls } from './calls.mjs';
import { callAs } from './first-run.mjs';
import { cacheDir, startServer } from './server-process.mjs';

const rounds = 4;

/** What a second server on the same database sends for each call: the statement on orders, and how many there are in all. */
export async function captureStatements(dsn, headers, ranges) {
  const capture = await openCapture(dsn);
  try {
    const server = await startServer({
      dataDir: join(cacheDir, 'capture'),
      dsn: capture.dsn,
      logFile: join(cacheDir, 'capture.log'),
    });
    try {
      const found = {};
      for (const [name, template] of Object.entries(calls)) {
        if (!namesIn(template).every((place) => place === 'n' || place in ranges)) continue;
        const nextHeaders = () => (name === 'keyed' ? { ...headers, 'idempotency-key': randomUUID() } : headers);
        found[name] = await captureCall(capture, server, nextHeaders, bodyOf(template, ranges));
      }
      writeFileSync(join(cacheDir, 'statements.sql'), Object.entries(found).map(describe).join('\n'));
      return found;
    } finally {
      await server.stop();
    }
  } finally {
    capture.close();
  }
}

/** The last rounds find caches warm; what other work of the server slipped in does not do so each time. */
async function captureCall(capture, server, nextHeaders, nextBody) {
  let main = null;
  let count = Number.POSITIVE_INFINITY;
  let last = [];
  for (let round = 0; round < rounds; round++) {
    capture.take();
    await callAs(server.url, nextHeaders(), nextBody());
    const sent = capture.take();
    main = sent.find((statement) => statement.text.includes('"bench_order"')) ?? main;
    if (round > 1) count = Math.min(count, sent.length);
    last = sent;
  }
  return { main, count, all: last };
}

/** For a person who wants to see the plans behind a number. */
function describe([name, { all }]) {
  return `-- ${name}\n${all.map(({ text, values }) => `${text.trim()};\n-- ${JSON.stringify(values)}`).join('\n')}\n`;
}

/** Each body has the first id of a range, the following ones of a sequence, and a number of its own. */
function bodyOf(template, ranges) {
  let n = 0;
  return () => {
    n++;
    const value = (name) => {
      if (name === 'n') return `capture ${n}`;
      const range = ranges[name];
      return Array.isArray(range) ? range[0] : range.next + n - 1;
    };
    return JSON.parse(template.replace(/@([a-z]+)/g, (_, name) => String(value(name))));
  };
}

function namesIn(template) {
  return [...template.matchAll(/@([a-z]+)/g)].map(([, name]) => name);
}
