import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** All static checks of the code. Each step reports mistakes with their place. */
const root = fileURLToPath(new URL('..', import.meta.url));
const steps = [
  // Each checker computes the types anew, so two are faster than the default of four.
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--checkers', '2'],
  ['types of the client', 'node_modules/typescript/bin/tsc', '-p', 'apps/web/tsconfig.json'],
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '.'],
  ['file sizes', 'scripts/check/file-sizes.mjs'],
  ['function sizes', 'scripts/check/function-sizes.mjs'],
  ['style classes', 'scripts/check/style-classes.mjs'],
  ['imports', 'scripts/check/imports.mjs'],
  ['tree', 'scripts/check/tree.mjs'],
  ['rules and tests', 'scripts/check/rules.mjs'],
  ['patterns for tags', 'scripts/check/patterns.mjs'],
  ['habits of tests', 'scripts/check/tests.mjs'],
  ['versions of modules', 'scripts/check/module-versions.mjs'],
  ['places to break', 'scripts/mutate.mjs', '--places'],
  ['size of the client', 'scripts/check/bundle-size.mjs'],
  ['unused code', 'node_modules/knip/bin/knip.js', '--no-progress'],
];

let failures = 0;
for (const [name, ...command] of steps) {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failures++;
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
process.exit(failures === 0 ? 0 : 1);
