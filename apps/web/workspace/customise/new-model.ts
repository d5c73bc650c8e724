import type { CustomiseData } from '@kontor/protocol';
import { nameFor, type Words } from './new-field.ts';

export interface NewRight {
  readonly key: number;
  readonly group: string;
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
  rights: [{ key: 1, group: '', write: true, create: true, unlink: true }],
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
  const [label, plural] = [given.label.trim(), given.plural.trim()];
  const isPart = given.whole !== '';
  const access = given.rights.map(({ group, write, create, unlink }) => ({ group, write, create, unlink }));
  const said: Record<string, Record<string, string>> = {};
  for (const [english, words] of [
    [label, given.words],
    [plural, given.pluralWords],
  ] as const)
    for (const [lang, text] of Object.entries(words))
      if (text.trim() !== '') said[lang] = { ...said[lang], [english]: text.trim() };
  const spec = {
    ...{ label, plural, icon: given.icon, access },
    ...(given.hasNumbers && { number: { prefix: given.prefix, digits } }),
    ...(given.hasCompany && !isPart && { company: true }),
    ...(given.hasChatter && { chatter: true }),
    ...(given.hasArchive && { archive: true }),
    ...(isPart && { partOf: { model: given.whole, label: plural } }),
    ...(!isPart && given.menu !== '' && { menu: given.menu }),
  };
  return { do: 'add_model', model: modelName(given, data), spec, words: said };
}
