import { type ReactNode, useRef, useState } from 'react';
import { asTyped, typedText } from '../data/form/invalid-values.ts';
import { openPanel } from '../data/form/record-panels.ts';
import { nameOnScreen } from '../data/records.ts';
import type { RecordValues } from '../data/rpc.ts';
import { t } from '../i18n/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { Avatar, Person } from '../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { isolated } from './plain.tsx';
import { type Choice, Combobox } from './relation/combobox.tsx';
import { findNames, nameOf, useChoices } from './relation/use-choices.ts';
import './styles.css';

export const many2oneField = defineField({
  name: 'many2one',
  Read: Many2oneRead,
  cell: many2oneCell,
  Edit: Many2oneEdit,
  toText: many2oneText,
  width: 190,
});

export const many2oneAvatarField = defineField({ ...many2oneField, name: 'many2one_avatar' });

/** Users are shown with an avatar. */
function Many2oneRead(props: FieldReadProps) {
  const text = many2oneText(props);
  const { field, place, value } = props;
  const name =
    place === 'form' && text !== '' && field.relation && field.related?.read ? (
      <a
        className="accent underlines field-link"
        href={`/web?${new URLSearchParams({ model: field.relation, view_type: 'form', id: String(value) })}`}
      >
        <bdi>{text}</bdi>
      </a>
    ) : (
      <bdi>{text}</bdi>
    );
  if (text === '' || !isPerson(props)) return name;
  return place === 'form' ? <Person name={text}>{name}</Person> : <Person name={text} />;
}

function many2oneCell(props: FieldReadProps): ReactNode {
  return isPerson(props) ? <Many2oneRead {...props} /> : isolated(many2oneText(props));
}

/** Whether a relation references people, who are shown with an avatar. */
export function isPerson({ field, node }: Pick<FieldReadProps, 'field' | 'node'>): boolean {
  return field.relation === 'core.user' || node.widget === 'many2one_avatar';
}

/** Empty while the name is loading. */
export function many2oneText({ value, record, field }: FieldReadProps): string {
  if (value === null || value === undefined || value === false) return '';
  const typed = typedText(value);
  if (typed !== null) return typed;
  return nameOnScreen(record[`${field.name}.display_name`]);
}

function recordChoice(record: RecordValues, choose: (id: number, name: string) => void): Choice {
  const label = nameOf(record);
  return { key: String(record.id), label, run: () => choose(record.id, label) };
}

/** Opens a new record of the related model with the typed name. */
function createChoice(props: FieldEditProps, name: string, choose: (id: number, name: string) => void): Choice {
  const { field, label, domain = field.domain ?? [] } = props;
  return {
    key: 'new',
    label: name ? t('Create “{name}” …', { name }) : t('Create …'),
    isDim: true,
    run: () =>
      openPanel({
        kind: 'record',
        query: new URLSearchParams({ model: field.relation ?? '', view_type: 'form' }).toString(),
        title: t('New: {label}', { label }),
        defaults: name ? { name } : {},
        domain,
        onSaved: (made) => choose(made.id, made.name),
      }),
  };
}

function openRecord(
  props: FieldEditProps,
  onSaved: (saved: { readonly id: number; readonly name: string }) => void,
): void {
  const { field, value } = props;
  const query = new URLSearchParams({ model: field.relation ?? '', view_type: 'form', id: String(value) }).toString();
  openPanel({ kind: 'record', query, title: many2oneText(props), defaults: {}, onSaved });
}

/** Chooses the only record with exactly this name, if there is one. */
function chooseByName(
  text: string,
  records: readonly RecordValues[],
  choose: (id: number, name: string) => void,
): boolean {
  const [one, ...more] = records.filter((record) => nameOf(record).toLowerCase() === text.toLowerCase());
  if (!one || more.length > 0) return false;
  choose(one.id, nameOf(one));
  return true;
}

/** The unmatched name stays in the field, marked as invalid. */
function ignore(): void {}

/** Searches the related model by name; in a form it can also create a record or open the chosen one. */
export function Many2oneEdit(props: FieldEditProps) {
  const { field, node, value, onChange, onCommit, place } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const left = useRef('');
  const model = field.relation ?? '';
  const domain = props.domain ?? field.domain ?? [];
  const found = useChoices(model, typed, domain);
  const label = `${field.name}.display_name`;
  const choose = (id: number | null, name: string | null) => {
    onChange(id, { [label]: name });
    onCommit?.();
  };
  const hasPanels = place === 'form' || place === 'grid';
  const canCreate = hasPanels && field.related?.create === true && node.options?.no_create !== true;
  const canOpen = hasPanels && field.related?.read === true && node.options?.no_open !== true;
  const choices = found.records.map((one) => recordChoice(one, choose));
  const name = typed?.trim() ?? '';
  const isThere = name !== '' && found.records.some((one) => nameOf(one).toLowerCase() === name.toLowerCase());
  if (canCreate && typed !== null && (typed === '' || found.isCurrent) && !isThere) {
    choices.push(createChoice(props, name, choose));
  }
  const leave = (text: string) => {
    if (text === many2oneText(props) || (found.isCurrent && chooseByName(text, found.records, choose))) return;
    onChange(asTyped(text), { [label]: text });
    left.current = text;
    // Users who type fast leave the field before the suggestions arrive.
    const take = (records: readonly RecordValues[]) => left.current === text && chooseByName(text, records, choose);
    if (!found.isCurrent) findNames(model, text, domain).then(take, ignore);
  };
  const type = (next: string | null) => {
    if (next !== null) left.current = '';
    setTyped(next);
    if (next === '' && typed) choose(null, null);
  };
  const open = () => openRecord(props, (saved) => onChange(saved.id, { [label]: saved.name }));
  return (
    <span className="row shrink anchor full gap-0 reveals field-relation">
      {typed === null && isPerson(props) && many2oneText(props) && <Avatar name={many2oneText(props)} size="s" />}
      <Combobox
        {...props}
        text={many2oneText(props)}
        isInvalid={props.isInvalid || typedText(value) !== null}
        onLeave={leave}
        typed={typed}
        choices={choices}
        isCurrent={found.isCurrent}
        onOpen={canOpen && typeof value === 'number' ? open : undefined}
        onTyped={type}
      />
      {canOpen && typeof value === 'number' && <OpenButton name={many2oneText(props)} onOpen={open} />}
    </span>
  );
}

/** Not a tab stop; Alt+Enter in the field opens the record as well. */
function OpenButton({ name, onOpen }: { readonly name: string; readonly onOpen: () => void }) {
  return (
    <IconButton
      className="revealed field-open"
      icon="external-link"
      size={14}
      tabIndex={-1}
      aria-keyshortcuts="Alt+Enter"
      label={t('Open {name}', { name })}
      onClick={onOpen}
    />
  );
}
