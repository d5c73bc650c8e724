import type { Domain } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { sendChange, showError } from '../data/changes.ts';
import { asTyped, unmatchedName } from '../data/form/invalid-values.ts';
import { nameOnScreen } from '../data/records.ts';
import type { RecordValues } from '../data/rpc.ts';
import { t } from '../i18n/messages.ts';
import { Icon } from '../ui/icon.tsx';
import type { FieldEditProps } from './define-field.ts';
import { type Choice, Combobox } from './relation/combobox.tsx';
import { findNames, nameOf, useChoices } from './relation/use-choices.ts';
import { recordsOf, Tag } from './tags.tsx';

/** Tags with a search; an unknown name creates a tag. */
// Over 60 lines: chosen tags, the field and its suggestions change the same list.
export function TagsEdit(props: FieldEditProps) {
  const { field, node, value, onChange, place, record } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // Text that is not a tag stays in the value, marked as invalid, until it is chosen or removed.
  const left = unmatchedName(value) ?? '';
  const waiting = useRef('');
  const known = useRef(new Map<number, RecordValues>());
  for (const one of recordsOf(record[field.name])) if (one.display_name !== undefined) known.current.set(one.id, one);
  const chosen = recordsOf(value).map((one) => known.current.get(one.id) ?? one);
  const model = field.relation ?? '';
  const ids = chosen.map((one) => one.id);
  const domain: Domain = [...(props.domain ?? field.domain ?? []), ['id', 'not in', ids]];
  const found = useChoices(model, typed, domain);
  const set = (records: readonly RecordValues[]) => {
    for (const one of records) known.current.set(one.id, one);
    onChange(records);
  };
  const type = (next: string | null) => {
    if (next !== null) waiting.current = '';
    if (next === '' && left !== '') set(chosen);
    setTyped(next);
  };
  const leave = (text: string) => {
    const take = (records: readonly RecordValues[]) => {
      const [one, ...more] = records.filter((each) => nameOf(each).toLowerCase() === text.toLowerCase());
      if (!one || more.length > 0) return false;
      set([...chosen, one]);
      return true;
    };
    if (found.isCurrent && take(found.records)) return;
    onChange([...chosen, asTyped(text)]);
    waiting.current = text;
    // Users who type fast leave the field before the suggestions arrive.
    if (!found.isCurrent)
      findNames(model, text, domain).then(
        (records) => waiting.current === text && take(records),
        () => {},
      );
  };
  const create = async (name: string) => {
    const { result: id } = await sendChange<number>({ model, method: 'create', args: [{ name }] });
    set([...chosen, { id, display_name: name }]);
  };
  const add = (one: RecordValues) => () => set([...chosen, one]);
  const choices: Choice[] = found.records.map((one) => ({ key: String(one.id), label: nameOf(one), run: add(one) }));
  const name = typed?.trim() ?? '';
  const isNew = name !== '' && found.isCurrent && !found.records.some((one) => nameOf(one) === name);
  if (isNew && place === 'form' && field.related?.create && node.options?.no_create !== true) {
    const run = () => void create(name).catch(showError);
    choices.push({ key: 'new', label: t('Create “{name}”', { name }), isDim: true, run });
  }
  return (
    <span className="inline-row wrap gap-1 shrink tags tags-edit field-input">
      {chosen.map((one) => (
        <ChosenTag
          key={one.id}
          record={one}
          isPerson={field.relation === 'core.user'}
          onRemove={() => set(chosen.filter(({ id }) => id !== one.id))}
        />
      ))}
      <Combobox
        {...props}
        className="tags-input"
        text={left}
        isInvalid={props.isInvalid || left !== ''}
        onLeave={leave}
        typed={typed}
        choices={choices}
        isCurrent={found.isCurrent}
        onTyped={type}
        onBack={() => chosen.length > 0 && set(chosen.slice(0, -1))}
      />
    </span>
  );
}

interface ChosenTagProps {
  readonly record: RecordValues;
  readonly isPerson: boolean;
  readonly onRemove: () => void;
}

function ChosenTag({ record, isPerson, onRemove }: ChosenTagProps) {
  return (
    <Tag name={nameOnScreen(record.display_name)} color={record.color} isPerson={isPerson}>
      <button
        type="button"
        className="middle round wide-24 high-24 chip-x"
        aria-label={t('Remove {name}', { name: nameOf(record) })}
        onClick={onRemove}
      >
        <Icon name="x" size={12} />
      </button>
    </Tag>
  );
}
