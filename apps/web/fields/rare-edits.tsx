import { fieldType } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { asTyped, decimalsOf, typedText } from '../data/form/invalid-values.ts';
import { withoutArchived } from '../data/model-fields.ts';
import { type RecordValues, searchRead } from '../data/rpc.ts';
import { languageName, t } from '../i18n/messages.ts';
import { editNumber, formatHours, parseHours } from '../i18n/numbers.ts';
import { colourValue, palette, paletteNames } from './colour.tsx';
import type { FieldEditProps } from './define-field.ts';
import { parseReference, useReferenceName } from './reference.tsx';
import { Combobox } from './relation/combobox.tsx';
import { nameOf, useChoices, useOptions } from './relation/use-choices.ts';
import { recordsOf } from './tags.tsx';
import { TextEdit } from './text.tsx';
import { TextControl } from './text-control.tsx';
import './rare-edits.css';
import './colour.css';
import './styles.css';
import './json.css';

/** One checkbox for every record of the related model. */
export function CheckboxesEdit({ id, label, field, value, domain, onChange, describedBy }: FieldEditProps) {
  const [all, setAll] = useState<readonly RecordValues[]>([]);
  const model = field.relation ?? '';
  const given = JSON.stringify(domain ?? field.domain ?? []);
  useEffect(() => {
    let isCurrent = true;
    withoutArchived(model, JSON.parse(given))
      .then((asked) => searchRead(model, asked, ['display_name'], { limit: 200 }))
      .then(
        (found) => isCurrent && setAll(found),
        () => {},
      );
    return () => {
      isCurrent = false;
    };
  }, [model, given]);
  const chosen = recordsOf(value);
  const ids = new Set(chosen.map((one) => one.id));
  const shown = [...all, ...chosen.filter((one) => !all.some((other) => other.id === one.id))];
  const toggle = (record: RecordValues, isOn: boolean) => {
    onChange(isOn ? [...chosen, record] : chosen.filter((one) => one.id !== record.id));
  };
  return (
    <fieldset id={id} className="stack gap-4 rows-0 checkboxes" aria-label={label} aria-describedby={describedBy}>
      {shown.map((record) => (
        <label key={record.id} className="row target pad-x-2">
          <input
            type="checkbox"
            className="box"
            checked={ids.has(record.id)}
            onChange={(event) => toggle(record, event.target.checked)}
          />
          {nameOf(record)}
        </label>
      ))}
    </fieldset>
  );
}

export function CodeEdit(props: FieldEditProps) {
  return (
    <div className="code">{fieldType(props.field.type).isJson ? <JsonEdit {...props} /> : <TextEdit {...props} />}</div>
  );
}

