import type { CustomiseData } from '@kontor/protocol';
import { nameFor, type Words } from './new-field.ts';

export interface NewRight {
  readonly key: number;
  readonly group: string;
  /** The link to people that says which records the group sees; empty: all. */
  readonly only: string;
  readonly write: boolean;
  readonly create: boolean;
  readonly unlink: boolean;
}

/** What the person typed of a model so far. */
export interface NewModel {
  readonly label: string;
  readonly words: Words;
  readonly plural: string;
  readonly pluralWords: Words;
  readonly icon: string;
  /** The model that its records are lines of; empty: none. */
  readonly whole: string;
  /** The menu that its own is under; empty: an app of its own. */
  readonly menu: string;
  readonly rights: readonly NewRight[];
  readonly hasNumbers: boolean;
  readonly prefix: string;
  readonly hasCompany: boolean;
  readonly hasChatter: boolean;
  readonly hasArchive: boolean;
}

export const emptyModel: NewModel = {
  ...{ label: '', words: {}, plural: '', pluralWords: {}, icon: 'box', whole: '', menu: '' },
  rights: [{ key: 1, group: '', only: '', write: true, create: true, unlink: true }],
  ...{ hasNumbers: false, prefix: '', hasCompany: true, hasChatter: true, hasArchive: true },
};

/** Digits of a number: `EQ-0001`. */
const digits = 4;

export const modelIcons = [
  ...[
    'box',
    'package',
    'truck',
    'car',
    'bike',
    'forklift',
    'wrench',
    'hammer',
    'drill',
    'factory',
    'warehouse',
    'building-2',
  ],
  ...[
    'house',
    'key',
    'calendar',
    'clipboard-list',
    'file-text',
    'book',
    'graduation-cap',
    'users',
    'heart',
    'leaf',
    'phone',
    'ticket',
  ],
] as const;

/** The technical name that a model gets. */
export function modelName({ label }: Pick<NewModel, 'label'>, { taken = [] }: Pick<CustomiseData, 'taken'>): string {
  return nameFor(label, 'model', new Set(taken));
}

/** The change that the server applies. */
export function addModelChange(given: NewModel, data: CustomiseData) {
  const isPart = given.whole !== '';
  const spec = {
    ...named(given),
    ...(given.hasNumbers && { number: { prefix: given.prefix, digits } }),
    ...(given.hasCompany && !isPart && { company: true }),
    ...(given.hasChatter && { chatter: true }),
    ...(given.hasArchive && { archive: true }),
    ...(isPart && { partOf: { model: given.whole, label: given.plural.trim() } }),
    ...(!isPart && given.menu !== '' && { menu: given.menu }),
  };
  return { do: 'add_model', model: modelName(given, data), spec, words: wordsOf(given) };
}

/** An added model as it is now, to change its names, icon, menu and rights. */
export function modelNow({ added, words }: CustomiseData): NewModel {
  if (!added) return emptyModel;
  const said = (english: string): Words =>
    Object.fromEntries(Object.entries(words).flatMap(([lang, all]) => (all[english] ? [[lang, all[english]]] : [])));
  return {
    ...emptyModel,
    ...{ label: added.label, words: said(added.label), plural: added.plural, pluralWords: said(added.plural) },
    ...{ icon: added.icon ?? 'box', whole: added.partOf?.model ?? '', menu: added.menu ?? '' },
    rights: added.access.map(({ group, only = '', write = false, create = false, unlink = false }, at) => ({
      ...{ key: at + 1, group, only, write, create, unlink },
    })),
  };
}

/** The change of what `modelNow` shows. */
export function changeModelChange(given: NewModel, model: string) {
  const menu = given.whole === '' && { menu: given.menu || null };
  return { do: 'change_model', model, spec: { ...named(given), ...menu }, words: wordsOf(given) };
}

function named({ label, plural, icon, rights, whole }: NewModel) {
  const access = rights.map(({ group, only, write, create, unlink }) => ({
    ...{ group, write, create, unlink },
    ...(only !== '' && whole === '' && { only }),
  }));
  return { label: label.trim(), plural: plural.trim(), icon, access };
}

function wordsOf(given: NewModel): Readonly<Record<string, Words>> {
  const said: Record<string, Record<string, string>> = {};
  for (const [english, words] of [
    [given.label.trim(), given.words],
    [given.plural.trim(), given.pluralWords],
  ] as const)
    for (const [lang, text] of Object.entries(words))
      if (text.trim() !== '') said[lang] = { ...said[lang], [english]: text.trim() };
  return said;
}
