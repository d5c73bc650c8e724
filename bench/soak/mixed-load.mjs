import { Agent, request } from 'node:http';
import { calls } from '../world/calls.mjs';

/** One work day in small: mostly reading, some writing, now and then a page and a file. */
const mix = [
  ...Array(6).fill('list'),
  ...Array(5).fill('read'),
  ...Array(2).fill('group'),
  ...Array(4).fill('create'),
  ...Array(2).fill('write'),
  'page',
];
/** Loads so far: no two records of a run have the same name. */
let loads = 0;
const answerMs = 60_000;
/** After an answer that says "not now", as a client does that wants to be served. */
const pauseMs = 200;

/**
 * Clients that go on until they are stopped, each on another process after every answer. `places` gives the addresses, which change
 * when a process comes back elsewhere. What was acknowledged is kept by name, to be looked for in the end.
 */
export function startMixedLoad({ places, headers, ranges, clients }) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients * 2 });
  const load = ++loads;
  const acknowledged = [];
  const refused = new Map();
  const times = [];
  let answered = 0;
  let isOver = false;

  async function work(client) {
    for (let count = 0; !isOver; count++) {
      const kind = mix[(client * 7 + count) % mix.length];
      const name = `soak ${load} ${client}-${count}`;
      const began = performance.now();
      const told = await ask(kind, name, places()[(client + count) % places().length]);
      if (told === 'OK') {
        answered++;
        if (times.length < 2_000_000) times.push(performance.now() - began);
        if (kind === 'create') acknowledged.push(name);
        continue;
      }
      refused.set(told, (refused.get(told) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  function ask(kind, name, url) {
    const body = kind === 'page' ? '' : bodyOf(kind, name, ranges);
    const path = kind === 'page' ? '/web/wc/workspace?model=bench.order&view_type=list' : '/api/rpc';
    const options = {
      agent,
      method: body === '' ? 'GET' : 'POST',
      headers: { ...headers, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
      timeout: answerMs,
    };
    return new Promise((resolve) => {
      const asked = request(url + path, options, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece) => {
          if (text.length < 300) text += piece;
        });
        answer.on('end', () => resolve(toldBy(answer.statusCode, text)));
        answer.on('error', () => resolve('no answer'));
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => resolve('no answer'));
      asked.end(body);
    });
  }

  const running = Array.from({ length: clients }, (_, client) => work(client));
  return {
    acknowledged,
    refused,
    times,
    get answered() {
      return answered;
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}

function toldBy(status, text) {
  if (status === 200) return 'OK';
  return /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? `status ${status}`;
}

function bodyOf(kind, name, ranges) {
  const any = ([least, most]) => String(least + Math.floor(Math.random() * (most - least + 1)));
  return calls[kind]
    .replaceAll('@id', any(ranges.id))
    .replaceAll('@partner', any(ranges.partner))
    .replace('New @n', name)
    .replaceAll('@n', name);
}
