import { didYouMean } from '@kontor/protocol';
import {
  baseOf,
  composeStoredView,
  originOf,
  type Place,
  readableTag,
  type StoredView,
  type ViewNode,
} from '@kontor/views';
import type { DataRecord } from '../addons/data/data-record.ts';
import { dependsIn, storedViews } from './check-views.ts';
import type { OpenAddons } from './read-addons.ts';

/**
 * A view of data files with every inherit applied, as XML: each element is followed by a comment with the addon, the file and the
 * inherit that it comes from, and the inherits that set its attributes. Throws an Error with the nearest name.
 */
export function printView({ records, catalogue }: OpenAddons, name: string): string {
  const all = [...records.values()].flat();
  const views = storedViews(all);
  const view = views.find(({ key }) => key === name);
  if (!view) throw new Error(unknownView(views, all, name));
  const base = baseOf(views, view.id);
  const composed = composeStoredView(views, view.id, dependsIn(catalogue));
  const lines = linesOf(composed, '', (place) => originOf(views, base, place));
  const width = Math.min(90, Math.max(...lines.map(([xml]) => xml.length)));
  const title = view === base ? [] : [`<!-- ${name} extends ${base.key} -->`];
  return [
    ...title,
    ...lines.map(([xml, origin]) => (origin === '' ? xml : `${xml.padEnd(width)}  <!-- ${origin} -->`)),
  ].join('\n');
}

function unknownView(views: readonly StoredView[], records: readonly DataRecord[], name: string): string {
  const ofModel = records.filter(
    ({ model, fields }) =>
      model === 'sys.view' &&
      fields.some((field) => field.name === 'model' && field.value.kind === 'text' && field.value.text === name),
  );
  if (ofModel.length > 0) return `"${name}" is a model. Its views: ${ofModel.map(({ id }) => id).join(', ')}.`;
  const keys = views.map(({ key }) => key);
  const addon = name.split('.')[0];
  const others = keys.filter((key) => key.startsWith(`${addon}.`));
  const list = others.length === 0 ? '' : ` The views of ${addon}: ${others.join(', ')}.`;
  return `There is no view "${name}".${didYouMean(name, keys) || list}`;
}

type Line = readonly [xml: string, origin: string];

function linesOf(node: ViewNode, indent: string, origin: (place: Place) => string): readonly Line[] {
  const changed = Object.entries(node.attributePlaces ?? {})
    .filter(([name]) => node.attributes[name] !== undefined)
    .map(([name, place]) => `${name} by ${origin(place)}`);
  const from = [origin(node.place), ...changed].join('; ');
  const open = `${indent}${readableTag(node)}`;
  if (node.children.length === 0) return [[node.text === '' ? open : `${open}${node.text}</${node.tag}>`, from]];
  const inside = node.children.flatMap((child) => linesOf(child, `${indent}  `, origin));
  return [[`${open}${node.text}`, from], ...inside, [`${indent}</${node.tag}>`, '']];
}
