import { mark } from '../i18n/messages.ts';
import type { FieldReadProps } from './define-field.ts';
import './colour.css';

export function ColourRead({ value }: FieldReadProps) {
  const colour = colourValue(value);
  if (colour === null) return null;
  return <span className="circle inline-block colour-dot" style={{ background: colour }} />;
}

/** Twelve colours that records reference by number, readable in light and dark; 0 is none. */
export const palette: readonly (string | null)[] = [
  null,
  '#b3362b',
  '#a85b12',
  '#8a6d0b',
  '#2c7a4b',
  '#0e7480',
  '#3d5a99',
  '#6b4fa0',
  '#a03c78',
  '#5c6d85',
  '#7a5c43',
  '#4d6f3a',
];

/** The names of the colours, for screen readers. */
export const paletteNames: readonly string[] = [
  mark('None'),
  mark('Red'),
  mark('Orange'),
  mark('Yellow'),
  mark('Green'),
  mark('Teal'),
  mark('Blue'),
  mark('Violet'),
  mark('Pink'),
  mark('Slate'),
  mark('Brown'),
  mark('Olive'),
];

/** The CSS colour of a stored value: a palette number, or a hex colour. */
export function colourValue(value: unknown): string | null {
  if (typeof value === 'number') return palette[value % palette.length] ?? null;
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : null;
}
