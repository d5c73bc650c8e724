import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const generator = fileURLToPath(new URL('generator.mjs', import.meta.url));

/** Sends one kind of call for a while from a process of its own; fails when the server refused any. */
export async function drive(job) {
  const child = spawn(process.execPath, [generator], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(job));
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  if (text === '') throw new Error('The load generator ended without a result.');
  const result = JSON.parse(text);
  if (result.refused > 0) throw new Error(`${result.refused} calls were refused, the first with: ${result.refusal}`);
  return result;
}
