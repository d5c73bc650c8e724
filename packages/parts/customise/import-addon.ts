import { openZip, TooLargeError, ZipError } from '@kontor/exchange';
import {
  type CustomDocument,
  type CustomExtension,
  canonicalJson,
  type DocumentProblem,
  documentError,
  type Kernel,
  readDocument,
} from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import { invalidArgs, text, UserError } from '@kontor/protocol';
import { type CarriedRecord, makeCarried, readCarried } from './carried-records.ts';
import { rightsFile } from './carried-rights.ts';
import { checkAuthor } from './check-author.ts';
import { checkCustomiser, customiseState, knownParts, refuseOther, type SeenState, saveDraft } from './customise.ts';
import { addonFiles, leftFile, sourceFile } from './export-addon.ts';

/** A document of the largest size, and the code that was printed from it. */
const maxBytes = 8_000_000;

/**
 * Takes an exported addon into the draft. Its code is never run: it is what the document in it prints to, and whoever changed it by hand installs it as
 * an addon. What is there already stays; other parts under the same name are refused.
 */
export async function importAddon(kernel: Kernel, actor: Actor, seen: SeenState, file: Buffer): Promise<ImportedAddon> {
  checkCustomiser(actor);
  const current = await customiseState(kernel);
  refuseOther(seen, current);
  const files = await readFiles(file);
  const source = sourceIn(files);
  const given = readDocument(source.document);
  const records = readCarried(kernel, source.records);
  if (!records) throw invalidArgs(text('Its records need apps that are not installed.'), { field: 'file' });
  // As it was written: the order of its members is that of the code.
  refuseChanged(kernel, { document: source.document as CustomDocument, records }, files);
  const document = readDocument(merged(current.document, given));
  const isKnown = canonicalJson(document) === canonicalJson(current.document);
  if (!isKnown) {
    const known = await knownParts(kernel);
    await kernel.read(actor, (env) => checkAuthor(env, known, document));
  }
  const made = await makeCarried(kernel, actor, records);
  if (isKnown && made.made === 0 && made.waiting === 0) throw new UserError(text('All of it is there already.'));
  const state = isKnown ? seen : await saveDraft(kernel, actor, seen, document);
  return { ...state, ...made, hasRights: files.has(rightsFile) };
}

export interface ImportedAddon extends SeenState {
  /** How many records it made, and how many wait until what they name is published. */
  readonly made: number;
  readonly waiting: number;
  /** It brings access rights or record rules, which were left out. */
  readonly hasRights: boolean;
}

/** The files of the only folder of the archive, by path. */
async function readFiles(file: Buffer): Promise<ReadonlyMap<string, string>> {
  try {
    const zip = openZip(file, maxBytes);
    const files = new Map<string, string>();
    for (const name of zip.names) {
      if (name.endsWith('/')) continue;
      let content = '';
      for await (const part of zip.text(name)) content += part;
      files.set(name.slice(name.indexOf('/') + 1), content);
    }
    return files;
  } catch (error) {
    if (error instanceof ZipError || error instanceof TooLargeError) throw notExported();
    throw error;
  }
}

function notExported(): Error {
  return invalidArgs(text('This is no addon that was exported here: it has no {file}.', { file: sourceFile }), {
    field: 'file',
  });
}

interface Source {
  readonly customisation?: unknown;
  readonly document?: unknown;
  readonly records?: unknown;
}

function sourceIn(files: ReadonlyMap<string, string>): Source {
  let source: Source | null;
  try {
    source = JSON.parse(files.get(sourceFile) ?? '') as typeof source;
  } catch {
    throw notExported();
  }
  if (source?.customisation !== 1) throw notExported();
  return source;
}

/** The version and what it depends on may have changed since it was exported, and rights are not taken from a file. */
const mayDiffer: ReadonlySet<string> = new Set([sourceFile, leftFile, rightsFile, 'manifest.json', 'package.json']);

interface Given {
  readonly document: CustomDocument;
  readonly records: readonly CarriedRecord[];
}

function refuseChanged(kernel: Kernel, { document, records }: Given, files: ReadonlyMap<string, string>): void {
  const name = nameIn(files.get('manifest.json'));
  const printed = addonFiles(kernel, document, name, { records, modules: [], left: [] });
  const changed = [...new Set([...printed.keys(), ...files.keys()])].filter(
    (path) => !mayDiffer.has(path) && printed.get(path) !== files.get(path),
  );
  if (changed.length === 0) return;
  const shown = changed.slice(0, 5).map((path) => path.slice(0, 100));
  throw new UserError(
    text('These files were changed by hand, so install the folder as an addon instead: {files}.', {
      files: shown.join(', '),
    }),
  );
}

function nameIn(manifest: string | undefined): string {
  try {
    const { name } = JSON.parse(manifest ?? '') as { readonly name?: unknown };
    if (typeof name === 'string' && /^[a-z][a-z0-9_]{0,19}$/.test(name)) return name;
  } catch {
    // Reported below.
  }
  throw notExported();
}

/** Both documents in one. Throws with every part that they have in two ways. */
function merged(own: CustomDocument, given: CustomDocument): CustomDocument {
  const problems: DocumentProblem[] = [];
  const both = <T>(
    first: Readonly<Record<string, T>>,
    second: Readonly<Record<string, T>>,
    at: (name: string) => string,
  ) => {
    for (const [name, part] of Object.entries(second))
      if (Object.hasOwn(first, name) && canonicalJson(first[name]) !== canonicalJson(part))
        problems.push({ at: at(name), message: text('It is there already, and different.') });
    return { ...second, ...first };
  };
  const extended = new Set([...Object.keys(own.extends), ...Object.keys(given.extends)]);
  const extensions = [...extended].map((model) => {
    const [first, second] = [own.extends[model] ?? none, given.extends[model] ?? none];
    const fields = both(first.fields, second.fields, (name) => `${model}.${name}`);
    const { fields: _, ...more } = first;
    const { fields: __, ...others } = second;
    return [model, { fields, ...both(more, others, (name) => `${model}.${name}`) }] as const;
  });
  const models = both(own.models ?? {}, given.models ?? {}, (name) => name);
  const stepsOf = (document: CustomDocument) => Object.fromEntries(document.views.map((view) => [view.view, view]));
  const views = both(stepsOf(own), stepsOf(given), (name) => name);
  const languages = new Set([...Object.keys(own.words), ...Object.keys(given.words)]);
  if (problems.length > 0) throw documentError(problems);
  return {
    ...(Object.keys(models).length > 0 && { models }),
    extends: Object.fromEntries(extensions),
    views: Object.values(views),
    words: Object.fromEntries([...languages].map((lang) => [lang, { ...given.words[lang], ...own.words[lang] }])),
  };
}

const none: CustomExtension = { fields: {} };
