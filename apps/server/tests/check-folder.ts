import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

export interface Report {
  readonly ok: boolean;
  readonly findings: readonly {
    readonly addon: string;
    readonly file: string;
    readonly line: number;
    readonly path: string;
    readonly severity: string;
    readonly check: string;
    readonly message: string;
    readonly fix: string;
  }[];
}

/** A folder for addons, and `kontor` in it. */
export function openCheckFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-check-'));

  function kontor(...args: string[]) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'bin/kontor.mjs'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, KONTOR_ADDONS_PATH: '', KONTOR_TEST_RUN: process.env.KONTOR_TEST_RUN },
    });
    return { stdout, stderr, status };
  }

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  function edit(file: string, change: (text: string) => string): void {
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  }

  function lineOf(file: string, text: string): number {
    return (
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(text)) + 1
    );
  }

  function makeAddon(name: string, depends: readonly string[], files: Readonly<Record<string, string>>): void {
    write(`${name}/manifest.json`, JSON.stringify({ name, label: name, version: '1.0.0', kontor: '^0.1', depends }));
    for (const [file, text] of Object.entries(files)) write(`${name}/${file}`, text);
  }

  return { folder, kontor, write, edit, lineOf, makeAddon };
}
