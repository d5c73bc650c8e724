import type { FieldReadProps } from '../define-field.ts';
import { colourValue } from './palette.ts';
import './styles.css';

export function ColourRead({ value }: FieldReadProps) {
  const colour = colourValue(value);
  if (colour === null) return null;
  return <span className="colour-dot" style={{ background: colour }} />;
}
