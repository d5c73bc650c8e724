import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildWeb } from '../build-web.mjs';
import { isWebBuilt } from '../source-stamp.mjs';
import { root } from './source-files.mjs';

/** Shell and list: what the entry loads first. */
const entry = 'apps/web/main.tsx';
/** Scripts and styles, 150 KiB. */
const limit = 150 * 1024;
/** Scripts and styles of the page; with the page itself, a font and the first picture these are ten requests. */
const mostFiles = 6;

if (!isWebBuilt()) await buildWeb();
const manifest = JSON.parse(readFileSync(`${root}/dist/web/manifest.json`, 'utf8'));
const first = staticFiles(entry);
const styles = manifest[entry].css;
const firstSize = sum([...first, ...styles]);
for (const [name, chunk] of Object.entries(manifest)) {
  if (chunk.isDynamicEntry) console.log(`${kilobytes(gzipSize(chunk.file))} ${name}`);
}
console.log(
  `${kilobytes(sum(first))} of script and ${kilobytes(sum(styles))} of styles for shell and list, gzip, of ${kilobytes(limit)}`,
);
if (firstSize > limit) console.error('The first screen loads too much; move something into a lazy chunk.');
const files = first.length + styles.length;
console.log(`${files} files for it, of ${mostFiles}`);
if (files > mostFiles) console.error('The first screen is too many files; see the chunks of apps/web/vite.config.ts.');
/** Script and styles of a page outside the client, such as that of a customer. */
const pageLimit = 40_000;
const pages = new Set(
  readdirSync(`${root}/dist/web`).flatMap((name) => /^(page-\w+)\.(?:js|css)$/.exec(name)?.[1] ?? []),
);
const pageSizes = [...pages].map((name) => {
  const size = sum(
    ['js', 'css'].map((type) => `${name}.${type}`).filter((file) => existsSync(`${root}/dist/web/${file}`)),
  );
  console.log(`${kilobytes(size)} of ${kilobytes(pageLimit)} for ${name}`);
  return size;
});
const isPageLarge = pageSizes.some((size) => size > pageLimit);
if (isPageLarge) console.error('A page outside the client loads too much.');
process.exit(firstSize > limit || files > mostFiles || isPageLarge ? 1 : 0);

function staticFiles(name, seen = new Set()) {
  if (seen.has(name)) return [];
  seen.add(name);
  const chunk = manifest[name];
  return [chunk.file, ...(chunk.imports ?? []).flatMap((next) => staticFiles(next, seen))];
}

function sum(files) {
  return files.reduce((total, file) => total + gzipSize(file), 0);
}

function gzipSize(file) {
  return gzipSync(readFileSync(`${root}/dist/web/${file}`), { level: 9 }).length;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
