import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { captureStatements } from './capture-statements.mjs';
import { connect } from './connect.mjs';
import { fill, idRanges, sizeOfW } from './fill.mjs';
import { fillApps } from './fill-apps.mjs';
import { callAs, firstRun } from './first-run.mjs';
import { residentMegabytes } from './process-usage.mjs';
import { cacheDir, embeddedDsn, startServer } from './server-process.mjs';

/**
 * A server with data W and an ordinary user, the SQL that it sends for each measured call, and a connection beside it. `apps`
 * are installed as well; CRM has leads and quotations.
 */
export async function openWorld({ name = 'world', nodeFlags = [], apps = [] }) {
  const place = await openPlace(name);
  const start = () => startServer({ ...place, logFile: join(cacheDir, `${name}.log`), nodeFlags });
  let server = await start();
  let client = null;
  try {
    const people = await firstRun(server.url, apps);
    client = await connect(place.dsn ?? embeddedDsn(place.dataDir));
    await fill(client, people, sizeOfW);
    const ranges = await idRanges(client, people);
    if (apps.includes('crm')) Object.assign(ranges, await fillApps(client, people, ranges));
    await client.end();
    // A server that has just set itself up holds more than one that was only started.
    await server.stop();
    server = await start();
    const dsn = place.dsn ?? embeddedDsn(place.dataDir);
    client = await connect(dsn);
    const headers = { 'x-api-key': people.apiKey };
    await callAs(server.url, headers, { model: 'bench.order', method: 'search', args: [[]], kwargs: { limit: 1 } });
    await pause(2_000);
    const restMegabytes = residentMegabytes(server.pid);
    const statements = await captureStatements(dsn, headers, ranges);
    const host = server.url.slice('http://'.length);
    const world = { server, host, dsn, client, headers, people, ranges, statements, restMegabytes };
    return { ...world, close: () => close(server, client, place) };
  } catch (error) {
    await close(server, client, place);
    throw error;
  }
}

async function close(server, client, place) {
  await client?.end();
  await server.stop();
  await place.remove();
}

/** An empty data directory, and an empty database where KONTOR_TEST_DSN says on which server. */
export async function openPlace(name) {
  const dataDir = join(cacheDir, `${name}-${process.pid}`);
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const given = process.env.KONTOR_TEST_DSN;
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  if (!given) return { dataDir, dsn: null, remove: async () => remove() };
  const database = `kontor_bench_${randomBytes(6).toString('hex')}`;
  await onCluster(given, `create database ${database}`);
  const url = new URL(given);
  url.pathname = `/${database}`;
  return {
    dataDir,
    dsn: url.toString(),
    async remove() {
      remove();
      await onCluster(given, `drop database ${database} with (force)`);
    },
  };
}

async function onCluster(dsn, statement) {
  const client = await connect(dsn);
  await client.query(statement).finally(() => client.end());
}
