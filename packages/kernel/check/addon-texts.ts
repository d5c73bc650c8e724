import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FieldSpecs,
  inferredType,
  labelFromName,
  type ModelDefinition,
  type Registry,
  type TextDefinition,
} from '@kontor/orm';
import { wordAttributes } from '@kontor/views';
import type { DataRecord } from '../addons/data/data-record.ts';
import type { AddonDefinition } from '../addons/define-addon.ts';
import { codeTexts, displayedLiterals, type Marker, markedCalls } from './code-texts.ts';

const shownAttributes = new RegExp(`\\b(?:${wordAttributes.join('|')})="([^"]*)"`, 'g');
const shownText = /<text\b[^<>]*>([^<]+)<\/text>/g;
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Errors for users; the others are for programs and stay English. */
const toldCodes = ['USER_ERROR', 'ACCESS_DENIED', 'NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR', 'UNAVAILABLE'];

/** Messages in server code. */
const serverMarkers: readonly Marker[] = [
  { call: 'text', argument: 0 },
  { call: 'say', argument: 0, isMember: true },
  { call: 'translate', argument: 0 },
  { call: 'new UserError', argument: 0 },
  { call: 'new ValidationError', argument: 0 },
  { call: 'new BadValue', argument: 0 },
  { call: 'new KontorError', argument: 1, firstOf: toldCodes },
];
const clientMarkers: readonly Marker[] = ['t', 'mark'].map((call) => ({ call, argument: 0 }));

export interface AddonTexts {
  readonly texts: ReadonlySet<string>;
  /** Texts of the addon's browser code. */
  readonly clientTexts: ReadonlySet<string>;
  /** Counted texts of its browser code, with their plural. */
  readonly clientPlurals: ReadonlyMap<string, string>;
  /** English names of its fields in files. */
  readonly synonyms: ReadonlySet<string>;
  /** Messages built with `${…}`, which cannot be translated. */
  readonly templates: readonly string[];
}

/**
 * Every text of an addon that users read: its name, labels and messages of its models, texts in its views, and messages in its
 * code.
 */
