import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds } from '../world/process-usage.mjs';

/**
 * Many sockets on the bus, and changes at a steady pace. Clients are on other machines in practice, and what this process uses of
 * the CPU the server does not get: so one socket of forty reads at once and notes when each message came. The others, which are only
 * counted, have their bytes lie in the kernel, and are read every few seconds. Changes before the measured ones warm both sides up.
 */
const timedEvery = 40;
const countMs = 4_000;
const countEveryMs = 100;
const warmUpSeconds = 2;
const messageStart = Buffer.from('{"channel":"record.updated","payload":{"id":');

let text = '';
for await (const chunk of process.stdin) text += chunk;
const job = JSON.parse(text);

/** Arrivals of each record's message at the timed sockets, by the clock of the machine. */
const arrivals = new Map();
let isOver = false;
let heard = 0;
let lost = 0;

const sockets = await openAll();
const counted = sockets.filter((_, index) => index % timedEvery !== 0);
await pause(500);
const counting = setInterval(countSome, countEveryMs);
await makeChanges(job.warmUpId, warmUpSeconds);
const cpuBefore = cpuSeconds(job.serverPid);
const changes = await makeChanges(job.firstId, job.seconds);
const cpu = (cpuSeconds(job.serverPid) - cpuBefore) / job.seconds;
await pause(1_000);
clearInterval(counting);
isOver = true;
for (const socket of counted) socket.resume();
for (let last = -1; last !== heard; await pause(200)) last = heard;
for (const socket of sockets) socket.destroy();
process.stdout.write(JSON.stringify({ changes, heard, lost, cpu, arrivals: [...arrivals] }));

async function openAll() {
  const opened = [];
  for (let at = 0; at < job.sockets; at += 50) {
    const tokens = job.tokens.slice(at, at + 50);
    opened.push(...(await Promise.all(tokens.map((token, index) => open(token, (at + index) % timedEvery === 0)))));
  }
  return opened;
}

function open(token, isTimed) {
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
      rest = takeFrames(socket, bytes, isTimed);
      if (!isTimed && !isOver) socket.pause();
    });
    socket.write(
      `GET /web/wc/bus HTTP/1.1\r\nHost: ${job.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: svc_session=${token}\r\n\r\n`,
    );
  });
}

/** Lets the next of those that are only counted read what has come for them. */
function countSome() {
  const some = Math.ceil((counted.length * countEveryMs) / countMs);
  for (const socket of counted.splice(0, some)) {
    socket.resume();
    counted.push(socket);
  }
}

/** Reads whole frames of less than 64 kB and returns what is left over. */
function takeFrames(socket, bytes, isTimed) {
  const now = performance.timeOrigin + performance.now();
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = bytes[at + 1] & 0x7f;
    const headLength = short === 126 ? 4 : 2;
    if (bytes.length - at < headLength) break;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    const end = at + headLength + length;
    if (bytes.length < end) break;
    const kind = bytes[at] & 0x0f;
    if (kind === 1) onMessage(bytes, at + headLength, isTimed ? now : null);
    else if (kind === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
    at = end;
  }
  return bytes.subarray(at);
}

function onMessage(bytes, start, now) {
  const idAt = start + messageStart.length;
  if (messageStart.compare(bytes, start, idAt) !== 0) return;
  let id = 0;
  for (let at = idAt; bytes[at] >= 0x30 && bytes[at] <= 0x39; at++) id = id * 10 + bytes[at] - 0x30;
  if (id < job.firstId || id >= job.firstId + job.perSecond * job.seconds) return;
  heard++;
  if (now === null) return;
  const known = arrivals.get(id);
  if (known) known.push(now);
  else arrivals.set(id, [now]);
}

async function makeChanges(firstId, seconds) {
  const everyMs = 1_000 / job.perSecond;
  const total = job.perSecond * seconds;
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const underway = [];
  for (let n = 0; n < total; n++) {
    const wait = startedAt + n * everyMs - performance.now();
    if (wait > 0) await pause(wait);
    underway.push(change(agent, firstId + n, n));
  }
  await Promise.all(underway);
  agent.destroy();
  return total;
}

function change(agent, id, n) {
  const [host, port] = job.host.split(':');
  const headers = { ...job.headers, 'content-type': 'application/json' };
  const body = JSON.stringify({
    model: 'bench.order',
    method: 'write',
    args: [[id], { note: `Gate ${n} ${Date.now()}` }],
  });
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host, port, method: 'POST', path: '/api/rpc', headers }, async (answer) => {
      let said = '';
      for await (const chunk of answer) said += chunk;
      if (answer.statusCode === 200) resolve();
      else reject(new Error(said.slice(0, 500)));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
