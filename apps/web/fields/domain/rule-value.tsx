import type { ArchField } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Chip } from '../../ui/parts.tsx';
import { widgetOf } from '../registry.ts';
import { keepName, relationName } from './relation-names.ts';
import type { Rule } from './rule-tree.ts';

interface RuleValueProps {
  readonly rule: Rule;
  readonly field: ArchField;
  readonly isInvalid: boolean;
  readonly onChange: (value: unknown) => void;
}

/** What a field is compared with, chosen by the field's own widget. */
export function RuleValue({ rule, field, isInvalid, onChange }: RuleValueProps) {
  const { choice, value } = rule;
  if (!choice.hasValue) return null;
  if (choice.isMany && field.selection) return <Options {...{ rule, field, isInvalid, onChange }} />;
  if (choice.isMany && field.relation) return <Records {...{ rule, field, isInvalid, onChange }} />;
  // A part of a name is text, whatever the field points at.
  const isText = choice.operator.endsWith('ilike');
  const shown: ArchField = isText ? { ...field, type: 'char', size: 200 } : field;
  return (
    <OneValue
      field={shown}
      value={value}
      isInvalid={isInvalid}
      ruleKey={rule.key}
      onChange={(next, name) => {
        if (typeof next === 'number' && field.relation && name) keepName(field.relation, next, name);
        onChange(next);
      }}
    />
  );
}

interface OneValueProps {
  readonly field: ArchField;
  readonly value: unknown;
  readonly isInvalid: boolean;
  readonly ruleKey: number;
  readonly onChange: (value: unknown, name: string | null) => void;
}

function OneValue({ field, value, isInvalid, ruleKey, onChange }: OneValueProps) {
  const { Edit } = widgetOf(field);
  if (!Edit) return null;
  const nameKey = `${field.name}.display_name`;
  const name = field.relation && value !== null ? relationName(field.relation, value) : null;
  return (
    <span className="rule-input">
      <Edit
        id={`rule-${ruleKey}-value`}
        label={t('Value of {label}', { label: field.label })}
        field={field}
        node={{ name: field.name, options: { no_create: true, no_open: true } }}
        model=""
        record={{ id: 0, [field.name]: value, [nameKey]: name }}
        value={value}
        place="form"
        isRequired={false}
        isInvalid={isInvalid}
        onChange={(next, shown) => {
          const given = shown?.[nameKey];
          onChange(next, typeof given === 'string' ? given : null);
        }}
      />
    </span>
  );
}

function Options({ rule, field, isInvalid, onChange }: RuleValueProps) {
  const chosen = listOf(rule.value);
  return (
    <fieldset className="rule-options" aria-invalid={isInvalid || undefined}>
      <legend className="sr-only">{field.label}</legend>
      {field.selection?.map(([key, label]) => (
        <label key={key} className="rule-option">
          <input
            type="checkbox"
            className="box"
            checked={chosen.includes(key)}
            onChange={() => onChange(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function Records({ rule, field, isInvalid, onChange }: RuleValueProps) {
  const chosen = listOf(rule.value);
  const relation = field.relation as string;
  return (
    <span className="rule-records">
      {chosen.map((id) => (
        <Chip
          key={String(id)}
          removeLabel={t('Remove {label}', { label: relationName(relation, id) })}
          onRemove={() => onChange(chosen.filter((one) => one !== id))}
        >
          {id === '$uid' ? t('me') : relationName(relation, id)}
        </Chip>
      ))}
      <OneValue
        // A fresh control for the next one.
        key={chosen.length}
        field={{ ...field, type: 'many2one' }}
        value={null}
        isInvalid={isInvalid}
        ruleKey={rule.key}
        onChange={(id, name) => {
          if (typeof id !== 'number' || chosen.includes(id)) return;
          if (name) keepName(relation, id, name);
          onChange([...chosen, id]);
        }}
      />
    </span>
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
