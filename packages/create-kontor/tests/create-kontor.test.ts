import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { long } from '@kontor/testing/long';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'kontor-create-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function create(...args: string[]) {
  const script = join(import.meta.dirname, '../create-kontor.mjs');
  return spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
}

describe('PKG-5 create-kontor', () => {
  it('writes an addon under its name, with settings for compiler, editor and CI', () => {
    const { stdout, status } = create('tool_shed');
    expect(status).toBe(0);
    expect(stdout).toContain('cd tool_shed');
    const home = join(folder, 'tool_shed');
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const file of files) {
      expect(file.name).not.toMatch(/starter/i);
      expect(readFileSync(join(file.parentPath, file.name), 'utf8'), file.name).not.toMatch(/starter/i);
    }
    const read = (path: string) => readFileSync(join(home, path), 'utf8');
    expect(JSON.parse(read('manifest.json'))).toMatchObject({ name: 'tool_shed', label: 'Tool shed', kontor: '^0.1' });
    expect(read('models/entry.ts')).toContain("export const toolShedEntry = defineModel('tool_shed.entry', {");
    expect(read('models/entry.ts')).toContain('export interface ToolShedEntry extends');
    expect(JSON.parse(read('package.json')).devDependencies).toMatchObject({
      kontor: '^0.1.0',
      '@kontor/addon': '^0.1.0',
    });
    const expected = [
      'tsconfig.json',
      'client/tsconfig.json',
      '.vscode/settings.json',
      '.github/workflows/ci.yml',
      '.gitignore',
    ];
    expect(expected.filter((path) => !existsSync(join(home, path)))).toEqual([]);
  });

  long('refuses a name that is none, a folder that is there, and packages that are not', () => {
    expect(create('Tool-Shed')).toMatchObject({ status: 1, stderr: expect.stringContaining('is not an addon name') });
    expect(create('tool_shed')).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') });
    expect(create('fleet', '--packages', folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('kontor-addon-'),
    });
    expect(existsSync(join(folder, 'fleet'))).toBe(false);
    expect(create()).toMatchObject({ status: 2, stdout: expect.stringContaining('Usage') });
  });
});
