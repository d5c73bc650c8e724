import { createDatabase, sql, startEmbedded } from '../index.ts';

/** A process of its own around an embedded server, for tests that kill it. Tells each step as a line of JSON. */
const tell = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);
const log = {
  info: (message: string) => void tell({ info: message }),
  warn: (message: string) => void tell({ warn: message }),
};

async function main(dataDir: string): Promise<void> {
  const server = await startEmbedded({ dataDir, log, settings: { fsync: 'off' } });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)));
  const database = createDatabase({ connection: server.connection, maxConnections: 1, onWarning: () => {} });
  await database.execute(sql`create table if not exists kept (note text)`);
  await database.execute(sql`insert into kept values ('written before the kill')`);
  tell({ ready: { pid: process.pid, server: server.pid, home: server.home, uid: process.getuid?.() } });
  setInterval(() => {}, 60_000);
}

main(process.argv[2] as string).catch((error: Error) => {
  tell({ failed: error.message });
  process.exit(1);
});
