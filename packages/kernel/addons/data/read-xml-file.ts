import { chooseOne, didYouMean } from '@kontor/protocol';
import { parseXml, xmlLibrary } from '@kontor/views';
import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { AddonError, attempt, type Place, type ReportMistake } from '../addon-error.ts';
import type { DataField, DataRecord, DataValue } from './data-record.ts';
import type { DataFile } from './list-data-files.ts';
import { fileValue } from './list-data-files.ts';
import { ownExternalId, referredIds } from './read-external-id.ts';
import { type ViewLoader, viewTags } from './view-loader.ts';

const roots = ['views', 'data', 'records'];
/** Attributes of a field of a record instead of text, with their descriptions for docs/reference/data.md. */
const waysOfGiving = {
  ref: 'The record of this external id; without a dot, one of the same addon.',
  refs: 'Several of them, with commas between; they replace what was in the list.',
  eval: 'A JSON value: a number, `true`, `null`, a list.',
  today: 'A day, counted from that of the load: `-3`, `+2w`, `-1m`, `+1y`.',
  now: 'A moment, counted from that of the load: `-2h`, or with a time of day in UTC, `+1d 09:00`.',
  file: 'The bytes of a file in the folder of the addon.',
} as const;
const ways = Object.keys(waysOfGiving) as readonly (keyof typeof waysOfGiving)[];
const tags: ReadonlySet<string> = new Set(viewTags);

/** The records of one XML file, in order. */
export function readXmlFile(
  file: DataFile,
  text: string,
  views: ViewLoader,
  report?: ReportMistake,
): readonly DataRecord[] {
  const read = (element: XmlElement, noupdate: boolean) =>
    attempt<readonly DataRecord[]>(report, [], () => readElement(element, file, views, { noupdate, report }));
  return withRoot(text, { addon: file.addon, file: file.file }, (root) => {
    if (tags.has(root.name)) return read(root, false);
    const place = { addon: file.addon, file: file.file, line: root.line };
    if (!roots.includes(root.name)) {
      throw new AddonError(place, `<${root.name}> cannot be the root; use <views>, <data> or <records>.`);
    }
    const { noupdate } = checkAttributes(root, ['noupdate'], [], place);
    return childElements(root).flatMap((element) => read(element, isOn(noupdate)));
  });
}

interface ReadOptions {
  readonly noupdate: boolean;
  readonly report: ReportMistake | undefined;
}

function readElement(
  element: XmlElement,
  file: DataFile,
  views: ViewLoader,
  { noupdate, report }: ReadOptions,
): readonly DataRecord[] {
  const place = { addon: file.addon, file: file.file, line: element.line };
  if (tags.has(element.name)) {
    const records = views.toRecords({ tag: element.name, place, element }, report);
    return noupdate ? records.map((record) => ({ ...record, noupdate })) : records;
  }
  if (element.name !== 'record') {
    throw new AddonError(
      place,
      `There is no tag <${element.name}>.`,
      didYouMean(element.name, ['record', ...viewTags]),
    );
  }
  const given = checkAttributes(element, ['id', 'model', 'noupdate'], ['id', 'model'], place);
  return [
    {
      place,
      id: ownExternalId(given.id as string, place),
      model: given.model as string,
      noupdate: given.noupdate === undefined ? noupdate : isOn(given.noupdate),
      fields: childElements(element).flatMap((child) =>
        attempt<readonly DataField[]>(report, [], () => [readField(child, file)]),
      ),
    },
  ];
}

function readField(element: XmlElement, file: DataFile): DataField {
  const place = { addon: file.addon, file: file.file, line: element.line };
  if (element.name !== 'field')
    throw new AddonError(place, `<${element.name}> cannot stand in a <record>; use <field>.`);
  const given = checkAttributes(element, ['name', ...ways], ['name'], place);
  const used = ways.filter((way) => given[way] !== undefined);
  if (used.length > 1 || (used.length === 1 && element.content.trim() !== '')) {
    throw new AddonError(place, `"${given.name}" has two values; give a text, ref, refs, eval, today, now or file.`);
  }
  return { name: given.name as string, line: element.line, value: readValue(element, place, file) };
}

function readValue(element: XmlElement, place: DataRecord['place'], file: DataFile): DataValue {
  const { ref, refs, eval: json, today, now, file: path } = attributesOf(element);
  if (path !== undefined) return { kind: 'text', text: fileValue(file, path, place) };
  if (today !== undefined) return { kind: 'relative', from: 'today', text: today };
  if (now !== undefined) return { kind: 'relative', from: 'now', text: now };
  if (ref !== undefined || refs !== undefined) return { kind: 'refs', refs: referredIds(ref ?? refs ?? '', place) };
  if (json === undefined) return { kind: 'text', text: innerText(element) };
  try {
    return { kind: 'json', json: JSON.parse(json) };
  } catch {
    throw new AddonError(place, `"eval" must be JSON, not ${json}.`);
  }
}

/** Plain text unchanged; child elements (the paragraphs of an html field) as their XML. */
function innerText(element: XmlElement): string {
  if (childElements(element).length === 0) return element.content.trim();
  const whole = element.toString({ format: false });
  return whole.slice(whole.indexOf('>') + 1, whole.lastIndexOf('<')).trim();
}

function isOn(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}

/** The attributes of an element; rejects unknown ones and missing required ones. */
function checkAttributes<Name extends string>(
  element: XmlElement,
  allowed: readonly Name[],
  mandatory: readonly NoInfer<Name>[],
  place: Place,
): Readonly<Partial<Record<Name, string>>> {
  const attributes = attributesOf(element);
  for (const name of Object.keys(attributes)) {
    if (allowed.includes(name as Name)) continue;
    throw new AddonError(place, `<${element.name}> has no attribute "${name}".`, chooseOne(name, allowed));
  }
  for (const name of mandatory) {
    if (!attributes[name]) throw new AddonError(place, `<${element.name}> needs the attribute "${name}".`);
  }
  return attributes as Readonly<Partial<Record<Name, string>>>;
}

/**
 * Parses a file and passes its root to a callback; the root is valid only during the call. Document types are rejected:
 * no entities.
 */
function withRoot<T>(text: string, place: Place, use: (root: XmlElement) => T): T {
  const document = open(text.replace(/^\uFEFF/, ''), place);
  try {
    if (document.dtd) throw new AddonError({ ...place, line: 1 }, 'A document type (<!DOCTYPE>) is not allowed.');
    return use(document.root);
  } finally {
    document.dispose();
  }
}

function open(text: string, place: Place): XmlDocument {
  if (text.trim() === '') throw new AddonError({ ...place, line: 1 }, 'The file is empty.');
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof xmlLibrary().XmlLibError)) throw error;
    const [first] = error.details;
    throw new AddonError({ ...place, line: first?.line ?? 1 }, `Broken XML: ${(first ?? error).message.trim()}.`);
  }
}

function childElements(element: XmlElement): readonly XmlElement[] {
  const { XmlElement } = xmlLibrary();
  const children: XmlElement[] = [];
  for (let node = element.firstChild; node; node = node.next) if (node instanceof XmlElement) children.push(node);
  return children;
}

function attributesOf(element: XmlElement): Readonly<Record<string, string>> {
  return Object.fromEntries(element.attrs.map((attribute) => [attribute.name, attribute.value]));
}
