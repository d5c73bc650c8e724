import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/**
 * The second limit: node:http and `pg`, with the one statement that the work needs and nothing else. No session, no rights but
 * the rule in the statement, no change set, no event. Run as a program it is that server; its job comes on standard input.
 */
const file = fileURLToPath(import.meta.url);
const sameAsServer = 10;

/** Starts it in a process of its own. `statement` has the text, its fixed values, and which parameters the body fills. */
export async function startBareNode({ dsn, statement }) {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end(JSON.stringify({ dsn, statement }));
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
  const { dsn, statement } = JSON.parse(text);
  const pool = new pg.Pool({ connectionString: dsn, max: sameAsServer });
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const values = statement.values.map((value) => (value?.path ? valueAt(body, value.path) : value));
      const { rows } = await pool.query({ name: 'work', text: statement.text, values });
      const answer = Buffer.from(JSON.stringify({ ok: rows.length > 0, result: rows, error: null }));
      response.writeHead(rows.length > 0 ? 200 : 404, {
        'content-type': 'application/json',
        'content-length': answer.length,
      });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
  process.once('SIGTERM', () => process.exit(0));
}

function valueAt(body, path) {
  return path.reduce((value, key) => value[key], body.args);
}

if (process.argv[1] === file) await serve();
