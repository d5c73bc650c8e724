import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../world/server-process.mjs';

const run = promisify(execFile);

/** Transactions a second of a script, with prepared statements. */
export async function runPgbench(program, { dsn, script, connections, seconds }) {
  const file = join(cacheDir, 'limit.sql');
  await writeFile(file, script.text);
  const given = Object.entries(script.variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
  const threads = Math.min(2, connections);
  const args = ['-n', '-M', 'prepared', '-f', file, '-c', connections, '-j', threads, '-T', seconds, ...given, dsn];
  const { stdout } = await run(program, args.map(String), { maxBuffer: 10_000_000 });
  const [, perSecond] = /tps = ([\d.]+) \(without/.exec(stdout) ?? [];
  const [, failed] = /number of failed transactions: (\d+)/.exec(stdout) ?? [];
  if (perSecond === undefined || Number(failed) > 0) throw new Error(`pgbench did not finish well:\n${stdout}`);
  return Number(perSecond);
}
