import type { FieldEditProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';

/** Typed with suggestions of the browser: there are over four hundred. */
export function TimezoneEdit(props: FieldEditProps) {
  const list = `${props.id}-zones`;
  return (
    <>
      <TextControl
        {...props}
        list={list}
        text={typeof props.value === 'string' ? props.value : ''}
        onText={(text) => props.onChange(text === '' ? null : text)}
      />
      <datalist id={list}>
        {timeZones().map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function timeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}
