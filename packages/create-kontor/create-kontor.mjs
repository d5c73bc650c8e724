#!/usr/bin/env node
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const own = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));

const help = `Usage: npm create kontor NAME [-- --packages FOLDER]

Begins an addon in a new folder NAME: a model with rights, views, German words, a widget and tests, settings for the
compiler, the editor and CI. NAME has lower-case letters, digits and _, and begins with a letter.

  --packages FOLDER   take Kontor's packages from tarballs in this folder instead of a registry`;

/** Destinations of tool settings whose real names npm would leave out of a package. */
const homes = {
  'editor/settings.json': '.vscode/settings.json',
  'editor/extensions.json': '.vscode/extensions.json',
  'editor/ci.yml': '.github/workflows/ci.yml',
};
const needed = ['@kontor/addon', '@kontor/client', '@kontor/testing', 'kontor'];

/** Writes the starter under another name. Answers the folder. */
export function createAddon(target, { packages } = {}) {
  const folder = resolve(target);
  const name = basename(folder);
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name)) {
    throw new Error(`"${name}" is not an addon name: a-z, 0-9 and _, beginning with a letter.`);
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is there and is not empty.`);
  const manifest = packageOf(name, folder, packages);
  const starter = join(own, 'starter');
  for (const entry of readdirSync(starter, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = relative(starter, file);
    write(join(folder, renamed(homes[path] ?? path, name)), renamed(readFileSync(file, 'utf8'), name));
  }
  write(join(folder, '.gitignore'), 'node_modules/\n.kontor/\n*.tgz\n');
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

/** `starter` is the name, `Starter` the label, and in front of a capital letter a part of a name in code. */
function renamed(text, name) {
  const words = name.split('_').filter(Boolean);
  const pascal = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  const camel = pascal[0].toLowerCase() + pascal.slice(1);
  const label = words.join(' ').replace(/^./, (letter) => letter.toUpperCase());
  return text
    .replaceAll(/Starter(?=[A-Z])/g, pascal)
    .replaceAll(/starter(?=[A-Z])/g, camel)
    .replaceAll(/\.starter-/g, `.${name}-`)
    .replaceAll('Starter', label)
    .replaceAll('starter', name);
}

function packageOf(name, folder, packages) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(own, 'versions.json'), 'utf8'));
  const ours = Object.fromEntries(
    needed.map((each) => [each, packages ? tarball(each, folder, packages) : `^${version}`]),
  );
  return {
    name: `kontor-${name.replaceAll('_', '-')}`,
    version: '1.0.0',
    type: 'module',
    license: 'UNLICENSED',
    files: [
      '*.json',
      '*.ts',
      '!tsconfig.json',
      'models',
      'views',
      'security',
      'data',
      'demo',
      'i18n',
      'client',
      'static',
      'migrations',
    ],
    bundleDependencies: true,
    scripts: {
      dev: 'kontor dev',
      start: `kontor start -c kontor.conf -i ${name} -u ${name}`,
      check: 'kontor check . --schema .kontor/views.xsd',
      test: 'kontor test',
      package: 'kontor pack',
    },
    devDependencies: { ...ours, ...dependencies },
  };
}

function tarball(name, folder, packages) {
  const file = `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
  if (!existsSync(join(packages, file))) throw new Error(`There is no ${file} in ${packages}.`);
  return `file:${relative(folder, resolve(packages, file))}`;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { packages: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help || positionals.length !== 1) {
    console.log(help);
    if (!values.help) process.exitCode = 2;
    return;
  }
  const folder = createAddon(positionals[0], values);
  console.log(`The addon is in ${relative('', folder)}. Go on with:

  cd ${relative('', folder)}
  npm install
  npm run dev`);
}

/** npm starts it by a link of its own name. */
if (basename(process.argv[1] ?? '').startsWith('create-kontor')) {
  try {
    main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
