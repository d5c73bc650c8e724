import { residentMegabytes } from '../world/process-usage.mjs';

const lookMs = 20;

/** Takes a file as it comes; says how long that took and the most memory that the server held meanwhile. */
export async function download({ host, server }, token, path, encoding = 'identity') {
  const startedAt = performance.now();
  let peak = residentMegabytes(server.pid);
  const looking = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(server.pid));
  }, lookMs);
  try {
    const answer = await fetch(`http://${host}${path}`, {
      headers: { cookie: `svc_session=${token}`, 'accept-encoding': encoding },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    let bytes = 0;
    let lines = 0;
    for await (const chunk of answer.body) {
      bytes += chunk.length;
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
    }
    return { seconds: (performance.now() - startedAt) / 1_000, bytes, lines, peak };
  } finally {
    clearInterval(looking);
  }
}
