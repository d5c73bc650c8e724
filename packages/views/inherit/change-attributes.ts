import { didYouMean } from '@kontor/protocol';
import { fullIds } from '../external-id.ts';
import { ViewError } from '../view-error.ts';
import { type Place, placeOf, type ViewNode } from '../view-node.ts';

/** The node with what the `<attribute>`s of an xpath say. */
export function changeAttributes(node: ViewNode, xpath: ViewNode): ViewNode {
  const attributes = { ...node.attributes };
  const places: Record<string, Place> = { ...node.attributePlaces };
  for (const change of xpath.children) {
    const name = change.attributes.name as string;
    if ((name === 'id' || name === 'model') && node.attributes[name] !== undefined) {
      throw new ViewError(change.place, `The ${name} of a view cannot be changed.`);
    }
    const value = newValue(node, name, attributes[name], change);
    if (value === '') delete attributes[name];
    else attributes[name] = value;
    places[name] = change.place;
  }
  return { ...node, attributes, attributePlaces: places };
}

function newValue(node: ViewNode, name: string, before: string | undefined, change: ViewNode): string {
  const { add, remove } = change.attributes;
  const isList = add !== undefined || remove !== undefined;
  if (isList && change.text !== '') {
    throw new ViewError(change.place, `"${name}" takes a new value, or "add" and "remove", not both.`);
  }
  // Bare names of groups are those of the addon that wrote them, and a list may have been written by several.
  const split = (text: string, addon: string) => (name === 'groups' ? fullIds(text, addon) : listOf(text));
  const own = change.place.addon;
  if (!isList) return name === 'groups' ? split(change.text, own).join(',') : change.text;
  const values = split(before ?? '', placeOf(node, name).addon);
  const removed = split(remove ?? '', own);
  const missing = removed.find((value) => !values.includes(value));
  if (missing !== undefined) {
    throw new ViewError(change.place, `"${name}" does not have "${missing}".`, didYouMean(missing, values));
  }
  const kept = values.filter((value) => !removed.includes(value));
  return [...new Set([...kept, ...split(add ?? '', own)])].join(',');
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
