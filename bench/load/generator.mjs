import { connectAll } from './connections.mjs';
import { toRequests } from './requests.mjs';

/**
 * Keep-alive connections that each send the next call as soon as the last is answered, for a bounded time and number of
 * calls. Plain sockets: what the generator uses of the CPU, the server does not get.
 */
let text = '';
for await (const chunk of process.stdin) text += chunk;
const job = JSON.parse(text);

const warmUpMs = job.warmUpSeconds * 1_000;
const runMs = job.seconds * 1_000;
const latencies = [];
let total = 0;
let measured = 0;
let refused = 0;
let refusal = '';

const startedAt = performance.now();
let lastAt = startedAt;
await connectAll({
  ...job,
  nextRequest: toRequests(job),
  mayGoOn: () => total < job.maxCalls && performance.now() - startedAt < warmUpMs + runMs,
  onAnswer({ isOk, body, sentAt }) {
    const now = performance.now();
    total++;
    if (!isOk) {
      refused++;
      refusal ||= body();
    }
    if (now - startedAt < warmUpMs) return;
    measured++;
    lastAt = now;
    latencies.push(now - sentAt);
  },
});

const seconds = (lastAt - startedAt - warmUpMs) / 1_000;
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
process.stdout.write(
  JSON.stringify({ total, perSecond: measured / seconds, p50: at(0.5), p99: at(0.99), refused, refusal }),
);
