import type { ArchField, Domain } from '@kontor/protocol';
import { asTyped, typedText } from '../data/form/invalid-values.ts';
import { t } from '../i18n/messages.ts';
import { DateEdit } from './date.tsx';
import { Many2oneEdit } from './many2one.tsx';

/** A record and its name; 0 as its id: the name was typed, and no record has it. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

interface ControlProps {
  readonly id: string;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
}

interface RecordFieldProps extends ControlProps {
  /** The model to choose from. */
  readonly relation: string;
  readonly domain?: Domain;
  readonly value: Named | null;
  onChange(value: Named | null): void;
}

/** Why a choice cannot be saved; null: it can. */
export function unknownName(value: Named | null): string | null {
  return value?.id === 0 ? t('“{name}” was not found. Choose one from the list.', { name: value.name }) : null;
}

/** Chooses a record of a model by name, outside of a form. */
export function RecordField({ relation, domain, value, onChange, ...control }: RecordFieldProps) {
  const name = 'record_id';
  const { label } = control;
  const shown = value?.id === 0 ? asTyped(value.name) : (value?.id ?? null);
  return (
    <Many2oneEdit
      {...controlOf(control)}
      field={fieldOf({ name, label, relation, type: 'many2one' })}
      record={{ id: 0, [name]: shown, [`${name}.display_name`]: value?.name ?? null }}
      node={{ name }}
      model={relation}
      value={shown}
      domain={domain}
      isInvalid={control.isInvalid === true || value?.id === 0}
      onChange={(chosen, texts) => {
        const typed = typedText(chosen);
        if (typed !== null) onChange({ id: 0, name: typed });
        else
          onChange(
            typeof chosen === 'number' ? { id: chosen, name: String(texts?.[`${name}.display_name`] ?? '') } : null,
          );
      }}
    />
  );
}

interface DayFieldProps extends ControlProps {
  /** `YYYY-MM-DD`, or what was typed and is no day. */
  readonly value: string;
  onChange(value: string): void;
}

/** A day, outside of a form: typed in the user's notation or in words, or chosen from a calendar. */
export function DayField({ value, onChange, ...control }: DayFieldProps) {
  const name = 'day';
  return (
    <DateEdit
      {...controlOf(control)}
      field={fieldOf({ name, label: control.label, type: 'date' })}
      record={{ id: 0, [name]: value }}
      node={{ name }}
      model=""
      value={value === '' ? null : value}
      onChange={(next) => onChange(typeof next === 'string' ? next : '')}
    />
  );
}

function controlOf({ id, label, isRequired = false, isInvalid = false, describedBy }: ControlProps) {
  return { id, label, isRequired, isInvalid, describedBy, place: 'list' as const };
}

function fieldOf(own: Pick<ArchField, 'name' | 'label' | 'type'> & { readonly relation?: string }): ArchField {
  return {
    ...{ required: true, readonly: false, onchange: false, stored: true },
    ...{ sortable: false, searchable: true, groupable: false },
    ...own,
  };
}
