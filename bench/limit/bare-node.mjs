import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/**
 * The second limit: node:http and `pg`, with the statements that the work needs and nothing else. No session, no rights but
 * the rules in the statements, no change set, no event. Run as a program it is that server; its job comes on standard input.
 */
const file = fileURLToPath(import.meta.url);
const sameAsServer = 10;

/**
 * Starts it in a process of its own. A statement has its text and its values, each fixed, from the arguments of the call (`path`, with
 * `each` from every item of a list there) or from the rows of an earlier statement (`row`: its place and column; with `all` of every
 * row). Several statements are one transaction; every one of them must give or change a row.
 */
export async function startBareNode({ dsn, statements }) {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end(JSON.stringify({ dsn, statements }));
  const port = await new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(Number(chunk)));
    child.once('exit', () => reject(new Error('The bare server did not start.')));
  });
  return {
    host: `127.0.0.1:${port}`,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function serve() {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  const { dsn, statements } = JSON.parse(text);
  const pool = new pg.Pool({ connectionString: dsn, max: sameAsServer });
  const work =
    statements.length === 1 ? (args) => run(pool, statements, args) : (args) => transact(pool, statements, args);
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const rows = await work(JSON.parse(Buffer.concat(chunks).toString()).args);
      const answer = Buffer.from(JSON.stringify({ ok: rows !== null, result: rows, error: null }));
      response.writeHead(rows === null ? 404 : 200, {
        'content-type': 'application/json',
        'content-length': answer.length,
      });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
  process.once('SIGTERM', () => process.exit(0));
}

async function transact(pool, statements, args) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const rows = await run(client, statements, args);
    await client.query(rows === null ? 'rollback' : 'commit');
    return rows;
  } finally {
    client.release();
  }
}

/** The rows of the last statement; null as soon as one of them finds nothing. */
async function run(client, statements, args) {
  const found = [];
  for (const [place, { text, values }] of statements.entries()) {
    const given = values.map((value) => parameterOf(value, args, found));
    const { rows, rowCount } = await client.query({ name: `work ${place}`, text, values: given });
    if (rowCount === 0) return null;
    found.push(rows);
  }
  return found.at(-1);
}

function parameterOf(value, args, found) {
  if (value?.row) {
    const [place, column] = value.row;
    const cells = found[place].map((row) => row[column]);
    return value.all ? cells : cells[0];
  }
  if (!value?.path) return value;
  const at = (from, path) => path.reduce((inner, key) => inner[key], from);
  const given = at(args, value.path);
  return value.each ? given.map((item) => at(item, value.each)) : given;
}

if (process.argv[1] === file) await serve();
