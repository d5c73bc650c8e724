import type { ArchField } from '@kontor/protocol';
import { isTree } from '../../data/model-fields.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { operatorChoices } from './operators.ts';
import { newRule, type Rule } from './rule-tree.ts';
import { RuleValue } from './rule-value.tsx';

interface RuleRowProps {
  readonly rule: Rule;
  readonly fields: readonly ArchField[];
  readonly isInvalid: boolean;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}

/** Field, comparison in words, value. */
export function RuleRow({ rule, fields, isInvalid, onChange, onRemove }: RuleRowProps) {
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
    <li className="rule">
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
      <div className="rule-value">
        <RuleValue rule={rule} field={field} isInvalid={isInvalid} onChange={(value) => onChange({ ...rule, value })} />
        {isInvalid && (
          <p className="field-problem" role="alert">
            {t('Choose what {label} is compared with.', { label: field.label })}
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
