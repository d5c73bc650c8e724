import { didYouMean } from '@kontor/protocol';
import type { XmlElement } from 'libxml2-wasm';
import { AddonError } from '../addon-error.ts';
import { checkAttributes } from './check-attributes.ts';
import type { DataField, DataRecord, DataValue } from './data-record.ts';
import { ownExternalId, referredIds } from './external-ids.ts';
import { fileValue } from './file-value.ts';
import type { DataFile } from './list-data-files.ts';
import { attributesOf, childElements, parseXml } from './parse-xml.ts';
import { type ViewLoader, viewTags } from './view-loader.ts';

const roots = ['views', 'data', 'records'];
const waysOfGiving = ['ref', 'refs', 'eval', 'today', 'now', 'file'] as const;
const tags: ReadonlySet<string> = new Set(viewTags);

/** The records of one XML file, in its order. */
export function readXmlFile(file: DataFile, text: string, views: ViewLoader): readonly DataRecord[] {
  return parseXml(text, { addon: file.addon, file: file.file }, (root) => {
    if (tags.has(root.name)) return readElement(root, file, views, false);
    const place = { addon: file.addon, file: file.file, line: root.line };
    if (!roots.includes(root.name)) {
      throw new AddonError(place, `<${root.name}> cannot be the root; use <views>, <data> or <records>.`);
    }
    const { noupdate } = checkAttributes(root, ['noupdate'], [], place);
    return childElements(root).flatMap((element) => readElement(element, file, views, isOn(noupdate)));
  });
}

function readElement(element: XmlElement, file: DataFile, views: ViewLoader, noupdate: boolean): readonly DataRecord[] {
  const place = { addon: file.addon, file: file.file, line: element.line };
  if (tags.has(element.name)) {
    const records = views.toRecords({ tag: element.name, place, element });
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
      fields: childElements(element).map((child) => readField(child, file)),
    },
  ];
}

function readField(element: XmlElement, file: DataFile): DataField {
  const place = { addon: file.addon, file: file.file, line: element.line };
  if (element.name !== 'field')
    throw new AddonError(place, `<${element.name}> cannot stand in a <record>; use <field>.`);
  const given = checkAttributes(element, ['name', ...waysOfGiving], ['name'], place);
  const ways = waysOfGiving.filter((way) => given[way] !== undefined);
  if (ways.length > 1 || (ways.length === 1 && element.content.trim() !== '')) {
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

/** Text as it is; elements inside (the paragraphs of an html field) as their XML. */
function innerText(element: XmlElement): string {
  if (childElements(element).length === 0) return element.content.trim();
  const whole = element.toString({ format: false });
  return whole.slice(whole.indexOf('>') + 1, whole.lastIndexOf('<')).trim();
}

function isOn(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}
