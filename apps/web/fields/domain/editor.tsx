import type { DomainCondition, DomainOperator } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { JsonEdit } from '../json/edit.tsx';
import { TextEdit } from '../text/edit.tsx';
import { type FlatDomain, flatDomain, readDomain, toDomain } from './domain-value.ts';
import './styles.css';

const operators: readonly (readonly [DomainOperator, string])[] = [
  ['=', 'is'],
  ['!=', 'is not'],
  ['ilike', 'contains'],
  ['not ilike', 'does not contain'],
  ['>', 'is more than'],
  ['>=', 'is at least'],
  ['<', 'is less than'],
  ['<=', 'is at most'],
  ['in', 'is one of'],
  ['not in', 'is none of'],
];

/** Conditions in rows that read as sentences. What is nested deeper is edited as it is written. */
export function DomainEditor(props: FieldEditProps) {
  const { value, onChange, field, node, record, label, id } = props;
  const model = String(record[String(node.options?.model ?? 'model')] ?? '');
  const fields = useFields(model);
  const domain = readDomain(value);
  const flat = domain && flatDomain(domain);
  if (!flat) return field.type === 'json' ? <JsonEdit {...props} /> : <TextEdit {...props} />;
  const set = (next: FlatDomain) => {
    const made = toDomain(next);
    onChange(field.type === 'json' ? made : made.length === 0 ? null : JSON.stringify(made));
  };
  const change = (at: number, condition: DomainCondition | null) => {
    const conditions = flat.conditions.flatMap((one, index) => (index === at ? (condition ? [condition] : []) : [one]));
    set({ ...flat, conditions });
  };
  return (
    <fieldset id={id} className="domain" aria-label={label}>
      {flat.conditions.length > 1 && (
        <select
          className="input domain-any"
          aria-label={t('How the conditions combine')}
          value={flat.isAny ? 'any' : 'all'}
          onChange={(event) => set({ ...flat, isAny: event.target.value === 'any' })}
        >
          <option value="all">{t('All of these')}</option>
          <option value="any">{t('Any of these')}</option>
        </select>
      )}
      {flat.conditions.length === 0 && <p className="dim">{t('All records')}</p>}
      {flat.conditions.map((condition, at) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have nothing else to be told apart by.
          key={at}
          condition={condition}
          fields={fields}
          number={at + 1}
          onChange={(next) => change(at, next)}
        />
      ))}
      <Button
        kind="bare"
        icon="plus"
        onClick={() => {
          const path = String(fields[0]?.name ?? 'id');
          set({ ...flat, conditions: [...flat.conditions, [path, '=', null]] });
        }}
      >
        {t('Add a condition')}
      </Button>
    </fieldset>
  );
}

interface ConditionRowProps {
  readonly condition: DomainCondition;
  readonly fields: readonly RecordValues[];
  readonly number: number;
  readonly onChange: (condition: DomainCondition | null) => void;
}

function ConditionRow({ condition, fields, number, onChange }: ConditionRowProps) {
  const [path, operator, operand] = condition;
  const isKnown = fields.some((field) => field.name === path);
  return (
    <div className="domain-row">
      <select
        className="input"
        aria-label={t('Field of condition {n}', { n: number })}
        value={path}
        onChange={(event) => onChange([event.target.value, operator, operand])}
      >
        {!isKnown && <option value={path}>{path}</option>}
        {fields.map((field) => (
          <option key={field.id} value={String(field.name)}>
            {String(field.label)}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label={t('Comparison of condition {n}', { n: number })}
        value={operator}
        onChange={(event) => onChange([path, event.target.value as DomainOperator, operand])}
      >
        {!operators.some(([one]) => one === operator) && <option value={operator}>{operator}</option>}
        {operators.map(([one, words]) => (
          <option key={one} value={one}>
            {t(words)}
          </option>
        ))}
      </select>
      <input
        className="input"
        aria-label={t('Value of condition {n}', { n: number })}
        defaultValue={operandText(operand)}
        key={operandText(operand)}
        onBlur={(event) => onChange([path, operator, parseOperand(event.target.value, operator)])}
      />
      <IconButton icon="x" label={t('Remove condition {n}', { n: number })} onClick={() => onChange(null)} />
    </div>
  );
}

function operandText(operand: unknown): string {
  if (operand === null) return '';
  if (Array.isArray(operand)) return operand.map(String).join(', ');
  return String(operand);
}

/** Numbers, true and false are what they look like; lists are parted by commas. */
function parseOperand(text: string, operator: DomainOperator): unknown {
  if (operator === 'in' || operator === 'not in') {
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map(parseOne);
  }
  return parseOne(text.trim());
}

function parseOne(text: string): unknown {
  if (text === '') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
}

function useFields(model: string): readonly RecordValues[] {
  const [fields, setFields] = useState<readonly RecordValues[]>([]);
  useEffect(() => {
    if (model === '') return;
    searchRead('sys.field', [['model_id.name', '=', model]], ['name', 'label'], { limit: 300, order: 'label' }).then(
      setFields,
      () => {},
    );
  }, [model]);
  return fields;
}
