import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * A secret is never on the command line, where other users of the machine see it: it comes from a file, a pipe, or a prompt without
 * echo.
 */
export async function readSecret(prompt: string, file: string | undefined): Promise<string> {
  const secret = file === undefined ? await ask(prompt) : readFirstLine(file);
  if (secret === '') throw new Error(`${prompt} is empty.`);
  return secret;
}

function readFirstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? '';
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function ask(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(`${prompt}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  return new Promise((resolve) => {
    let answer = '';
    lines.once('line', (line) => {
      answer = line;
      lines.close();
    });
    lines.once('close', () => {
      if (stdin.isTTY) stderr.write('\n');
      resolve(answer);
    });
  });
}
