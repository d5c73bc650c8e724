import { BadValue } from '@kontor/orm';
import { text } from '@kontor/protocol';

const yes = new Set(['true', '1', 'yes', 'y', 't', 'x', 'on', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', 'sí', 'si', 'да']);
const no = new Set(['false', '0', 'no', 'n', 'f', 'off', 'nein', 'falsch', 'non', 'faux', 'нет']);

/** Yes or no in the ways that spreadsheets and people write them. */
export function readBoolean(cell: string): boolean {
  const given = cell.trim().toLowerCase();
  if (yes.has(given)) return true;
  if (no.has(given)) return false;
  throw new BadValue(text('"{given}" is neither true nor false.', { given: cell.slice(0, 60) }));
}
