import { didYouMean } from '@kontor/protocol';
import type { XmlElement } from 'libxml2-wasm';
import { AddonError, type Place } from '../addon-error.ts';
import { attributesOf } from './parse-xml.ts';

/** The attributes of an element, all of them among those it may have, none of those it must have missing. */
export function checkAttributes<Name extends string>(
  element: XmlElement,
  allowed: readonly Name[],
  mandatory: readonly NoInfer<Name>[],
  place: Place,
): Readonly<Partial<Record<Name, string>>> {
  const attributes = attributesOf(element);
  for (const name of Object.keys(attributes)) {
    if (allowed.includes(name as Name)) continue;
    throw new AddonError(place, `<${element.name}> has no attribute "${name}".`, didYouMean(name, allowed));
  }
  for (const name of mandatory) {
    if (!attributes[name]) throw new AddonError(place, `<${element.name}> needs the attribute "${name}".`);
  }
  return attributes as Readonly<Partial<Record<Name, string>>>;
}
