import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Many sockets on the bus, and changes at a steady pace from the same process, so that one clock tells how long each message took
 * from the answer to its change to its arrival. Plain sockets: what this process uses of the CPU, the server does not get.
 */
let text = '';
for await (const chunk of process.stdin) text += chunk;
const job = JSON.parse(text);

const latencies = [];
/** When the answer to a change came, by record; and arrivals that came before it. */
const answeredAt = new Map();
const early = new Map();
let isMeasuring = false;
let heard = 0;
let lost = 0;

const sockets = await openAll();
await pause(500);
const changes = await makeChanges();
await pause(1_000);
for (const socket of sockets) socket.destroy();
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
process.stdout.write(JSON.stringify({ changes, heard, lost, p50: at(0.5), p99: at(0.99), max: at(1) }));

async function openAll() {
  const opened = [];
  for (let at = 0; at < job.sockets; at += 50) {
    const tokens = job.tokens.slice(at, at + 50);
    opened.push(...(await Promise.all(tokens.map(open))));
  }
  return opened;
}

function open(token) {
  const [host, port] = job.host.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host);
    let isOpen = false;
    let rest = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('close', () => lost++);
    socket.on('data', (chunk) => {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isOpen) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0) {
          rest = bytes;
          return;
        }
        const head = bytes.subarray(0, end).toString();
        if (!head.startsWith('HTTP/1.1 101')) return reject(new Error(head));
        isOpen = true;
        bytes = bytes.subarray(end + 4);
        resolve(socket);
      }
      rest = takeFrames(socket, bytes);
    });
    socket.write(
      `GET /web/wc/bus HTTP/1.1\r\nHost: ${job.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: svc_session=${token}\r\n\r\n`,
    );
  });
}

/** Reads whole frames of less than 64 kB and returns what is left over. */
function takeFrames(socket, bytes) {
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = bytes[at + 1] & 0x7f;
    const headLength = short === 126 ? 4 : 2;
    if (bytes.length - at < headLength) break;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    const end = at + headLength + length;
    if (bytes.length < end) break;
    const kind = bytes[at] & 0x0f;
    if (kind === 1) onMessage(bytes.toString('latin1', at + headLength, end));
    else if (kind === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
    at = end;
  }
  return bytes.subarray(at);
}

function onMessage(message) {
  if (!isMeasuring || !message.startsWith('{"channel":"record.updated"')) return;
  heard++;
  const id = Number(/"id":(\d+)/.exec(message)[1]);
  const now = performance.now();
  const answered = answeredAt.get(id);
  if (answered !== undefined) latencies.push(now - answered);
  else {
    const known = early.get(id);
    if (known) known.push(now);
    else early.set(id, [now]);
  }
}

async function makeChanges() {
  const everyMs = 1_000 / job.perSecond;
  const total = job.perSecond * job.seconds;
  const startedAt = performance.now();
  const underway = [];
  isMeasuring = true;
  for (let n = 0; n < total; n++) {
    const wait = startedAt + n * everyMs - performance.now();
    if (wait > 0) await pause(wait);
    underway.push(change(job.firstId + n, n));
  }
  await Promise.all(underway);
  return total;
}

async function change(id, n) {
  const answer = await fetch(`http://${job.host}/api/rpc`, {
    method: 'POST',
    headers: { ...job.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench.order', method: 'write', args: [[id], { note: `Gate ${n} ${Date.now()}` }] }),
  });
  const { ok, error } = await answer.json();
  if (!ok) throw new Error(`${error.code} ${error.message}`);
  const now = performance.now();
  answeredAt.set(id, now);
  for (const arrived of early.get(id) ?? []) latencies.push(Math.max(0, arrived - now));
  early.delete(id);
}
