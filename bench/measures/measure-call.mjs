import { runPgbench } from '../limit/run-pgbench.mjs';
import { drive } from '../load/drive.mjs';
import { median } from '../report/median.mjs';
import { calls } from '../world/calls.mjs';
import { cpuSeconds } from '../world/process-usage.mjs';

/** Ours and the limit by turns, so that whatever else the machine does falls on both. */
export async function measureCall(world, measure, { pgbench, repetitions, seconds }) {
  const { name, connections, goal } = measure;
  const rounds = [];
  for (let round = 0; round < repetitions; round++) {
    const ours = await driveCall(world, name, { connections, seconds, warmUpSeconds: round === 0 ? 3 : 0.5 });
    const limit = pgbench
      ? await runPgbench(pgbench, { dsn: world.dsn, script: measure.script(world), connections, seconds })
      : null;
    rounds.push({ ...ours, limit, ratio: limit === null ? null : ours.perSecond / limit });
  }
  const of = (key) => median(rounds.map((round) => round[key]));
  return {
    measure: `${name}, ${connections} connections`,
    ours: `${of('perSecond').toFixed(0)}/s`,
    limit: pgbench ? `${of('limit').toFixed(0)}/s` : '–',
    ratio: of('ratio'),
    goal,
    latency: `${of('p50').toFixed(1)} / ${of('p99').toFixed(1)} ms`,
    cpu: rounds[0].cpu === null ? '–' : `${of('cpu').toFixed(2)} ms`,
    statements: world.statements[name].count,
  };
}

export async function driveCall(world, name, { connections, seconds, warmUpSeconds = 0, maxCalls = 1_000_000 }) {
  const before = cpuSeconds(world.server.pid);
  const { host, headers, ranges } = world;
  const done = await drive({ host, headers, ranges, body: calls[name], connections, seconds, warmUpSeconds, maxCalls });
  const after = cpuSeconds(world.server.pid);
  return { ...done, cpu: before === null ? null : ((after - before) * 1_000) / done.total };
}