export function ColourEdit({ id, label, field, value, onChange, onCommit }: FieldEditProps) {
  if (fieldType(field.type).isText) {
    return (
      <input
        id={id}
        type="color"
        className="round-s target-high pad-0 control bare colour-input"
        aria-label={label}
        value={colourValue(value) ?? '#5c6d85'}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <fieldset id={id} className="line wrap gap-1 pad-y-1 colour-choices" aria-label={label}>
      {palette.map((colour, index) => (
        <button
          key={paletteNames[index]}
          type="button"
          className="circle wide-24 high-24 control colour-choice"
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

/** Valid JSON becomes the value; until then a message says so, and the text itself is kept. */
export function JsonEdit(props: FieldEditProps) {
  const { id, label, value, onChange, isInvalid, describedBy } = props;
  const broken = typedText(value);
  const [typed, setTyped] = useState<string | null>(null);
  const text = broken ?? typed ?? (value === null || value === undefined ? '' : JSON.stringify(value, null, 2));
  // After an attempt to save, the form itself shows the message.
  const isBroken = broken !== null && !isInvalid;
  return (
    <>
      <textarea
        id={id}
        className="field-input mono small"
        spellCheck={false}
        aria-label={label}
        aria-invalid={isInvalid || isBroken || undefined}
        aria-describedby={isBroken ? `${id}-broken` : describedBy}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value);
          const parsed = parse(event.target.value);
          onChange(parsed === undefined ? asTyped(event.target.value) : parsed);
        }}
        onBlur={() => setTyped(null)}
      />
      {isBroken && (
        <p id={`${id}-broken`} className="small bad" role="alert">
          {t('This is not valid JSON, so it is not applied.')}
        </p>
      )}
    </>
  );
}

function parse(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** One of the active languages. */
export function LanguageEdit({ id, label, value, onChange, ...rest }: FieldEditProps) {
  const [known, setKnown] = useState<readonly RecordValues[]>([]);
  useEffect(() => {
    searchRead('core.lang', [['active', '=', true]], ['code'], { order: 'name' }).then(setKnown, () => {});
  }, []);
  const chosen = typeof value === 'string' ? value : '';
  const codes = [...new Set([...(chosen ? [chosen] : []), ...known.map(({ code }) => String(code))])];
  return (
    <select
      id={id}
      className="field-input"
      aria-label={label}
      aria-invalid={rest.isInvalid || undefined}
      aria-required={rest.isRequired || undefined}
      aria-describedby={rest.describedBy}
      autoFocus={rest.hasAutoFocus}
      value={chosen}
      onChange={(event) => onChange(event.target.value || null)}
    >
      {(!rest.isRequired || chosen === '') && <option value="" />}
      {codes.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
    </select>
  );
}

/** First the model, then the record. */
export function ReferenceEdit(props: FieldEditProps) {
  const { value, onChange, label, field, node } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState('');
  const model = parseReference(value)?.model ?? picked;
  const models = useModels(field.selection ?? (node.options?.models as readonly string[] | undefined));
  const found = useChoices(model, typed, []);
  const name = useReferenceName(value);
  return (
    <span className="stack gap-1 field-reference">
      <select
        className="field-input"
        aria-label={t('{label}: kind', { label })}
        value={model}
        onChange={(event) => {
          setPicked(event.target.value);
          onChange(null);
        }}
      >
        <option value="" />
        {models.map((one) => (
          <option key={String(one.name)} value={String(one.name)}>
            {String(one.label)}
          </option>
        ))}
      </select>
      <Combobox
        {...props}
        text={name}
        typed={typed}
        onTyped={setTyped}
        isCurrent={found.isCurrent}
        choices={found.records.map((one) => ({
          key: String(one.id),
          label: nameOf(one),
          run: () => onChange(`${model},${one.id}`),
        }))}
      />
    </span>
  );
}

/** Models by name; all of them if the field does not restrict them. */
function useModels(wanted: readonly unknown[] | undefined): readonly RecordValues[] {
  const [models, setModels] = useState<readonly RecordValues[]>([]);
  const names = JSON.stringify(wanted?.map((one) => (Array.isArray(one) ? (one[0] as string) : one)) ?? null);
  useEffect(() => {
    const only = JSON.parse(names) as readonly string[] | null;
    searchRead('sys.model', only ? [['name', 'in', only]] : [], ['name', 'label'], { limit: 300, order: 'label' }).then(
      setModels,
      () => {},
    );
  }, [names]);
  return models;
}

/** A text input with browser suggestions, because there are over four hundred time zones. */
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

export function RadioEdit({ id, label, field, value, domain, onChange, onCommit, describedBy }: FieldEditProps) {
  const options = useOptions(field, domain);
  return (
    <fieldset id={id} className="line wrap pad-0 gap-4 rows-0 radios" aria-label={label} aria-describedby={describedBy}>
      {options.map((option) => (
        <label key={option.value} className="inline-row gap-2 target radio">
          <input
            type="radio"
            name={id}
            checked={value === option.value}
            onChange={() => {
              onChange(option.value, field.relation ? { [`${field.name}.display_name`]: option.label } : {});
              onCommit?.();
            }}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

/** Hours and minutes; the text stays as typed until the field is left. */
export function DurationEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string) => {
    setTyped(text);
    const hours = parseHours(text, decimalsOf(props.field));
    onChange(hours === undefined ? text : hours);
  };
  return (
    <span className="field-wrap" onBlur={() => setTyped(null)}>
      <TextControl {...props} className="num" inputMode="text" text={typed ?? editHours(value)} onText={change} />
    </span>
  );
}

/** As a user would type it. */
function editHours(value: unknown): string {
  return typeof value === 'number' ? formatHours(value) : editNumber(value as string | null);
}