export function addonTexts(folder: string, addon: AddonDefinition): AddonTexts {
  const server = folderTexts(folder, /^(?:tests|node_modules|client)\//, serverMarkers);
  const client = folderTexts(join(folder, 'client'), /^tests\//, clientMarkers);
  const said = [
    ...manifestTexts(folder),
    ...addon.models.flatMap(modelTexts),
    ...Object.values(addon.views).map(({ label }) => label),
    ...addon.texts.flatMap(editableTexts),
    ...viewTexts(folder),
    ...server.texts,
  ];
  return {
    texts: new Set(said.filter((text) => text !== '')),
    clientTexts: new Set(client.texts),
    clientPlurals: new Map(client.plurals),
    synonyms: new Set(
      addon.models.flatMap(({ fields }) => Object.values(fields).flatMap((field) => field.synonyms ?? [])),
    ),
    templates: [...server.templates, ...client.templates],
  };
}

/** The parts of a text that administrators may change, and the labels of its placeholders. Its own label is the name of a record. */
function editableTexts({ subject, body, button, note, values }: TextDefinition): string[] {
  return [subject, ...body, button, note, ...Object.values(values).map(({ label }) => label)].filter(
    // A text of placeholders alone has nothing to translate.
    (each) => each !== null && /\p{Letter}/u.test(each.replaceAll(/\{[^}]*\}/g, '')),
  ) as string[];
}

/** The messages in the code of some folders of the server. */
export function serverTexts(folders: readonly string[]): readonly string[] {
  const skipped = /(?:^|\/)(?:tests|node_modules|docs|data)\/|\/assemble\/check-|^check\/check-models\.ts$/;
  return folders.flatMap((folder) => folderTexts(folder, skipped, serverMarkers).texts);
}

function manifestTexts(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, unknown>;
  return ['label', 'summary', 'category'].map((name) => String(manifest[name] ?? ''));
}

function modelTexts(definition: ModelDefinition): string[] {
  const {
    name,
    kind,
    label,
    fields,
    constraints,
    acyclic,
    uniques,
    excludes,
    actions,
    moves,
    states,
    due,
    timeline = {},
    portal,
  } = definition;
  return [
    label ?? (kind === 'model' ? labelFromName(name) : ''),
    ...fieldTexts(fields),
    ...Object.values(actions).flatMap(({ label: shown, warns, single, asks = {} }) => [
      shown,
      warns,
      single,
      ...fieldTexts(asks),
    ]),
    ...Object.values(moves)
      .flat()
      .flatMap(({ label: shown, warns, refusal, asks = {} }) => [shown, warns, refusal, ...fieldTexts(asks)]),
    ...Object.values(states?.conditions ?? {}).map(({ message }) => message),
    ...Object.values(constraints).map(({ message }) => message),
    ...Object.values(acyclic).map(({ message }) => message),
    ...Object.values(uniques).map(({ message }) => message ?? ''),
    ...Object.values(excludes).map(({ message }) => message),
    ...(due ? [due.label, due.title, due.lateTitle] : []),
    ...Object.values(timeline).map(({ label: shown }) => shown),
    portal?.label,
  ].filter((text) => text !== undefined);
}

function fieldTexts(fields: FieldSpecs): string[] {
  return Object.entries(fields).flatMap(([field, spec]) => [
    // A related field without a label has that of the field it shows.
    spec.label ?? (spec.type === inferredType ? '' : labelFromName(field)),
    spec.help ?? '',
    ...Object.values(spec.selection ?? {}),
  ]);
}

function viewTexts(folder: string): string[] {
  const files = existsSync(join(folder, 'views')) ? readdirSync(join(folder, 'views')) : [];
  return files.flatMap((file) => {
    const xml = readFileSync(join(folder, 'views', file), 'utf8');
    const shown = [...xml.matchAll(shownAttributes), ...xml.matchAll(shownText)];
    return shown.map(([, text = '']) => text.replaceAll(/&(\w+);/g, (whole, name) => entities[name] ?? whole).trim());
  });
}

function folderTexts(folder: string, skipped: RegExp, markers: readonly Marker[]) {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const sources = files
    .filter((file) => /\.tsx?$/.test(file) && !skipped.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const found = sources.map((source) => codeTexts(source, markers));
  return {
    texts: found.flatMap(({ texts }) => texts),
    templates: found.flatMap(({ templates }) => templates),
    plurals: sources.flatMap(pluralsIn),
  };
}

/** `tn('{n} reading', '{n} readings', n)`. */
function pluralsIn(source: string): readonly (readonly [string, string])[] {
  return markedCalls(source, [{ call: 'tn', argument: 0 }]).flatMap(({ args }) => {
    const [one = '', other = ''] = args.slice(0, 2).flatMap(displayedLiterals);
    return one === '' || other === '' ? [] : [[one, other] as const];
  });
}

/** Models whose texts are names for programs, or are translated where they are shown. */
const untold = new Set(['sys.access', 'sys.rule', 'sys.view', 'sys.action.window', 'sys.menu', 'sys.sequence']);

/** The texts in the data files of an addon: all that may be translated, and those that users read as names and descriptions. */
export function dataTexts(
  { models }: Registry,
  records: readonly DataRecord[],
): { readonly all: ReadonlySet<string>; readonly names: ReadonlySet<string> } {
  const all = new Set<string>();
  const names = new Set<string>();
  for (const { model, fields, place } of records) {
    if (/^(views|demo)\//.test(place.file)) continue;
    const [first] = models.get(model)?.displayName ?? [];
    for (const { name, value } of fields) {
      if (value.kind !== 'text' || value.text === '') continue;
      all.add(value.text);
      const isName = first && 'path' in first && first.path.join('.') === name;
      const kind = models.get(model)?.fields.get(name)?.kind;
      const isProse = kind?.isText && !kind.isShort;
      if ((isName || isProse) && !untold.has(model)) names.add(value.text);
    }
  }
  return { all, names };
}
