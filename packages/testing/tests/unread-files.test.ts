import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unreadFiles } from '../unread-files.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-unread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it('CHK-8 checkAddon finds a file that nobody reads, however the others are imported', () => {
  const folder = folderOf({
    'manifest.json': '{}',
    'addon.ts': `import { one } from './models/one.ts';
import { two } from "./models/two.ts";
import './models/three.ts';
import "./models/four.ts";
export { five } from './models/five.ts';
export const six = () => import('./models/six.ts');
export const letter = new URL('./letters/due.html', import.meta.url);
import type {
  Seven,
} from './models/seven.ts';
`,
    'models/one.ts': "import '../shared.ts';",
    ...Object.fromEntries(
      ['two', 'three', 'four', 'five', 'six', 'seven', 'forgotten'].map((name) => [`models/${name}.ts`, '']),
    ),
    'shared.ts': '',
    'letters/due.html': '',
    'letters/old.html': '',
    'views/one.xml': '',
    'client/index.ts': '',
    'customisation.json': '{}',
    'dist/kontor-shop-1.0.0.tgz': '',
    'kontor-shop-1.0.0.tgz': '',
    '.github/workflows/ci.yml': '',
  });
  expect(unreadFiles(folder)).toEqual(['letters/old.html', 'models/forgotten.ts']);
});
