import type { ArchField } from '@kontor/protocol';
import { isTree } from '../../data/model-fields.ts';
import { t } from '../../i18n/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Chip } from '../../ui/parts.tsx';
import { widgetOf } from '../registry.tsx';
import { domainWords } from './domain-words.ts';
import { operatorChoices } from './operators.ts';
import { relationName, rememberName } from './relation-names.ts';
import { emptyGroup, firstField, newRule, type Rule, type RuleGroup, type RuleItem } from './rule-tree.ts';

interface RuleGroupBoxProps {
  readonly group: RuleGroup;
  readonly fields: readonly ArchField[];
  readonly invalid: ReadonlySet<number>;
  readonly depth: number;
  readonly onEdit: (key: number, change: (item: RuleItem) => RuleItem | null) => void;
}

const maxDepth = 3;

/** Conditions of which all must hold, or one is enough. */
export function RuleGroupBox({ group, fields, invalid, depth, onEdit }: RuleGroupBoxProps) {
  const put = (item: RuleItem) =>
    onEdit(group.key, (now) => (now.kind === 'group' ? { ...now, items: [...now.items, item] } : now));
  const setMode = (mode: 'and' | 'or') => onEdit(group.key, (now) => (now.kind === 'group' ? { ...now, mode } : now));
  const first = firstField(fields);
  return (
    <section
      className={depth === 0 ? 'column gap-2 rule-group' : 'column gap-2 pad-3 framed round-m sunken rule-group'}
      aria-label={depth === 0 ? t('Conditions') : t('Group of conditions')}
    >
      <div className="row wrap mut rule-mode">
        <span>{t('Show records where')}</span>
        <div className="seg" role="group" aria-label={t('How conditions combine')}>
          <button type="button" aria-pressed={group.mode === 'and'} onClick={() => setMode('and')}>
            {t('all match')}
          </button>
          <button type="button" aria-pressed={group.mode === 'or'} onClick={() => setMode('or')}>
            {t('any matches')}
          </button>
        </div>
        {depth > 0 && (
          <IconButton
            className="push"
            icon="x"
            label={t('Remove the group')}
            onClick={() => onEdit(group.key, () => null)}
          />
        )}
      </div>
      <ul className="column gap-2 rules">
        {group.items.map((item) => (
          <Item key={item.key} {...{ item, fields, invalid, depth, onEdit }} />
        ))}
      </ul>
      <div className="line wrap gap-1 rule-add">
        {first && (
          <Button kind="bare" icon="plus" onClick={() => put(newRule(first))}>
            {t('Add a condition')}
          </Button>
        )}
        {first && depth < maxDepth && (
          <Button
            kind="bare"
            icon="plus"
            onClick={() => put({ ...emptyGroup(group.mode === 'and' ? 'or' : 'and'), items: [newRule(first)] })}
          >
            {t('Add a group')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Item({ item, ...rest }: Omit<RuleGroupBoxProps, 'group'> & { readonly item: RuleItem }) {
  const { fields, invalid, depth, onEdit } = rest;
  const remove = () => onEdit(item.key, () => null);
  if (item.kind === 'group') {
    return (
      <li>
        <RuleGroupBox {...rest} group={item} depth={depth + 1} />
      </li>
    );
  }
  if (item.kind === 'rule') {
    const change = (rule: RuleItem) => onEdit(item.key, () => rule);
    return (
      <RuleRow rule={item} {...{ fields }} isInvalid={invalid.has(item.key)} onChange={change} onRemove={remove} />
    );
  }
  const words = domainWords(item.node, fields);
  return (
    <li className="stack at-start rule">
      <span className="mut self-centre rule-other">{words}</span>
      <IconButton icon="x" label={t('Remove {label}', { label: words })} onClick={remove} />
    </li>
  );
}

interface RuleRowProps {
  readonly rule: Rule;
  readonly fields: readonly ArchField[];
  readonly isInvalid: boolean;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}

/** One row: field, operator and value. */
function RuleRow({ rule, fields, isInvalid, onChange, onRemove }: RuleRowProps) {
  const field = fields.find(({ name }) => name === rule.field);
  if (!field) return null;
  const choices = operatorChoices(field.type).filter(
    (one) => one.operator !== 'child_of' || one === rule.choice || isTree(field.relation),
  );
  const chooseField = (name: string) => {
    const next = fields.find((one) => one.name === name);
    if (next) onChange({ ...newRule(next), key: rule.key });
  };
  const chooseOperator = (key: string) => {
    const choice = choices.find((one) => one.key === key);
    if (!choice) return;
    const isAlike = choice.isMany === rule.choice.isMany && isText(choice.operator) === isText(rule.choice.operator);
    onChange({ ...rule, choice, value: isAlike ? rule.value : choice.isMany ? [] : null });
  };
  return (
    <li className="stack at-start rule">
      <select
        className="input rule-field"
        aria-label={t('Field')}
        value={field.name}
        onChange={(event) => chooseField(event.target.value)}
      >
        {fields.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="input rule-operator"
        aria-label={t('Comparison')}
        value={rule.choice.key}
        onChange={(event) => chooseOperator(event.target.value)}
      >
        {choices.map(({ key, words }) => (
          <option key={key} value={key}>
            {t(words)}
          </option>
        ))}
      </select>
      <div className="column gap-half shrink rule-value">
        <RuleValue rule={rule} field={field} isInvalid={isInvalid} onChange={(value) => onChange({ ...rule, value })} />
        {isInvalid && (
          <p className="field-problem" role="alert">
            {t('Choose a value to compare {label} with.', { label: field.label })}
          </p>
        )}
      </div>
      <IconButton icon="x" label={t('Remove the condition on {label}', { label: field.label })} onClick={onRemove} />
    </li>
  );
}

function isText(operator: string): boolean {
  return operator.endsWith('ilike');
}

interface RuleValueProps {
  readonly rule: Rule;
  readonly field: ArchField;
  readonly isInvalid: boolean;
  readonly onChange: (value: unknown) => void;
}

/** The value of a condition, edited with the field's own widget. */
function RuleValue({ rule, field, isInvalid, onChange }: RuleValueProps) {
  const { choice, value } = rule;
  if (!choice.hasValue) return null;
  if (choice.isMany && field.selection) return <Options {...{ rule, field, isInvalid, onChange }} />;
  if (choice.isMany && field.relation) return <Records {...{ rule, field, isInvalid, onChange }} />;
  // A part of a name is entered as text, even for relations.
  const isText = choice.operator.endsWith('ilike');
  const shown: ArchField = isText ? { ...field, type: 'char', size: 200 } : field;
  return (
    <OneValue
      field={shown}
      value={value}
      isInvalid={isInvalid}
      ruleKey={rule.key}
      onChange={(next, name) => {
        if (typeof next === 'number' && field.relation && name) rememberName(field.relation, next, name);
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
    <span className="surface block share round control least-wide-120 rule-input">
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
    <fieldset className="line wrap shrink gap-3 rows-half rule-options" aria-invalid={isInvalid || undefined}>
      <legend className="sr-only">{field.label}</legend>
      {field.selection?.map(([key, label]) => (
        <label key={key} className="inline-row gap-1h pointer least-24">
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
    <span className="row wrap gap-1 rule-records">
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
        // A new control for the next value.
        key={chosen.length}
        field={{ ...field, type: 'many2one' }}
        value={null}
        isInvalid={isInvalid}
        ruleKey={rule.key}
        onChange={(id, name) => {
          if (typeof id !== 'number' || chosen.includes(id)) return;
          if (name) rememberName(relation, id, name);
          onChange([...chosen, id]);
        }}
      />
    </span>
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
