import { t } from '../../i18n/messages.ts';
import type { FieldEditProps } from '../define-field.ts';
import { colourValue, palette, paletteNames } from './palette.ts';
import './styles.css';

export function ColourEdit({ id, label, field, value, onChange, onCommit }: FieldEditProps) {
  if (field.type === 'char') {
    return (
      <input
        id={id}
        type="color"
        className="colour-input"
        aria-label={label}
        value={colourValue(value) ?? '#5c6d85'}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <fieldset id={id} className="colour-choices" aria-label={label}>
      {palette.map((colour, index) => (
        <button
          key={paletteNames[index]}
          type="button"
          className="colour-choice"
          aria-label={t(paletteNames[index] as string)}
          aria-pressed={(value ?? 0) === index}
          style={colour ? { background: colour } : undefined}
          onClick={(event) => {
            event.stopPropagation();
            onChange(index);
            onCommit?.();
          }}
        />
      ))}
    </fieldset>
  );
}
