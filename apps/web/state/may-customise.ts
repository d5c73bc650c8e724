import type { Arch } from '@kontor/protocol';
import { hasFeature } from './bootstrap.ts';

/** What of a model the user may customise. */
export function mayCustomise({ customisable, rights }: Arch) {
  const isAllowed = hasFeature('customise');
  const fields = isAllowed && customisable === undefined;
  return { fields, screens: fields && rights.write, rights: isAllowed && customisable !== 'nothing' };
}
