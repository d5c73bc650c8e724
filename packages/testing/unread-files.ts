import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Folders whose files the installer reads itself, and files that need no reader. */
const readFolders = [
  'data',
  'demo',
  'security',
  'views',
  'migrations',
  'i18n',
  'tests',
  'client',
  'page',
  'static',
  'node_modules',
];
/** The last is the source of an addon that was drawn in the browser. */
const knownFiles = new Set([
  'manifest.json',
  'package.json',
  'addon.ts',
  'icon.svg',
  'README.md',
  'customisation.json',
]);
/** Files at the root of an addon that is its own package, and tarballs of it. */
const packageFiles =
  /^(?:tsconfig\.json|package-lock\.json|npm-shrinkwrap\.json|LICENSE|CHANGELOG\.md|kontor\.conf|vitest\.config\.ts|\..*|.*\.tgz)$/;
/** `from './x.ts'`, `import './x.ts'`, `import('./x.ts')` and `new URL('./x.html', import.meta.url)`. */
const named = /\b(?:from|import|new URL)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;

/** Files of an addon that nothing imports and that no installer reads: they are forgotten. */
export function unreadFiles(folder: string): readonly string[] {
  const files = filesUnder(folder, '');
  const imported = new Set<string>();
  for (const source of files.filter((file) => file.endsWith('.ts') && !file.startsWith('tests/'))) {
    const text = readFileSync(join(folder, source), 'utf8');
    for (const [, , specifier = ''] of text.matchAll(named)) {
      imported.add(relative(folder, resolve(folder, dirname(source), specifier)));
    }
  }
  return files.filter((file) => {
    if (knownFiles.has(file) || packageFiles.test(file) || imported.has(file)) return false;
    return !readFolders.includes(file.split('/', 1)[0] as string);
  });
}

function filesUnder(folder: string, prefix: string): readonly string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.name === 'node_modules') return [];
    return entry.isDirectory() ? filesUnder(folder, path) : [path];
  });
}
