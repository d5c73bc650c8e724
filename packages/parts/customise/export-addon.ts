import { type ZipEntry, zipFile } from '@kontor/exchange';
import {
  type CustomDocument,
  canonicalJson,
  customModule,
  emptyDocument,
  isAddonName,
  type Kernel,
  kontorVersion,
  printDocument,
  readPublished,
} from '@kontor/kernel';
import type { Actor, Registry } from '@kontor/orm';
import { invalidArgs, KontorError, text } from '@kontor/protocol';
import { type Carried, carriedRecords, recordsFile, recordsText } from './carried-records.ts';
import { type CarriedRights, carriedRights, rightsFile } from './carried-rights.ts';
import { checkCustomiser } from './customise.ts';

/** The published customisation as an addon that an author can keep in version control: a ZIP file with its folder. */
export async function exportAddon(kernel: Kernel, actor: Actor, name: string): Promise<Buffer> {
  checkCustomiser(actor);
  if (
    !isAddonName(name) ||
    name.startsWith('x_') ||
    name === 'custom' ||
    name.length > 20 ||
    kernel.catalogue.has(name)
  )
    throw invalidArgs(
      text('The name of the addon has at most 20 lower-case letters, digits and _, and no other addon has it.'),
      { field: 'name' },
    );
  const { document } = await readPublished(kernel.database);
  const carried = await carriedRecords(kernel, actor);
  const rights = await carriedRights(kernel, actor);
  const isEmpty = canonicalJson(document) === canonicalJson(emptyDocument);
  if (isEmpty && carried.records.length === 0 && rights.text(document, name) === null)
    throw new KontorError('USER_ERROR', text('Nothing was customised yet.'));
  const entries = [...addonFiles(kernel, document, name, carried, rights)].map(
    ([path, content]): ZipEntry => ({ name: `${name}/${path}`, bytes: Buffer.from(content) }),
  );
  return zipFile(entries);
}

/** The document itself: with it, the addon can be taken back into the browser. */
export const sourceFile = 'customisation.json';

function sourceOf(document: CustomDocument, records: Carried['records']): string {
  const more = records.length > 0 && { records };
  return `${JSON.stringify({ customisation: 1, document, ...more }, null, 2)}\n`;
}

/** Every file of the addon, by its path. */
export function addonFiles(
  kernel: Pick<Kernel, 'registry' | 'loaded'>,
  document: CustomDocument,
  name: string,
  { records, modules, left: leftRecords }: Carried = nothingCarried,
  rights: CarriedRights = noRights,
): ReadonlyMap<string, string> {
  const label = name.split('_').join(' ');
  const [major = '0', minor = '0'] = kontorVersion().split('.');
  const kontor = major === '0' ? `^${major}.${minor}` : `^${major}`;
  const left = [...leftRecords, ...rights.left];
  const rightsText = rights.text(document, name);
  const depends = [...new Set([...modulesOf(kernel.registry, document), ...modules, ...rights.modules])].filter(
    (module) => module !== customModule,
  );
  const printed = printDocument(document, { name, label, kontor, depends });
  return new Map([
    ...printed,
    ...(records.length > 0 ? [[recordsFile, recordsText(kernel, document, name, records)] as const] : []),
    ...(rightsText === null ? [] : [[rightsFile, rightsText] as const]),
    ...(left.length > 0 ? [[leftFile, leftText(left)] as const] : []),
    [sourceFile, sourceOf(document, records)],
  ]);
}

const nothingCarried: Carried = { records: [], modules: [], left: [] };
const noRights: CarriedRights = { text: () => null, modules: [], left: [] };

/** What the addon lacks of the customisation. */
export const leftFile = 'NOT-EXPORTED.md';

function leftText(left: readonly string[]): string {
  const names = left.map((name) => `- ${name.replaceAll(/[\r\n]+/g, ' ')}\n`);
  return `# Not exported\n\nThese name people or other records of the database that they come from:\n\n${names.join('')}`;
}

/** The modules that own the models, views and groups that the document names. */
function modulesOf({ models }: Registry, document: CustomDocument): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (model: string | undefined) => {
    const module = models.get(model ?? '')?.module;
    if (module !== undefined) found.add(module);
  };
  for (const [model, { fields, states }] of Object.entries(document.extends)) {
    add(model);
    for (const { groups = [] } of states?.moves ?? [])
      for (const group of groups) found.add(group.split('.')[0] as string);
    for (const { relation, groups = [] } of Object.values(fields)) {
      add(relation);
      for (const group of groups) found.add(group.split('.')[0] as string);
    }
  }
  for (const { partOf, access, menu } of Object.values(document.models ?? {})) {
    add(partOf?.model);
    for (const { group } of access) found.add(group.split('.')[0] as string);
    if (menu) found.add(menu.split('.')[0] as string);
  }
  if (document.models) found.add('base');
  for (const { view } of document.views) found.add(view.split('.')[0] as string);
  found.delete(customModule);
  return found;
}
