import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles what a start needs of the built server into one file in `dist/start`, with V8's compiled code beside it
 * (`apps/server/one-file.ts`, which becomes `main.cjs`), and small modules around it with the same exports as those of
 * `dist/server`. Tests of addons still import `dist/server`, and it runs if source maps are needed.
 */
export async function buildStart({ entries, plugins, exportsOf }) {
  const made = join(root, `dist/start.${process.pid}`);
  rmSync(made, { recursive: true, force: true });
  mkdirSync(made, { recursive: true });
  await buildCode(join(made, 'server.cjs'), entries, plugins);
  await buildCode(join(made, 'bootstrap.cjs'), [{ in: 'apps/server/bootstrap.ts', out: 'bootstrap' }], plugins);
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'apps/server/one-file.ts', early: 'apps/server/early.ts' },
    outdir: made,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    plugins,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: `const ownUrl = require('node:url').pathToFileURL(__filename).href;` },
    logLevel: 'warning',
  });
  writeFileSync(
    join(made, 'main.js'),
    `import { createRequire } from 'node:module';\nexport const { isKept, keepCode, main, part } = createRequire(import.meta.url)('./main.cjs');\n`,
  );
  for (const { out } of entries) if (out !== 'main') writeAround(made, out, exportsOf(out));
  // Its threads have code of their own.
  writeFileSync(join(made, 'thread.js'), `export * from '../server/thread.js';\n`);
  const outdir = join(root, 'dist/start');
  rmSync(outdir, { recursive: true, force: true });
  renameSync(made, outdir);
  // `npm run dev` runs the code that has maps to its sources, and its person waits.
  const kind = process.env.WEB_IS_WATCHED === '1' ? 'read' : 'started';
  execFileSync(process.execPath, ['scripts/keep-code.mjs', kind, ...entries.map(({ out }) => out)], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function buildCode(outfile, entries, plugins) {
  const opened = entries.map(({ in: path, out }) => `parts[${JSON.stringify(out)}] = () => require('./${path}');`);
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: opened.join('\n'), resolveDir: root, loader: 'js' },
    outfile,
    write: false,
    metafile: true,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // The file is read as it is, one byte for a letter; a trace can name its lines.
    charset: 'ascii',
    minifyWhitespace: true,
    lineLimit: 200,
    plugins,
    define: { 'import.meta.url': 'ownUrl', ...notInWorkers },
    banner: { js: '(function (parts, require, importModule, ownUrl) {' },
    footer: { js: '})' },
    logLevel: 'warning',
  });
  const [output] = outputFiles;
  let count = 0;
  const code = output.text.replaceAll(/(?<=await |=>)import\(/g, () => {
    count++;
    return 'importModule(';
  });
  const { imports } = Object.values(metafile.outputs)[0];
  const wanted = imports.filter(({ kind }) => kind === 'dynamic-import').length;
  if (count < wanted) throw new Error(`Of ${wanted} imports in the server's code ${count} were found.`);
  writeFileSync(outfile, escapeLetters(code));
}

/** esbuild leaves letters beyond ASCII in regular expressions and tagged templates, where they would be read as several letters. */
function escapeLetters(code) {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The PostgreSQL driver creates an HTTP response to detect its runtime, for which Node loads its whole client: 40 ms of a start. */
export const notInWorkers = { navigator: '{"userAgent":"Node.js"}' };

function writeAround(made, out, names) {
  const file = join(made, `${out}.js`);
  mkdirSync(dirname(file), { recursive: true });
  const up = out.includes('/') ? '../' : './';
  const named = names.filter((name) => name !== 'default');
  const lines = [
    `import { part } from '${up}main.js';`,
    `const own = part(${JSON.stringify(out)});`,
    ...(named.length > 0 ? [`export const { ${named.join(', ')} } = own;`] : []),
    ...(names.includes('default') ? ['export default own.default;'] : []),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
}
