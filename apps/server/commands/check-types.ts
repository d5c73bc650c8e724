import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { Addon, Finding } from '@kontor/kernel';

/** The errors of the author's own compiler in the code of an addon, for the server and for the browser; null: it did not run. */
export async function checkTypes({ name, folder }: Addon): Promise<readonly Finding[] | null> {
  const compiler = compilerOf(folder);
  const projects = [folder, join(folder, 'client')].filter((each) => existsSync(join(each, 'tsconfig.json')));
  if (compiler === null || projects.length === 0) return null;
  const outputs = await Promise.all(projects.map((project) => run(compiler, project)));
  return outputs.flatMap((output, index) => findingsIn(output, name, folder, projects[index] as string));
}

function compilerOf(folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json'))
      .resolve('typescript/package.json')
      .replace(/package\.json$/, 'bin/tsc');
  } catch {
    return null; // Without the compiler there are no types to check.
  }
}

function run(compiler: string, project: string): Promise<string> {
  return new Promise((done) => {
    const args = [compiler, '-p', project, '--noEmit', '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: project, maxBuffer: 32_000_000 }, (_error, output) => done(output));
  });
}

const report = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/;
/** Longer ones are a type written out, which tells an author nothing. */
const readable = 160;

function findingsIn(output: string, addon: string, folder: string, project: string): readonly Finding[] {
  const findings: Finding[] = [];
  // The compiler continues a message on indented lines, from the whole to the part that is wrong.
  for (const [first = '', ...reasons] of output.split(/\n(?!\s)/).map((each) => each.split('\n'))) {
    const [, file, at, code, said = ''] = report.exec(first) ?? [];
    if (file === undefined) continue;
    const [, message = said, fix = ''] = /^(.*?)( Did you mean .*)?$/.exec(innermost([said, ...reasons])) ?? [];
    const path = relative(folder, resolve(project, file));
    const place = { addon, file: path, line: Number(at) };
    findings.push({ ...place, severity: 'error', check: 'types', message: `${message} (${code})`, fix: fix.trim() });
  }
  return findings;
}

/** The first line if it can be read, with the innermost reason that can. */
function innermost(lines: readonly string[]): string {
  const [first = '', ...reasons] = lines.map((line) => line.trim()).filter((line) => line !== '');
  const reason = reasons.filter((line) => line.length <= readable).at(-1);
  if (reason === undefined) return first.length <= readable ? first : `${first.slice(0, readable)}…`;
  return first.length <= readable ? `${first} ${reason}` : reason;
}
