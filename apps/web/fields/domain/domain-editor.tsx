import { type ArchField, type Domain, fieldType } from '@kontor/protocol';
import { useEffect, useMemo, useRef, useState } from 'react';
import { asUnfinished } from '../../data/form/invalid-values.ts';
import { useModelFields } from '../../data/model-fields.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { JsonEdit } from '../rare-edits.tsx';
import { TextEdit } from '../text.tsx';
import { readDomain, topConditions } from './domain-value.ts';
import { operatorChoices } from './operators.ts';
import { useRelationNames } from './relation-names.ts';
import {
  editItem,
  emptyGroup,
  firstField,
  incompleteRules,
  newRule,
  type RuleGroup,
  reparseRules,
  toDomain,
  toRules,
} from './rule-tree.ts';
import { RuleGroupBox } from './rules.tsx';
import './domain-editor.css';

export interface DomainDialogProps {
  readonly domain: Domain;
  readonly fields: readonly ArchField[];
  /** The label of the button that applies it. */
  readonly answer?: string;
  readonly onApply: (domain: Domain) => void;
  readonly onClose: () => void;
}

/** Edits a domain as rows of field, operator and value. */
export function DomainDialog({ domain, fields, answer = t('Search'), onApply, onClose }: DomainDialogProps) {
  const usable = useMemo(() => comparable(fields), [fields]);
  const [root, setRoot] = useState<RuleGroup>(() => startFrom(domain, usable));
  useEffect(() => setRoot((now) => reparseRules(now, usable)), [usable]);
  const [isTold, setTold] = useState(false);
  const incomplete = incompleteRules(root);
  const apply = () => {
    setTold(true);
    if (incomplete.length === 0) onApply(toDomain(root));
  };
  return (
    <Dialog
      title={t('Conditions')}
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" onClick={apply}>
            {answer}
          </Button>
        </>
      }
    >
      <RuleGroupBox
        group={root}
        fields={usable}
        invalid={new Set(isTold ? incomplete.map(({ key }) => key) : [])}
        depth={0}
        onEdit={(key, change) => setRoot((now) => editItem(now, key, change))}
      />
    </Dialog>
  );
}

function comparable(fields: readonly ArchField[]): readonly ArchField[] {
  return fields
    .filter(({ searchable, type, name }) => searchable && name !== 'display_name' && operatorChoices(type).length > 0)
    .sort((one, other) => one.label.localeCompare(other.label));
}

/** An empty domain starts with an incomplete row for the name, the most common field. */
function startFrom(domain: Domain, fields: readonly ArchField[]): RuleGroup {
  const rules = toRules(domain, fields);
  const first = firstField(fields);
  return rules.items.length === 0 && first ? { ...emptyGroup('and'), items: [newRule(first)] } : rules;
}

/** Edits a domain on another model. Invalid domains are edited as text. */
export function DomainRulesEdit(props: FieldEditProps) {
  const { value, field } = props;
  const domain = useMemo(() => readDomain(value), [value]);
  if (domain) return <RulesEdit {...props} domain={domain} />;
  return fieldType(field.type).isJson ? <JsonEdit {...props} /> : <TextEdit {...props} />;
}

function RulesEdit(props: FieldEditProps & { readonly domain: Domain }) {
  const { domain, field, node, record, label, id, isInvalid, describedBy, onChange } = props;
  const model = String(record[String(node.options?.model ?? 'model')] ?? '');
  const all = useModelFields(model);
  const fields = useMemo(() => comparable(all), [all]);
  useRelationNames(topConditions(domain), fields);
  const [root, setRoot] = useState<RuleGroup>(() => toRules(domain, fields));
  const told = useRef(JSON.stringify(domain));
  useEffect(() => {
    const now = JSON.stringify(domain);
    // The editor already shows its own last value, including incomplete rows.
    if (now !== told.current) setRoot(toRules(domain, fields));
    else setRoot((before) => reparseRules(before, fields));
    told.current = now;
  }, [domain, fields]);
  const change = (next: RuleGroup) => {
    setRoot(next);
    const blank = new Set(incompleteRules(next).map(({ key }) => key));
    const whole = [...blank].reduce((group, key) => editItem(group, key, () => null), next);
    const made = toDomain(whole);
    told.current = JSON.stringify(made);
    if (blank.size > 0) onChange(asUnfinished(made));
    else onChange(fieldType(field.type).isJson ? made : made.length === 0 ? null : JSON.stringify(made));
  };
  return (
    <fieldset
      id={id}
      className="shrink domain"
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
    >
      {root.items.length === 0 && <p className="dim">{t('All records')}</p>}
      <RuleGroupBox
        group={root}
        fields={fields}
        invalid={isInvalid ? new Set(incompleteRules(root).map(({ key }) => key)) : nothing}
        depth={0}
        onEdit={(key, edit) => change(editItem(root, key, edit))}
      />
    </fieldset>
  );
}

const nothing: ReadonlySet<number> = new Set();
