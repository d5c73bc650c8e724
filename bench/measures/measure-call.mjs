import { startBareNode } from '../limit/bare-node.mjs';
import { runPgbench } from '../limit/run-pgbench.mjs';
import { drive } from '../load/drive.mjs';
import { bodies } from '../peers/postgraphile.mjs';
import { median } from '../report/median.mjs';
import { calls } from '../world/calls.mjs';
import { cpuSeconds } from '../world/process-usage.mjs';

/** So many calls until the engine has compiled what they run, for everyone alike. Until then that is half of the work. */
export const compiled = { seconds: 10, maxCalls: 5_000 };

/**
 * Ours and the limits by turns, so that whatever else the machine does falls on all of them. What a call uses up is made anew before
 * each turn (`fresh`, which answers ranges of ids), and lasts for `maxCalls`.
 */
export async function measureCall(world, measure, { repetitions, seconds, peer, ...limits }) {
  const { name, connections, goal, bareGoal, isKeyed = false, maxCalls = 1_000_000 } = measure;
  const rounds = [];
  const pgbench = measure.script ? limits.pgbench : null;
  const bare = measure.bare ? await startBareNode({ dsn: world.dsn, statements: [measure.bare(world)].flat() }) : null;
  const warmUpSeconds = 0.5;
  const turn = async (at, options) => {
    const ranges = { ...world.ranges, ...(await measure.fresh?.(world)) };
    return driveCall({ ...world, ...at, ranges }, name, {
      connections,
      ...options,
      maxCalls: Math.min(maxCalls, options.maxCalls ?? maxCalls),
    });
  };
  const bareServer = bare && { ...bare, server: bare };
  try {
    await turn({}, { isKeyed, ...compiled });
    if (bare) await turn(bareServer, compiled);
    if (peer && bodies[name]) await drivePeer(world, peer, { name, connections, ...compiled });
    for (let round = 0; round < repetitions; round++) {
      const ours = await turn({}, { seconds, warmUpSeconds, isKeyed });
      const limit = pgbench
        ? await runPgbench(pgbench, { dsn: world.dsn, script: measure.script(world), connections, seconds })
        : null;
      const second = bare ? await turn(bareServer, { seconds, warmUpSeconds }) : null;
      const peers =
        peer && bodies[name] ? await drivePeer(world, peer, { name, connections, seconds, warmUpSeconds }) : null;
      rounds.push({
        ...ours,
        limit,
        ratio: limit === null ? null : ours.perSecond / limit,
        bare: second?.perSecond,
        bareCpu: second?.cpu,
        bareRatio: second ? ours.perSecond / second.perSecond : null,
        peer: peers?.perSecond,
        peerCpu: peers?.cpu,
        peerRatio: peers ? ours.perSecond / peers.perSecond : null,
      });
    }
  } finally {
    await bare?.stop();
  }
  const of = (key) => median(rounds.map((round) => round[key]));
  return {
    measure: `${name}, ${connections} connections`,
    ours: `${of('perSecond').toFixed(0)}/s`,
    limit: pgbench ? `${of('limit').toFixed(0)}/s` : '–',
    ratio: of('ratio'),
    goal,
    ...(bare && {
      bare: `${of('bare').toFixed(0)}/s, ${of('bareCpu').toFixed(2)} ms`,
      bareRatio: of('bareRatio'),
      bareGoal,
    }),
    ...(peer &&
      bodies[name] && {
        peer: `${of('peer').toFixed(0)}/s, ${of('peerCpu').toFixed(2)} ms`,
        peerRatio: of('peerRatio'),
      }),
    latency: `${of('p50').toFixed(1)} / ${of('p99').toFixed(1)} ms`,
    cpu: rounds[0].cpu === null ? '–' : `${of('cpu').toFixed(2)} ms`,
    statements: world.statements[name].count,
  };
}

/** The peer's own words for the same work; its statements are planned in the first round as ours are. */
function drivePeer(world, peer, { name, ...options }) {
  const ranges = { ...world.ranges, company: [world.people.companyId, world.people.companyId] };
  return driveCall({ ...world, ...peer, server: peer, headers: {}, ranges }, name, { ...options, body: bodies[name] });
}

export async function driveCall(world, name, options) {
  const {
    connections,
    seconds,
    warmUpSeconds = 0,
    maxCalls = 1_000_000,
    body = calls[name],
    isKeyed = false,
  } = options;
  const before = cpuSeconds(world.server.pid);
  const { host, headers, ranges } = world;
  const done = await drive({ host, headers, isKeyed, ranges, body, connections, seconds, warmUpSeconds, maxCalls });
  const after = cpuSeconds(world.server.pid);
  return { ...done, cpu: before === null ? null : ((after - before) * 1_000) / done.total };
}
